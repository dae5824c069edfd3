#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: reduce_rtl_log.sh RETIREMENTS MISPREDICTIONS FLUSHES >reference/rtl-profiles/PROGRAM.csv
# Logs of a run on the RTL to the cycles of each address, with the cause of each gap.
#   RETIREMENTS     "R CYCLE PC WORD MODE" for each retirement, "T CYCLE PC CAUSE MODE" for each trap
#   MISPREDICTIONS  "CYCLE PC" for each branch or jump that resolves as mispredicted
#   FLUSHES         "CYCLE PC" for each instruction that flushes the pipeline as it retires (flush_ctrl_ex)
# The instructions that retire in a cycle share it (retire). The cycles from one such cycle to the next belong to
# the first instruction of the next (wait) or, behind a flush, to the instruction that flushed (flush).
set -euo pipefail
awk '
    function low(pc) { return substr("00000000" pc, length(pc) + 1) } # all programs lie in 32 bits
    FILENAME == ARGV[1] { resolved[low($2), ++count[low($2)]] = $1; next }
    FILENAME == ARGV[2] { flushes[$1, low($2)] = 1; next }
    function settle(   each, pc) {
        if (last && cycle > last + 1) {
            if (cause != "") flush[cause] += cycle - last - 1
            else wait[pcs[1]] += cycle - last - 1
        }
        cause = ""
        for (each = 1; each <= group; each++) {
            pc = pcs[each]
            retire[pc] += 1 / group
            if (kinds[each] == "R") retired[pc]++; else trapped[pc]++
            # Of the mispredictions at this address, one since its retirement before is this one; the others were
            # of instructions that another flush discarded.
            while (taken[pc] < count[pc] && resolved[pc, taken[pc] + 1] < cycle) {
                taken[pc]++
                if (each == group && resolved[pc, taken[pc]] >= before[pc]) cause = pc
            }
            before[pc] = cycle
        }
        if (kinds[group] == "T") cause = details[group] ~ /^[89a-f]...............$/ ? "" : pc # interrupts
        else if (details[group] ~ /^0*10500073$/ || (cycle, pc) in flushes) cause = pc           # WFI
        last = cycle
        group = 0
    }
    $1 == "R" || $1 == "T" {
        if (group && $2 != cycle) settle()
        cycle = $2
        kinds[++group] = $1
        pcs[group] = low($3)
        details[group] = $4
    }
    END {
        if (group) settle()
        print "pc,retirements,traps,cycles,retire,wait,flush"
        for (pc in retire)
            printf "0x%s,%d,%d,%.12g,%.12g,%d,%d\n", pc, retired[pc], trapped[pc],
                retire[pc] + wait[pc] + flush[pc], retire[pc], wait[pc], flush[pc] | "sort"
    }
' "$2" "$3" "$1"
