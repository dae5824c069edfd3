#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: trace.sh PES_VP PES_DECODE TRACE_SINKS_PROGRAM INT_MIX_PROGRAM TWO_HARTS_PROGRAM WORK_DIRECTORY
# Stimuli through SRAM, memory and probe arrive whole; a trace is the same whatever the quantum and
# with or without a funnel; tracing changes no cycle; losses are told; options are checked.
set -euo pipefail
vp=$1 decode=$2 sinks=$3 int_mix=$4 two_harts=$5 work=$6
rm -rf "$work"
mkdir -p "$work/files"
cd "$work"

fail() {
    echo "trace.sh: $1" >&2
    exit 1
}
refused() { # text options...
    local text=$1 status=0
    shift
    "$vp" run "$sinks" "$@" 2>refused.txt || status=$?
    [ "$status" = 2 ] || fail "exit code $status for $*"
    grep -q -- "$text" refused.txt || fail "no '$text' for $*: $(cat refused.txt)"
}

# --- Each sink ------------------------------------------------------------------------------------
"$vp" run "$sinks" --guest-files files --trace probe.rtd --trace-program none --stats run.json
for name in files/sram files/memory probe; do
    "$decode" trace $name.rtd --strict --messages $name.txt >$name.summary
    # 0x7F63F334, 0xBEEF and 0 into stimulus 6: tags 0x18, 0x1A, 0x1B.
    grep -q 'idTag: 0x00000018 Data: 0x7f63f334' $name.txt || fail "word in $name"
    grep -q 'idTag: 0x0000001a Data: 0xbeef' $name.txt || fail "half-word in $name"
    grep -q 'idTag: 0x0000001b Data: 0x00$' $name.txt || fail "byte in $name"
    [ $(($(stat -c %s $name.rtd) % 8)) = 0 ] || fail "$name is not whole words"
done
says() { # name text
    "$decode" trace "$1" --itc-print - | grep -q "$2\$" || fail "'$2' is not in $1"
}
says files/sram.rtd 'into SRAM'
says files/memory.rtd 'into memory'
says probe.rtd 'through the probe'
grep -q 'timestamps = .sifive.' probe.rtd.toml
grep -q 'timestamp_bits = 40' probe.rtd.toml
grep -q 'source_bits = 0' probe.rtd.toml
grep -q 'clock_hz = 50000000' probe.rtd.toml
crc32=$(gzip -c probe.rtd | tail -c 8 | od -An -tx4 -N4 | sed 's/^ *0*//') # in gzip's trailer
grep -q "^crc32 = 0x$crc32\$" probe.rtd.toml || fail "the checksum is not gzip's, $crc32"

# --- Who watches changes nothing -------------------------------------------------------------------
limit=(--max-cycles 200000)
run() { # name options...
    local name=$1
    shift
    "$vp" run "$int_mix" "${limit[@]}" --trace "$name.rtd" --stats "$name.json" "$@" 2>"$name.err" ||
        [ $? = 124 ]
}
"$vp" run "$int_mix" "${limit[@]}" --stats plain.json 2>/dev/null || [ $? = 124 ]
numbers() {
    sed -n '/"cycles"/,/"samples"/p; /"samples"/q' "$1"
}
for kind in htm htm-plain btm events none; do
    run $kind --trace-program $kind
    cmp <(numbers plain.json) <(numbers $kind.json) || fail "$kind changes the run"
    "$decode" trace $kind.rtd --strict >/dev/null || fail "$kind does not decode"
    ! grep -q 'pes-vp: trace:' $kind.err || fail "$kind lost something: $(cat $kind.err)"
done
for quantum in 1 1000000; do
    run btm_$quantum --trace-program btm --set quantum=$quantum
    cmp btm.rtd btm_$quantum.rtd || fail "quantum $quantum changes the trace"
done
for funnels in 1 2; do
    run funnel_$funnels --trace-program btm --set trace.funnel.count=$funnels
    cmp btm.rtd funnel_$funnels.rtd || fail "$funnels funnels change the trace"
done

# --- Two harts through the funnel -------------------------------------------------------------------
# They wait for each other in loops of a few instructions; every turn of such a loop is a message of
# branch trace, and the FIFOs have to hold a burst of both.
roomy=(--set trace.fifo_bytes=4096)
"$vp" run "$two_harts" --set harts=2 --stats two.json
for kind in htm btm events; do
    for again in 1 2; do
        "$vp" run "$two_harts" --set harts=2 "${roomy[@]}" --stats two_$kind.json \
            --trace two_$kind.$again.rtd --trace-program $kind 2>two.err
    done
    cmp two_$kind.1.rtd two_$kind.2.rtd || fail "$kind of two harts is not repeatable"
    cmp <(numbers two.json) <(numbers two_$kind.json) || fail "$kind changes a run of two harts"
    ! grep -q 'pes-vp: trace:' two.err || fail "$kind of two harts lost something: $(cat two.err)"
    "$decode" trace two_$kind.1.rtd --src-bits 1 --strict >two.summary
    grep -q 'source 0' two.summary
    grep -q 'source 1' two.summary
done
grep -q 'source_bits = 1' two_btm.1.rtd.toml

# --- A probe that is too slow: the hart waits, or messages are lost and said to be ------------------
slow=(--set trace.fifo_bytes=128 --set trace.probe_divider=20 --trace-program btm)
run stalled "${slow[@]}"
"$decode" trace stalled.rtd --strict >/dev/null || fail "a stalled trace does not decode"
! grep -q 'pes-vp: trace:' stalled.err || fail "a stalling encoder lost something"
! grep -q '"stall_cycles": 0' stalled.json || fail "a slow probe did not hold the hart"
run lossy "${slow[@]}" --trace-stall off
cmp <(numbers plain.json) <(numbers lossy.json) || fail "an encoder that may not stall changed the run"
grep -q 'pes-vp: trace: encoder 0 lost' lossy.err || fail "a loss is not told"
number() { # key of the first encoder
    sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" lossy.json | head -1
}
# An overflow costs the message that found no room and the one that would have ended it, which is
# tried with each instruction.
[ "$(number lost)" -le $((2 * $(number overflows))) ] || fail "retries are counted as lost"
"$decode" trace lossy.rtd >lossy.summary
grep -q 'ERROR (8)' lossy.summary || fail "the stream does not tell its losses"
run source_bits --trace-program btm --set trace.source_bits=3
"$decode" trace source_bits.rtd --src-bits 3 --strict >/dev/null
grep -q 'source_bits = 3' source_bits.rtd.toml
run n_trace --trace-program btm --set trace.timestamps=n-trace --set trace.timestamp_bits=64
"$decode" trace n_trace.rtd --timestamps n-trace --strict >/dev/null
grep -q 'timestamps = .n-trace.' n_trace.rtd.toml

"$vp" run "$sinks" --guest-files files 2>unread.err || fail "without --trace"
grep -q 'left through a probe that nobody reads' unread.err || fail "unread bytes are not told"

# --- Mistakes ---------------------------------------------------------------------------------------
refused 'need --trace FILE' --trace-program btm
refused 'trace.enabled = true' --trace t.rtd --set trace.enabled=false
refused "expected a directory" --guest-files run.json
refused '--trace-program' --trace t.rtd --trace-program everything
refused 'multiple of' --set trace.burst_bytes=36
refused 'more than half' --set trace.fifo_bytes=100
refused 'excludes --trace-counters' --trace t.rtd --trace-program events --trace-counters --path fast
[ ! -e t.rtd ] || fail "a refused run left a file"
