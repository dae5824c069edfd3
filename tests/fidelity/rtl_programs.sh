#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: rtl_programs.sh PES_VP PROGRAM_DIRECTORY REFERENCE_DIRECTORY WORK_DIRECTORY
# Programs and probes against what the RTL of v5.3.0 gave for the same sources. A probe measures one
# mechanism, a number a case: all are equal but for the counted ones. Of a program the cycles stay
# within 0.1 per cent, and instructions, events of retirement, mispredictions, misses of the ITLB and
# the levels of the issue stage are equal, in the warm pass.
set -euo pipefail
vp=$1 programs=$2 reference=$3 work=$4
rm -rf "$work"
mkdir -p "$work"

# The words of the symbol `results` behind the first, which says how many, one a line.
results() { # name options...
    local name=$1
    shift
    "$vp" run "$programs/$name.elf" --quiet --max-cycles 50000000 --console "$work/$name.console" \
        --dump "results:2048@$work/$name.bin" --set counters.programmable=29 \
        --set timing.load_dtlb_event=as-v5.3.0 --set hart.misaligned_trap=as-v5.3.0 \
        --set hart.bus_errors=as-v5.3.0 --set hart.load_rights=as-v5.3.0 --set hart.pmp_check=as-v5.3.0 "$@" >&2
    od -An -v -w8 -t u8 "$work/$name.bin" | awk 'NR == 1 { n = $1 } NR > 1 && NR <= n + 1 { print $1 }'
}

# The numbers of these probes have cycles and misses in one.
apart() { # name
    case $1 in
    itlb | itlb2 | itlb3) awk '{ print int($1 / 1000); print $1 % 1000 }' ;;
    *) cat ;;
    esac
}

# Cases that differ, and why.
declare -A differing=(
    [amoprobe]=3  # a load from the line of an AMO or of an SC that fails
    [cp]=3        # cold passes
    [ic]=2        # likewise, beside dependent loads
    [itlb]=144    # 27 cycles, of cold passes; 117 misses, counted before the counter is read
    [itlb3]=70    # 13 and 57 likewise
    [itlb2]=32    # 9 and 23 likewise; loads that wait for the walker to read L1D
    [wfi]=3       # cold passes, and where mtime stands behind them
)

# Events of programs that differ: what lies behind an AMO or a mispredicted branch is not executed.
differing_events="r_mem2:mispredict r_sys8:sb_full s_mem5:stall_issue u_pingpong:stall_issue"

failed=0
while read -r -a line; do
    name=${line[0]}
    printf '%s\n' "${line[@]:1}" | apart "$name" >"$work/$name.rtl"
    results "$name" | apart "$name" >"$work/$name.ours"
    count=$(paste "$work/$name.rtl" "$work/$name.ours" | awk '$1 != $2' | wc -l)
    if [[ $count -ne ${differing[$name]:-0} ]]; then
        echo "probe $name: $count of $((${#line[@]} - 1)) cases differ, expected ${differing[$name]:-0}:"
        paste "$work/$name.rtl" "$work/$name.ours" | awk '$1 != $2 { print "  case " NR - 1 ": RTL " $1 ", ours " $2 }'
        failed=1
    fi
done <"$reference/probes-v5.3.0.txt"

for name in $(awk -F, 'NR > 1 { print $1 }' "$reference/programs-v5.3.0.csv" | sort -u); do
    options=()
    [[ $name != p_poll ]] || options=(--set uart.stride=4)
    results "$name" "${options[@]}" >"$work/$name.ours"
    awk -F, -v name="$name" -v ours="$work/$name.ours" -v bar=0.1 -v differing=" $differing_events " '
        BEGIN {
            for (n = 0; (getline value < ours) > 0; n++)
                word[n] = value
            split("instret itlb_miss load store exception eret branch mispredict branch_exc call return sb_full int fp stall_issue", exact, " ")
        }
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        $1 == name && $2 == 1 { # warm; 27 words a repetition, cycles first, events from the third on
            error = 100 * (word[27] / $3 - 1)
            printf "%-10s cycles RTL %6d, ours %6d, %+.2f %%\n", name, $3, word[27], error
            bad = error > bar || error < -bar
            for (i in exact) {
                place = exact[i] == "instret" ? 1 : column[exact[i]] - 4
                differs = word[27 + place] != $(column[exact[i]])
                if (differs != (index(differing, " " name ":" exact[i] " ") != 0)) {
                    printf "  %s: RTL %d, ours %d\n", exact[i], $(column[exact[i]]), word[27 + place]
                    bad = 1
                }
            }
        }
        END { exit bad }' "$reference/programs-v5.3.0.csv" || failed=1
done
exit $failed
