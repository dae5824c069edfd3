#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: truth_and_rtl.sh PES_VP PROGRAM RETIREMENTS MISPREDICTIONS WORK_DIRECTORY [PES_VP_OPTION...]
# How far the cycles of each address agree with those of the RTL's retirement log: prints the sum of
# the smaller of both shares, and fails below 99 per cent.
#   RETIREMENTS     "R CYCLE PC WORD MODE" for each retirement, "T CYCLE PC CAUSE MODE" for each trap
#   MISPREDICTIONS  "CYCLE PC" for each branch or jump that resolves as mispredicted
# A cycle's retirements share it; a gap belongs to the next one, behind a flush to who caused it.
set -euo pipefail
vp=$1 program=$2 retirements=$3 mispredictions=$4 work=$5
shift 5
mkdir -p "$work"
truth=$work/$(basename "$program").csv
"$vp" run "$program" --quiet --console /dev/null --truth "$truth" \
    --set timing.load_dtlb_event=as-v5.3.0 --set hart.misaligned_trap=as-v5.3.0 \
    --set hart.bus_errors=as-v5.3.0 --set counters.programmable=29 "$@" || true

awk -v name="$(basename "$program" .elf)" '
    function low(pc) { return substr(pc, length(pc) - 7) } # all programs lie in 32 bits
    # The truth: cycles, and where instructions flush as they retire (the log does not know the word
    # of every instruction).
    FILENAME == ARGV[1] {
        split($0, field, ",")
        if (FNR == 1) {
            for (at in field) column[field[at]] = at
            next
        }
        pc = low("00000000" substr(field[column["pc"]], 3))
        ours[pc] += field[column["cycles"]]
        ours_in_all += field[column["cycles"]]
        retired_flushes = field[column["flush-by-csr-write"]] + field[column["flush-by-other"]] - field[column["exception"]]
        if (retired_flushes > 0 || field[column["cycles_idle"]] > 0) flushes[pc] = 1
        next
    }
    FILENAME == ARGV[2] { # resolved in this cycle
        count[$2]++
        mispredicted[$2, count[$2]] = $1
        next
    }
    function settle(   each, share) {
        share = 1 / group
        if (last && cycle > last + 1) rtl[cause != "" ? cause : pcs[1]] += cycle - last - 1
        cause = ""
        for (each = 1; each <= group; each++) {
            pc = pcs[each]
            rtl[pc] += share
            while (taken[pc] < count[pc] && mispredicted[pc, taken[pc] + 1] < cycle) {
                taken[pc]++
                if (each == group && mispredicted[pc, taken[pc]] >= before[pc]) cause = pc
            }
            before[pc] = cycle
        }
        if (kind == "T") cause = interrupt ? "" : pc
        else if (pc in flushes) cause = pc
        last = cycle
        group = 0
    }
    $1 == "R" || $1 == "T" {
        if (group && $2 != cycle) settle()
        cycle = $2
        kind = $1
        interrupt = length($4) == 16 && $4 ~ /^8/
        pcs[++group] = low($3)
    }
    END {
        if (group) settle()
        for (pc in rtl) rtl_in_all += rtl[pc]
        for (pc in rtl) {
            one = rtl[pc] / rtl_in_all
            other = ours[pc] / ours_in_all
            overlap += one < other ? one : other
        }
        printf "%-10s cycles RTL %d, ours %d, overlap %.2f %%\n", name, rtl_in_all, ours_in_all, 100 * overlap
        exit overlap < 0.99
    }
' "$truth" "$mispredictions" "$retirements"
