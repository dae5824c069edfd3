#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: trace_triggers.sh PES_VP PES_DECODE PROGRAM rtl|no_rtl WORK_DIRECTORY
# The 40th load of a loop starts the program trace by the threshold of a counter, the 100th stops it
# by the overflow of another: the flow lies between them, the same whatever simulates the hart and
# the counters.
set -euo pipefail
vp=$1 decode=$2 program=$3 rtl=$4 work=$5
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
    echo "trace_triggers.sh: $1" >&2
    exit 1
}
runs=("--path fast" "--path step")
[[ $rtl == no_rtl ]] || runs+=("--counters rtl" "--counters lockstep")
for options in "${runs[@]}"; do
    mkdir files
    # shellcheck disable=SC2086 # several options in one word
    "$vp" run "$program" --guest-files files $options 2>run.err || fail "$options: exit code $?"
    [ -e trace.rtd ] || cp files/triggered.rtd trace.rtd
    cmp files/triggered.rtd trace.rtd || fail "$options: another trace"
    rm -r files
done

"$decode" trace trace.rtd --elf "$program" --strict --instructions list.txt --messages messages.txt >/dev/null
head -1 messages.txt | grep -q 'SYNC (9) Reason: (0) EVTI' || fail "trace begins with $(head -1 messages.txt)"
head -1 list.txt | grep -q '^# .* start (EVTI)' || fail "the flow begins with $(head -1 list.txt)"
# From the first to the last instruction nothing but the loop. The line of a counter rises some
# cycles after the load, and a turn of the loop takes three.
grep -v '^#' list.txt >flow.txt
[ "$(awk '{ print $2 }' flow.txt | sort -u | wc -l)" = 3 ] || fail "instructions outside the loop"
loads=$(grep -c ' ld ' flow.txt)
((loads >= 59 && loads <= 62)) || fail "$loads loads between the 40th and the 100th"
