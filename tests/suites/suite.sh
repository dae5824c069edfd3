# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the runners in this folder.

# The suite's folder, PES_SUITES/<repository name>; without it the test is skipped, in one line.
find_suite() { # repository
    if [[ -z ${PES_SUITES:-} ]]; then
        echo "skipped: PES_SUITES is not set, expected a folder that holds $1"
        exit 77
    fi
    suite=$PES_SUITES/$1
    if [[ ! -d $suite ]]; then
        echo "skipped: $suite is absent"
        exit 77
    fi
}

passed=0 failed=0

pass() {
    passed=$((passed + 1))
}

fail() { # name reason
    failed=$((failed + 1))
    echo "FAIL $1: $2"
}

# The last line, and the exit status: a suite without a single test is a mistake, not a success.
finish() { # suite hint
    if ((passed + failed == 0)); then
        echo "$1: no tests found in $suite, expected $2"
        exit 1
    fi
    echo "$1: $passed of $((passed + failed)) pass"
    ((failed == 0))
}

# `spike`: Spike's command, on PATH or as its own build leaves it; empty without one.
find_spike() {
    spike=$(command -v spike || true)
    if [[ -z $spike && -x ${PES_SUITES:-}/riscv-isa-sim/build/spike ]]; then
        spike=$PES_SUITES/riscv-isa-sim/build/spike
    fi
}
