#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: counter_points_page.sh PES_VP PROGRAMS PAGE
# Prints PAGE with its table of points: what programs of the folder PROGRAMS have reached with the counters in
# lockstep. Fails if one of them does not come to its end.
set -euo pipefail
vp=$1 programs=$2 page=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
names=(counter_rules overflow_test sbi_pmu_test pes_test harts_counters_2 sampling_methods)
for name in "${names[@]}"; do
    elf=$programs/$name.elf
    case $name in
    overflow_test | sbi_pmu_test) options=(--firmware "$programs/pes_firmware.elf" --kernel "$elf") ;;
    harts_counters_2) options=("$elf" --set harts=2) ;;
    sampling_methods) options=("$elf" --set extensions.sspesa=true) ;;
    *) options=("$elf") ;;
    esac
    "$vp" run "${options[@]}" --quiet --log-level error --console /dev/null --max-cycles 100000000 --counters lockstep \
        --counter-coverage "$work/$name" || { echo "counter_points_page: $name ended with $?" >&2; exit 1; }
done
table=$(awk -F , -v names="${names[*]}" '
    BEGIN { count = split(names, name, " ") }
    FNR == 1 { ++file; next }
    {
        point = $1 "," $3
        if (!(point in seen)) { seen[point] = 1; order[++points] = point }
        if (!((point, $2) in instance)) { instance[point, $2] = 1; ++of[point] }
        if ($4 > 0) {
            ++reached[point, file]
            if (!((point, $2) in any)) { any[point, $2] = 1; ++union[point] }
        }
    }
    END {
        print "table points"
        header = "| Point | of | any |"; line = "| --- | ---: | ---: |"
        for (i = 1; i <= count; ++i) { header = header " `" name[i] "` |"; line = line " ---: |" }
        print header; print line
        for (p = 1; p <= points; ++p) {
            split(order[p], part, ",")
            row = "| " part[1] " `" part[2] "` | " of[order[p]] " | " union[order[p]] + 0 " |"
            for (i = 1; i <= count; ++i) row = row " " (reached[order[p], i] ? reached[order[p], i] : "") " |"
            print row
            all += of[order[p]]; total += union[order[p]]
        }
        row = "| all | " all " | " total " |"
        for (i = 1; i <= count; ++i) row = row " |"
        print row
    }' "${names[@]/#/$work/}")
awk -v printed="$table" -f "$(dirname "${BASH_SOURCE[0]}")/replace_tables.awk" "$page"
