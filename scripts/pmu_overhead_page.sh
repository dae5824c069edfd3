#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: pmu_overhead_page.sh PES_VP FIRMWARE PAYLOAD PAGE [OPTIONS OF pes-vp run...]
# Prints PAGE with its two tables replaced by those that the program pmu_overhead prints. Fails if
# the program does: a deterministic event that both ways count differently.
set -euo pipefail
vp=$1 firmware=$2 payload=$3 page=$4
printed=$("$vp" run --firmware "$firmware" --kernel "$payload" --max-cycles 200000000 "${@:5}")
awk -v printed="$printed" '
    function print_table(name, lines, count, i, inside) {
        count = split(printed, lines, "\n")
        for (i = 1; i <= count; ++i) {
            if (inside && lines[i] !~ /^\|/) inside = 0
            if (inside) print lines[i]
            if (lines[i] == "table " name) inside = 1
        }
    }
    /^<!-- end of / { skip = 0; print "" }
    !skip
    /^<!-- table / { print ""; print_table($3); skip = 1 }
' "$page"
