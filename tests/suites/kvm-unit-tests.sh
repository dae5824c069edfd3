#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: kvm-unit-tests.sh PES_VP FIRMWARE OPENSBI_DIRECTORY WORK_DIRECTORY
#        OPENSBI_DIRECTORY may be empty
# The programs of kvm-unit-tests's riscv/unittests.cfg (configure --arch=riscv64, make) as supervisor
# payloads, on our firmware and on OpenSBI, with one hart and with two. A program prints PASS, FAIL or
# SKIP for each check and ends with EXIT: STATUS=N, where 1 is success and 77 or 155 a skip.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=suite.sh
source "$(dirname "$0")/suite.sh"
vp=$1 firmware=$2 opensbi=$3 work=$4
find_suite kvm-unit-tests
rm -rf "$work"
mkdir -p "$work"

checks=0
boot() { # name firmware program arguments harts
    local out=$work/$1.txt failures status
    [[ -f $suite/riscv/$3.flat ]] || return 0
    local arguments=()
    [[ -z $4 ]] || arguments=(--append "$4")
    "$vp" run --firmware "$2" --kernel "$suite/riscv/$3.flat" "${arguments[@]}" --set harts="$5" \
        --quiet --max-cycles 2000000000 2>&1 | tr -d '\r' >"$out" || true
    failures=$(grep -c '^FAIL' "$out" || true)
    status=$(sed -n 's/^EXIT: STATUS=//p' "$out")
    checks=$((checks + $(grep -c '^PASS' "$out" || true)))
    if [[ $failures != 0 ]]; then
        grep '^FAIL' "$out"
        fail "$1" "$failures checks"
    elif [[ $status != 1 && $status != 77 && $status != 155 ]]; then
        fail "$1" "exit status '${status:-none}'"
    else
        pass
    fi
}

both_sizes() { # firmware's name, its file
    for harts in 1 2; do
        boot "$1-selftest-$harts" "$2" selftest "foo bar baz" "$harts"
        boot "$1-sbi-$harts" "$2" sbi "" "$harts"
        boot "$1-dbltrp-$harts" "$2" isa-dbltrp "" "$harts"
    done
}
both_sizes ours "$firmware"
[[ -z $opensbi ]] || both_sizes opensbi "$opensbi/fw_jump.elf"
echo "kvm-unit-tests: $checks checks pass"
finish kvm-unit-tests "riscv/selftest.flat and its neighbours"
