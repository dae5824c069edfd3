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

# WFI for 200 million cycles, and harts that sleep while another works.
bounded long_sleep_1 500000 20000
for harts in 2 4; do # at the end of each turn some are stepped
    bounded long_sleep_$harts 500000 1000000 --set harts=$harts
done
# What is decoded behind WFI is not counted as if the work after it waited.
full=$(sed -n 's/.*"scoreboard-full": \([0-9]*\).*/\1/p' "$work/long_sleep_1.json")
uncounted=$(sed -n 's/.*"uncounted_level_cycles": \([0-9]*\).*/\1/p' "$work/long_sleep_1.json")
((full < 10000 && full + uncounted > 199000000)) ||
    { echo "long_sleep_1: scoreboard-full $full, uncounted $uncounted" >&2; exit 1; }
