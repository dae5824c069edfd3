#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: profiled_build.sh SOURCE_DIRECTORY PES_VP FIRMWARE_DIRECTORY WORK_DIRECTORY
# The preset profiled gives a pes-vp whose results are those of PES_VP, byte for byte.
set -euo pipefail
source=$1 vp=$2 firmware=$3 work=$4
fail() {
    echo "profiled build: $1" >&2
    exit 1
}
rm -rf "$work"
mkdir -p "$work/plain" "$work/profiled"
"$source/scripts/build.sh" profiled pes-vp >"$work/build.log" 2>&1 || fail "$(tail -n 5 "$work/build.log")"
profiled=$source/build/profiled/platform/pes-vp
find "$source/build/profiled/hw/core" -name 'block_runner.cpp.gcda' | grep -q . || fail "nothing has been counted"

run() { # program [option...]
    local place
    for place in plain profiled; do
        (cd "$work/$place" && "$([[ $place == plain ]] && echo "$vp" || echo "$profiled")" \
            run "$firmware/$1.elf" --quiet --max-cycles 5000000 --console "$1.console" "${@:2}") ||
            [[ $? == 124 ]] || fail "$1"
    done
}
run workload --samples workload.samples --truth workload.csv
run pes_test --samples pes_test.samples --trace pes_test.trace
run bench_growth_os_timer_1000 --crossings timer.csv
run bench_growth_code_512 --truth code.csv
run bench_fp_matmul --truth fp_step.csv --path step
run harts_memory_2 --set harts=2 --truth harts.csv
diff -r "$work/plain" "$work/profiled" || fail "results differ"
[[ $(find "$work/plain" -type f | wc -l) -ge 14 ]] || fail "too few results: $(ls "$work/plain")"
