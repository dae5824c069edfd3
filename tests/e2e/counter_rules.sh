#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: counter_rules.sh PAGE_SCRIPT PES_VP PROGRAM RULES PAGE RTL WORK_DIRECTORY
# The tables of the page are what programs print and reach: each rule of the counters holds, as model on both paths, and
# with RTL = rtl in RTL and in lockstep. A hart without what a rule is about fails.
set -euo pipefail
script=$1 vp=$2 program=$3 rules=$4 page=$5 rtl=$6 work=$7
rm -rf "$work"
mkdir -p "$work"
kinds=(tlm)
[[ $rtl != rtl ]] || kinds+=(rtl lockstep)
for kind in "${kinds[@]}"; do
    for path in step auto; do
        bash "$script" "$vp" "$program" "$rules" "$page" --path "$path" --counters "$kind" >"$work/$kind-$path.md"
        diff "$page" "$work/$kind-$path.md" ||
            { echo "docs/counter-rules.md is not what the program prints: build counter_rules_page"; exit 1; }
    done
done
for without in counters.sscofpmf counters.smcntrpmf; do
    ! bash "$script" "$vp" "$program" "$rules" "$page" --set "$without=false" >"$work/without.md" 2>"$work/without.log" ||
        { echo "counter_rules: it passes with $without = false"; exit 1; }
done
if [[ $rtl == rtl ]]; then
    bash "${script%rules_page.sh}points_page.sh" "$vp" "$(dirname "$program")" "$page" >"$work/points.md"
    diff "$page" "$work/points.md" ||
        { echo "docs/counter-rules.md is not what the programs reach: build counter_points_page"; exit 1; }
fi
