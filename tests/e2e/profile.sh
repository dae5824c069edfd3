#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: profile.sh PES_VP PES_DECODE PROGRAM PROFILE rtl|no_rtl WORK_DIRECTORY
# The sampled profile tells the truth: its five hottest functions are the five on which the program
# really spends its cycles. The PMU profile names what was sampled.
# With rtl the counters run in lockstep, too, and give the same samples.
set -euo pipefail
vp=$1 decode=$2 program=$3 profile=$4 rtl=$5 work=$6
rm -rf "$work"
mkdir -p "$work"
"$vp" run "$program" --set counters.profile="$profile" --console "$work/console" --samples "$work/samples" --truth "$work/truth.csv"
"$decode" compare "$work/samples" --truth "$work/truth.csv" --elf "$program" --profile "$profile" \
    --require-top 5
declare -A mispredicted=([cva6]=branch-mispredict [u74]=direction-mispredict+target-mispredict)
event=${mispredicted[$profile]}
"$decode" samples "$work/samples" --elf "$program" --profile "$profile" --event "$event" >"$work/report"
grep -q "^$event (.*): [1-9][0-9]* samples by" "$work/report" || { cat "$work/report"; exit 1; }
if [[ $rtl == rtl ]]; then
    "$vp" run "$program" --set counters.profile="$profile" --counters lockstep \
        --console "$work/console" --samples "$work/lockstep"
    cmp "$work/samples" "$work/lockstep"
fi
