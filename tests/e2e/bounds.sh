#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: bounds.sh PES_VP FIRMWARE_DIRECTORY WORK_DIRECTORY
# What a run may cost the host: a bound on its address space, and one on the instructions that leave
# the fast path, which is host work counted without a clock.
set -euo pipefail
vp=$1 firmware=$2 work=$3
rm -rf "$work"
mkdir -p "$work"

# The program's own memory is 256 MiB of the address space.
bounded() { # program most-KiB most-stepped options...
    local program=$1 memory=$2 stepped=$3 stats=$work/$1.json
    shift 3
    (ulimit -v "$memory"; "$vp" run "$firmware/$program.elf" --stats "$stats" "$@" >"$work/$program.out" 2>&1)
    sed -n 's/.*"stepped": \([0-9]*\).*/\1/p' "$stats" | while read -r count; do
        if ((count > stepped)); then
            echo "$program: $count instructions were stepped, $stepped are enough" >&2
            exit 1
        fi
    done
}

# WFI for 10^9 cycles, and harts that sleep while another works.
bounded long_sleep_1 500000 20000
for harts in 2 4; do # at the end of each turn some are stepped
    bounded long_sleep_$harts 500000 1000000 --set harts=$harts
done
# 200 address spaces. Code that all of them share has one row for each instruction.
mib=1024
bounded many_spaces $((400 * mib)) 300000 --truth "$work/spaces.csv" --crossings "$work/crossings.csv"
awk -F, '
    NR == 1 { next }
    { rows[$3]++; count[$3] += $5; cycles += $6 }
    END {
        print cycles >"'"$work/cycles"'"
        for (space in rows)
            if (space !~ /^0x0$|^0x8000000000000000$/) {
                spaces++
                other += rows[space] < 20 || rows[space] > 30 || count[space] < 400 || count[space] > 600
            }
        kernel = rows["0x8000000000000000"]
        exit !(spaces == 200 && other == 0 && kernel > 2000 && kernel < 2100 &&
               count["0x8000000000000000"] > 4000 * 2000)
    }' "$work/spaces.csv" || { echo "many_spaces: rows of $work/spaces.csv" >&2; exit 1; }
[[ $(cat "$work/cycles") == "$(sed -n 's/.*"cycles": \([0-9]*\).*/\1/p' "$work/many_spaces.json" | head -1)" ]] ||
    { echo "many_spaces: the truth has $(cat "$work/cycles") cycles" >&2; exit 1; }

# Where the bound is reached the run ends in order, with what it has.
status=0
"$vp" run "$firmware/many_spaces.elf" --truth "$work/cut.csv" --stats "$work/cut.json" --quiet \
    --set truth_memory=1MiB 2>"$work/cut.err" || status=$?
[[ $status == 123 ]] && grep -q "the run ends here" "$work/cut.err" &&
    grep -q '"exit_reason": "out-of-memory"' "$work/cut.json" ||
    { echo "truth_memory: exit code $status, $(cat "$work/cut.err")" >&2; exit 1; }
ends=$(sed -n 's/.*"cycles": \([0-9]*\).*/\1/p' "$work/cut.json" | head -1)
awk -F, -v ends="$ends" 'NR > 1 { cycles += $6 } END { exit cycles != ends || ends >= '"$(cat "$work/cycles")"' }' \
    "$work/cut.csv" ||
    { echo "truth_memory: the truth is not that of $ends cycles" >&2; exit 1; }

# A long trace goes to its file as it is made.
(ulimit -v $((400 * mib)); "$vp" run "$firmware/bench_int_mix.elf" --quiet --max-cycles 20000000 \
    --trace "$work/long.rtd" --trace-program btm >/dev/null 2>"$work/long.err") || status=$?
size=$(stat -c %s "$work/long.rtd")
[[ $status == 124 ]] && ((size > 1000000)) ||
    { echo "long trace: exit code $status, $size bytes, $(cat "$work/long.err")" >&2; exit 1; }

# What is decoded behind WFI is not counted as if the work after it waited.
full=$(sed -n 's/.*"scoreboard-full": \([0-9]*\).*/\1/p' "$work/long_sleep_1.json")
uncounted=$(sed -n 's/.*"uncounted_level_cycles": \([0-9]*\).*/\1/p' "$work/long_sleep_1.json")
((full < 10000 && full + uncounted > 999000000)) ||
    { echo "long_sleep_1: scoreboard-full $full, uncounted $uncounted" >&2; exit 1; }
