#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: counter_coverage.sh PES_VP PROGRAM WORK_DIRECTORY
# The table of what a lockstep run has seen: its pulses are those of the hart's own statistics, its
# sum is in the summary, and it is refused where nobody looks.
set -euo pipefail
vp=$1 program=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
fail() { echo "$*"; exit 1; }

"$vp" run "$program" --counters lockstep --console "$work/console" --stats "$work/stats.json" \
    --counter-coverage "$work/seen.csv" 2>"$work/summary"
[[ $(head -n 1 "$work/seen.csv") == kind,name,point,cycles ]] || fail "another head"

# The hart counts its pulses itself, without the counters.
compared=0
for event in load store branch call return integer l1d-miss branch-mispredict fetch-empty; do
    table=$(sed -n "s/^event,$event,pulsed,//p" "$work/seen.csv")
    hart=$(grep -oE "\"$event\": [0-9]+" "$work/stats.json" | head -n 1 | sed 's/.*: //')
    [[ -n $hart && $hart == "$table" ]] || fail "$event: $table pulses in the table, $hart of the hart"
    compared=$((compared + 1))
done
[[ $compared == 9 ]] || fail "$compared events"

# mcycle counts every cycle in which nothing keeps it from doing so.
of_mcycle() { sed -n "s/^counter,mcycle,$1,//p" "$work/seen.csv"; }
cycles=$(grep -oE '"cycles": [0-9]+' "$work/stats.json" | head -n 1 | sed 's/.*: //')
[[ $(of_mcycle inhibited) == 0 && $(of_mcycle hidden-user) == 0 ]] || fail "mcycle has stood still"
[[ $(($(of_mcycle counted) + $(of_mcycle written-on-pulse))) == "$cycles" ]] ||
    fail "mcycle: $(of_mcycle counted) of $cycles cycles"

seen=$(tail -n +2 "$work/seen.csv" | grep -vc ',0$')
all=$(tail -n +2 "$work/seen.csv" | wc -l)
grep -qE "^ +$seen counter points seen +# of $all " "$work/summary" ||
    { cat "$work/summary"; fail "not $seen of $all in the summary"; }
((seen > 40 && seen < all)) || fail "$seen of $all points"

status=0
"$vp" run "$program" --counter-coverage "$work/no.csv" 2>"$work/error" || status=$?
[[ $status == 2 ]] && grep -q -- "--counter-coverage needs --counters lockstep" "$work/error" ||
    fail "without lockstep: $(cat "$work/error")"
[[ ! -e $work/no.csv ]] || fail "a file is left behind"
