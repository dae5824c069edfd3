#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: cycle_profile.sh PES_VP PES_DECODE FIRMWARE PAYLOAD rtl|no_rtl WORK_DIRECTORY
# A guest's own cycle samples beside the truth of the same run. With Sspesa a sample names the
# instruction whose cycle it was: what exceeds the error of a perfect sampler is at most 2 %. The
# interrupted instruction is another one: without Sspesa the same program is far off. It also runs with a
# firmware that leaves the counters to it altogether.
set -euo pipefail
vp=$1 decode=$2 firmware=$3 payload=$4 rtl=$5 work=$6
rm -rf "$work"
mkdir -p "$work"

delegated=(--set extensions.smcsrind=true --set extensions.smcdeleg=true)
sample() { # name what options...
    "$vp" run --quiet --firmware "$firmware" --kernel "$payload" "${delegated[@]}" \
        --samples "$work/$1.bin" --truth "$work/$1.csv" --max-cycles 100000000 "${@:3}" \
        </dev/null >"$work/$1.txt" 2>&1 || { cat "$work/$1.txt"; exit 1; }
    grep -q "^cycle_profile: 1[0-9]* $2, 0 failures" "$work/$1.txt" || { cat "$work/$1.txt"; exit 1; }
    # What was sampled: user mode.
    awk -F, 'NR == 1 || $2 == "U"' "$work/$1.csv" >"$work/$1.user.csv"
}
# The systematic error, in hundredths of a percent.
error_of() { # name by
    "$decode" compare "$work/$1.bin" --truth "$work/$1.user.csv" --elf "$payload" --exclude none --by "$2" \
        --json "$work/$1.json" >"$work/$1.report"
    awk -F'[:,]' '/"systematic_error"/ { found = 1; printf "%d", $2 * 10000 } END { exit !found }' "$work/$1.json"
}

sspesa=(--set extensions.sspesa=true)
sample cause causes "${sspesa[@]}"
sample skidless causes "${sspesa[@]}" --set extensions.ssplcofi=true
sample interrupted interrupted
for by in address function; do
    for name in cause skidless; do
        error=$(error_of $name $by)
        echo "$name: systematic error by $by $error hundredths of a percent"
        ((error <= 200)) || { cat "$work/$name.report"; exit 1; }
    done
done
error=$(error_of interrupted address)
((error > 1000)) || { echo "the interrupted instruction is as good: $error"; exit 1; }

sample step causes "${sspesa[@]}" --path step
cmp "$work/cause.bin" "$work/step.bin"
cmp "$work/cause.csv" "$work/step.csv"
sample alone "causes, no PMU extension" "${sspesa[@]}" --set boot.pmu_delegated=true

[[ $rtl == rtl ]] || exit 0
"$vp" run --quiet --firmware "$firmware" --kernel "$payload" "${delegated[@]}" "${sspesa[@]}" \
    --counters lockstep --max-cycles 3000000 </dev/null || [[ $? == 124 ]]
