#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: scripts/train.sh BUILD_DIRECTORY
# Builds pes-vp there, which counts what it executes (PES_PROFILE=generate), and runs what it is to be fast at: code and
# data that fit the caches and that do not, timers, calls of the system, address translation, samples, truth and trace,
# two harts, and the stepping path. The counts lie beside the objects.
set -euo pipefail
[[ $# == 1 && -f $1/CMakeCache.txt ]] || { echo "train: expected a build directory" >&2; exit 2; }
build=$(realpath "$1")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

runs=( # cycles program [option...]
    "20000000 bench_int_mix"
    "20000000 bench_mem_walk"
    "20000000 bench_fp_matmul"
    "20000000 bench_int_mix_sampling"
    "20000000 bench_int_mix_timer"
    "20000000 bench_growth_memory_65536"
    "20000000 bench_growth_pages_4096"
    "20000000 bench_growth_code_512"
    "40000000 bench_growth_code_32768"
    "20000000 bench_growth_os_supervisor"
    "20000000 bench_growth_os_calls_1000"
    "20000000 bench_growth_os_timer_1000"
    "20000000 lab_bigcode"
    "20000000 lab_branchy"
    "20000000 lab_core_mix"
    "20000000 lab_layers"
    "20000000 lab_sort"
    "20000000 bench_growth_harts_2 --set harts=2"
    "5000000 workload --truth $out/truth.csv"
    "5000000 workload --trace $out/trace"
    "1000000 bench_int_mix --path step"
    "1000000 bench_mem_walk --path step"
    "1000000 bench_fp_matmul --path step"
)
mapfile -t programs < <(printf '%s\n' "${runs[@]}" | cut -d ' ' -f 2 | sort -u)
cmake --build "$build" --target pes-vp "${programs[@]}"
find "$build" -name '*.gcda' -delete # of an earlier training

for run in "${runs[@]}"; do
    read -r cycles program options <<<"$run"
    code=0
    # shellcheck disable=SC2086 # options are words
    "$build/platform/pes-vp" run "$build/firmware/$program.elf" --max-cycles "$cycles" $options --quiet >"$out/log" 2>&1 ||
        code=$?
    if ((code != 0 && code != 124)); then # 124: its cycles have passed
        cat "$out/log" >&2
        echo "train: $program ended with exit code $code" >&2
        exit 1
    fi
done
