#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: rtl_profiles.sh PES_VP PROGRAM_DIRECTORY PROFILE_DIRECTORY WORK_DIRECTORY
# The exact profile beside what the RTL's retirement logs say of each address (reference/rtl-profiles): the same
# retirements everywhere; the overlap of the cycles, which is the sum of the smaller of both shares; and which
# instructions have cycles because they flush the pipeline. Prints a line for each program.
set -euo pipefail
vp=$1 programs=$2 profiles=$3 work=$4
rm -rf "$work"
mkdir -p "$work"
failed=0
for profile in "$profiles"/*.csv; do
    name=$(basename "$profile" .csv)
    code=0 # that of the program
    "$vp" run "$programs/$name.elf" --quiet --console /dev/null --truth "$work/$name.csv" \
        --set timing.load_dtlb_event=as-v5.3.0 --set hart.misaligned_trap=as-v5.3.0 \
        --set hart.bus_errors=as-v5.3.0 --set counters.programmable=29 2>"$work/$name.err" || code=$?
    [[ -s $work/$name.csv ]] || { cat "$work/$name.err" >&2; exit 1; }
    awk -F, -v name="$name" '
        FNR == 1 { for (i = 1; i <= NF; i++) at[FILENAME, $i] = i; next }
        FILENAME == ARGV[1] {
            pc = $at[ARGV[1], "pc"]
            retired[pc] += $at[ARGV[1], "count"]
            ours[pc] += $at[ARGV[1], "cycles"]
            refill[pc] += $at[ARGV[1], "cycles_mispredict"] + $at[ARGV[1], "cycles_flush"]
            all += $at[ARGV[1], "cycles"]
            next
        }
        {
            pc = $at[ARGV[2], "pc"]
            rtl[pc] = $at[ARGV[2], "cycles"]
            flush[pc] = $at[ARGV[2], "flush"]
            rtl_all += rtl[pc]
            if (retired[pc] + 0 != $at[ARGV[2], "retirements"]) {
                printf "%s: %s retires %d times, on the RTL %d\n", name, pc, retired[pc], $at[ARGV[2], "retirements"]
                bad = 1
            }
        }
        END {
            for (pc in rtl) {
                one = rtl[pc] / rtl_all
                other = ours[pc] / all
                overlap += one < other ? one : other
                flushed += flush[pc]
                # Waits of the refill keep their own reasons (docs/truth.md), so only who flushes is compared.
                if (flush[pc] > 0 && refill[pc] + 0 == 0) wrong += flush[pc]
                if (flush[pc] == 0) wrong += refill[pc]
            }
            printf "%-10s cycles: RTL %d, here %d, overlap %.2f %%; behind flushes: RTL %d, %d of others\n",
                name, rtl_all, all, 100 * overlap, flushed, wrong
            exit bad || overlap < 0.994 || wrong > 0.02 * flushed
        }' "$work/$name.csv" "$profile" || failed=1
done
exit $failed
