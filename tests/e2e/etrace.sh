#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: etrace.sh PES_VP PES_DECODE INT_MIX_PROGRAM TWO_HARTS_PROGRAM WORK_DIRECTORY
# E-Trace tells the same instructions as Nexus messages of the same run, and changes no cycle; a loss
# is told and costs only what was lost; a description that does not fit its trace is refused.
set -euo pipefail
vp=$1 decode=$2 int_mix=$3 two_harts=$4 work=$5
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
    echo "etrace.sh: $1" >&2
    exit 1
}
run() { # program name options...
    local program=$1 name=$2
    shift 2
    "$vp" run "$program" --max-cycles 200000 --stats "$name.json" "$@" 2>"$name.err" || [ $? = 124 ]
}
numbers() {
    sed -n '/"cycles"/,/"samples"/p; /"samples"/q' "$1"
}
list() { # program name options...: "source address" of each instruction
    local program=$1 name=$2
    shift 2
    "$decode" trace "$name.trace" --elf "$program" --instructions "$name.txt" "$@" >"$name.summary"
    grep -v '^#' "$name.txt" | sed -E 's/^\[([0-9]+)\] [^ ]+/\1/; t; s/^[^ ]+/0/' | cut -d' ' -f1,2
}
packets=(--set trace.registers=standard --set trace.protocol=e-trace)

run "$int_mix" plain
run "$int_mix" nexus --trace nexus.trace --trace-itc off
list "$int_mix" nexus --strict >nexus.list
[ "$(wc -l <nexus.list)" -gt 100000 ] || fail "too little to compare"
for kind in htm htm-plain btm; do
    run "$int_mix" $kind --trace $kind.trace --trace-program $kind "${packets[@]}"
    cmp <(numbers plain.json) <(numbers $kind.json) || fail "$kind changes the run"
    ! grep -q 'pes-vp: trace:' $kind.err || fail "$kind lost something: $(cat $kind.err)"
    list "$int_mix" $kind --strict --messages $kind.messages >$kind.list
    cmp nexus.list $kind.list || fail "$kind tells other instructions than Nexus messages"
    grep -q "protocol = .e-trace." $kind.trace.toml || fail "the protocol is not in the description"
    [ $(($(stat -c %s $kind.trace) % 8)) = 0 ] || fail "$kind is not whole words"
    [ "$(grep -c '^Packet # ' $kind.messages)" = "$(sed -nE '1s/.*: ([0-9]+) packets.*/\1/p' $kind.summary)" ] ||
        fail "$kind lists other packets than it counts"
done
grep -q 'format 0, branch count' htm.messages || fail "htm predicts no branches"
! grep -q 'format 0' htm-plain.messages || fail "htm-plain has packets of format 0"
grep -q '^bpred_size = [1-9]' htm.trace.toml || fail "the sizes of the tables are not in the description"
[ "$(stat -c %s htm.trace)" -lt "$(stat -c %s htm-plain.trace)" ] || fail "htm is not shorter than htm-plain"
for quantum in 1 1000000; do
    run "$int_mix" htm_$quantum --trace htm_$quantum.trace "${packets[@]}" --set quantum=$quantum
    cmp htm.trace htm_$quantum.trace || fail "quantum $quantum changes the trace"
done

# --- Two harts, told apart by srcID ----------------------------------------------------------------
two=(--set harts=2 --set trace.fifo_bytes=4096)
run "$two_harts" two_nexus --trace two_nexus.trace --trace-itc off "${two[@]}"
run "$two_harts" two --trace two.trace "${two[@]}" "${packets[@]}"
for source in 0 1; do
    cmp <(list "$two_harts" two_nexus --strict | grep "^$source") \
        <(list "$two_harts" two --strict | grep "^$source") || fail "hart $source differs"
done

# --- A probe that is too slow -----------------------------------------------------------------------
slow=(--set trace.fifo_bytes=128 --set trace.probe_divider=60)
run "$int_mix" stalled --trace stalled.trace "${packets[@]}" "${slow[@]}"
list "$int_mix" stalled --strict >stalled.list
! grep -q '"stall_cycles": 0' stalled.json || fail "a slow probe did not hold the hart"
run "$int_mix" lossy --trace lossy.trace "${packets[@]}" "${slow[@]}" --trace-stall off
cmp <(numbers plain.json) <(numbers lossy.json) || fail "an encoder that may not stall changed the run"
grep -q 'pes-vp: trace: encoder 0 lost' lossy.err || fail "a loss is not told"
list "$int_mix" lossy >lossy.list
grep -q 'with trace_lost' lossy.summary || fail "the stream does not tell its losses"
! grep -q '  flow ' lossy.summary || fail "a loss is taken for something else: $(cat lossy.summary)"
# What is left of the listing without a loss, in its order.
awk 'NR == FNR { told[NR] = $0; count = NR; next }
    found < count && $0 == told[found + 1] { ++found }
    END { exit found < count }' lossy.list nexus.list || fail "after a loss something is told that did not happen"
[ "$(wc -l <lossy.list)" -gt 1000 ] || fail "hardly anything is left after losses"

# --- Mistakes ---------------------------------------------------------------------------------------
status=0
"$vp" run "$int_mix" --trace events.trace --trace-program events "${packets[@]}" 2>wrong.txt || status=$?
[ $status = 2 ] || fail "exit code $status for events in E-Trace"
grep -q 'expected "nexus"' wrong.txt || fail "$(cat wrong.txt)"
[ ! -e events.trace ] || fail "a refused run left a file"
cp nexus.trace wrong.trace
echo 'protocol = "e-trace"' >wrong.trace.toml
status=0
"$decode" trace wrong.trace 2>wrong.txt >/dev/null || status=$?
[ $status = 2 ] || fail "exit code $status for messages that are said to be packets"
grep -q "is no E-Trace" wrong.txt || fail "$(cat wrong.txt)"
[ "$(wc -l <wrong.txt)" = 1 ] || fail "more than a sentence: $(cat wrong.txt)"
cp htm.trace undescribed.trace
"$decode" trace undescribed.trace --elf "$int_mix" --instructions - >undescribed.list 2>undescribed.txt
grep -q 'it reads as E-Trace' undescribed.txt || fail "not said: $(cat undescribed.txt)"
"$decode" trace htm.trace --instructions - 2>described.txt | cmp - undescribed.list || fail "it reads another way without its .toml"
[ ! -s described.txt ] || fail "it says more with its .toml: $(cat described.txt)"
"$decode" trace undescribed.trace --format e-trace 2>undescribed.txt >/dev/null
[ ! -s undescribed.txt ] || fail "it says what has been said: $(cat undescribed.txt)"
cp nexus.trace undescribed.trace
"$decode" trace undescribed.trace --elf "$int_mix" --instructions - >undescribed.list 2>undescribed.txt
"$decode" trace nexus.trace --instructions - | cmp - undescribed.list || fail "messages read another way without their .toml"
echo 'protocol = "etrace"' >wrong.trace.toml
status=0
"$decode" trace wrong.trace 2>wrong.txt >/dev/null || status=$?
[ $status = 2 ] || fail "exit code $status for a protocol that does not exist"
grep -q nexus wrong.txt || fail "a protocol that does not exist: $(cat wrong.txt)"
