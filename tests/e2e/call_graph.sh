#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: call_graph.sh PES_VP PES_DECODE PROGRAM WORK_DIRECTORY
# The call stacks of samples, which come from registers, memory and debug information, beside those
# of the trace of the same run, which come from its calls and returns; both paths take the same
# ones; and samples are those of a run without stacks.
set -euo pipefail
vp=$1 decode=$2 program=$3 work=$4
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
    echo "call_graph.sh: $1" >&2
    exit 1
}
"$vp" profile "$program" --quiet --event instret --samples fast.bin --call-graph \
    --trace trace.rtd >fast.txt
"$vp" profile "$program" --quiet --event instret --samples step.bin --call-graph --path step \
    --console console.txt >/dev/null
cmp fast.bin step.bin || fail "the paths differ"
"$vp" profile "$program" --quiet --event instret --samples plain.bin >plain.txt
cmp plain.txt fast.txt || fail "other samples than without stacks"

"$decode" samples fast.bin --elf "$program" --by function --top 0 --csv fast.csv >/dev/null
"$decode" samples plain.bin --elf "$program" --by function --top 0 --csv plain.csv >/dev/null
cmp fast.csv plain.csv || fail "records of version 2 make another profile"

# Instructions under main and its callees, without those of interrupts, as shares.
"$decode" trace trace.rtd --elf "$program" --folded trace.folded --folded-weight instructions \
    >/dev/null
"$decode" export folded fast.bin --elf "$program" -o samples.folded
awk '
    match($0, / [0-9]+$/) {
        weight = substr($0, RSTART + 1)
        stack = ";" substr($0, 1, RSTART - 1) ";"
        if (stack ~ /;(machine_vectors|external_entry|supervisor_trap_entry);/) next
        if (!match(stack, /;main;/)) next
        stack = substr(stack, RSTART)
        share[FILENAME, stack] += weight
        sum[FILENAME] += weight
        stacks[stack] = 1
    }
    END {
        for (stack in stacks) {
            traced = share["trace.folded", stack] / sum["trace.folded"]
            sampled = share["samples.folded", stack] / sum["samples.folded"]
            ++kinds
            distance += (traced > sampled ? traced - sampled : sampled - traced) / 2
            if (traced == 0) { print "not in the trace:", stack; bad = 1 }
        }
        printf "%d stacks, %.2f %% of the samples in others than the instructions\n", kinds, 100 * distance
        exit bad || kinds < 20 || distance > 0.02
    }' trace.folded samples.folded || fail "the stacks are not those of the trace"

refused() { # SENTENCE options...
    local status=0
    "$vp" profile "$program" --quiet --call-graph "${@:2}" >out.txt 2>errors || status=$?
    [[ $status == 2 && ! -s out.txt && ! -e none.bin && $(wc -l <errors) == 1 ]] && grep -qF -- "$1" errors ||
        fail "--call-graph ${*:2}: $status, $(cat errors)"
}
refused "--call-graph excludes --method ideal" --method ideal --samples none.bin
refused "--call-graph needs --samples FILE"
refused "--call-graph needs --samples FILE" --report none.html
refused "--call-graph needs --samples FILE" --trace none.rtd --records functions
