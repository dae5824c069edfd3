#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: profile.sh PES_VP PES_DECODE PROGRAM WORK_DIRECTORY
# The sampled profile tells the truth: its five hottest functions are the five on which the program
# really spends its cycles.
set -euo pipefail
vp=$1 decode=$2 program=$3 work=$4
rm -rf "$work"
mkdir -p "$work"
"$vp" run "$program" --console "$work/console" --samples "$work/samples" --truth "$work/truth.csv"
"$decode" compare "$work/samples" --truth "$work/truth.csv" --elf "$program" --require-top 5
