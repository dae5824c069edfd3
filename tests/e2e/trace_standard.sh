#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: trace_standard.sh PES_VP PES_DECODE FIRMWARE_DIRECTORY NM WORK_DIRECTORY
# The registers of the Trace Control Interface 1.0, driven by the traced program and by run --trace:
# what is decoded is what the program has done, losses are told, bad use stops nothing.
set -euo pipefail
vp=$1 decode=$2 firmware=$3 nm=$4 work=$5
rm -rf "$work"
mkdir -p "$work/files"
cd "$work"
standard=(--set trace.registers=standard)

fail() {
    echo "trace_standard.sh: $1" >&2
    exit 1
}

# --- One hart: SRAM, memory, wrap, stop on wrap -----------------------------------------------------
sinks=$firmware/trace_standard_sinks.elf
"$vp" run "$sinks" "${standard[@]}" --guest-files files 2>sinks.err || fail "exit code $? of the sinks"
# What the program writes to its stimulus at the end of work(): the CRC of standard_sinks.cpp.
crc() { # turns
    local turns=$1 value=$1 turn step
    for ((turn = 0; turn < turns; ++turn)); do
        value=$(((value + turn) & 0xFFFFFFFF))
        for ((step = 0; step < 8 + turn % 5; ++step)); do
            value=$((value & 1 ? value >> 1 ^ 0xEDB88320 : value >> 1))
        done
    done
    printf '0x%08x' "$value"
}
entry=$("$nm" -C "$sinks" | awk '/::fold\(/ { print "0x" substr($1, 9) }')
decoded() { # name options...
    local name=$1
    shift
    "$decode" trace "files/$name.rtd" --elf "$sinks" --timestamps n-trace --messages "$name.messages" \
        --instructions "$name.instructions" "$@" >"$name.summary"
}
for name in sram memory; do
    decoded $name --strict
    calls=$(awk -v entry="$entry" '$2 == entry' $name.instructions | wc -l)
    [ "$calls" = 20 ] || fail "$calls calls of fold() in $name, expected 20"
    grep -q "idTag: 0x00000018 Data: $(crc 20)" $name.messages || fail "no $(crc 20) in $name"
    [ $(($(stat -c %s files/$name.rtd) % 8)) = 0 ] || fail "$name is not whole words"
done
decoded wrapped --wrapped
grep -q "idTag: 0x00000018 Data: $(crc 200)" wrapped.messages || fail "no $(crc 200) after the wrap"
decoded stopped --stopped
grep -q 'SYNC (9)' stopped.summary || fail "the full buffer has no beginning"
! grep -q 'idTag' stopped.messages || fail "the full buffer has the end"
for name in wrapped stopped; do
    [ "$(stat -c %s files/$name.rtd)" = 256 ] || fail "$name is not the whole buffer"
done
grep -q 'the sink of encoder 0 was off or full: [1-9][0-9]* bytes lost' sinks.err || fail "no loss told"

# --- Two harts and a funnel -------------------------------------------------------------------------
funnel=$firmware/trace_standard_funnel.elf
"$vp" run "$funnel" "${standard[@]}" --set harts=2 --guest-files files 2>funnel.err ||
    fail "exit code $? of the funnel"
for name in both one; do
    "$decode" trace files/$name.rtd --elf "$funnel" --timestamps n-trace --src-bits 1 --strict \
        --messages $name.messages >$name.summary
done
sent() { # name source
    grep -c "Src: $2,.*idTag: 0x00000018 Data: 0xc0de000$2" "$1.messages" || true
}
[ "$(sent both 0) $(sent both 1)" = '1 1' ] || fail "not both harts: $(cat both.summary)"
[ "$(sent one 0) $(sent one 1)" = '1 0' ] || fail "not hart 0 alone: $(cat one.summary)"
grep -q 'funnel 0 or an input of it was off and dropped [1-9][0-9]* messages' funnel.err ||
    fail "dropped messages are not told: $(cat funnel.err)"

# --- Bad use ----------------------------------------------------------------------------------------
timeout 100 "$vp" run "$firmware/trace_standard_misuse.elf" "${standard[@]}" 2>misuse.err ||
    fail "exit code $? of the misuse"

# --- run --trace: the same instructions as with SiFive's registers ----------------------------------
run() { # name program options...
    local name=$1 program=$2 registers status
    shift 2
    for registers in sifive standard; do
        status=0
        "$vp" run "$firmware/$program.elf" --max-cycles 300000 --set trace.registers=$registers \
            --trace "$name.$registers.rtd" "$@" 2>"$name.err" || status=$?
        [ $status = 0 ] || [ $status = 124 ] || fail "exit code $status: $(cat "$name.err")"
        "$decode" trace "$name.$registers.rtd" --strict --instructions $registers.txt >summary
        # without the times: a probe and a memory sink are not equally fast
        sed -E '/^#/d; s/^(\[[0-9]+\] )?[0-9]+ /\1/' $registers.txt | sort -s -k1,1 >"$name.$registers"
    done
    [ "$(wc -l <"$name.standard")" -gt 1000 ] || fail "no instructions of $name"
    cmp "$name.sifive" "$name.standard" || fail "other instructions of $name"
}
run history bench_fp_matmul
run branches bench_fp_matmul --trace-program btm
run plain bench_fp_matmul --trace-program htm-plain
run small_fifo bench_fp_matmul --set trace.fifo_bytes=128
run harts harts_counters_2 --set harts=2
run funnels harts_counters_2 --set harts=2 --set trace.funnel.count=2
grep -q 'timestamps = .n-trace.' history.standard.rtd.toml || fail "the file beside the trace"

# --- What a user can get wrong ----------------------------------------------------------------------
refused() { # text settings...
    local text=$1 status=0
    shift
    "$vp" run "$sinks" "$@" 2>refused.txt || status=$?
    [ "$status" = 2 ] || fail "exit code $status for $*"
    grep -q -- "$text" refused.txt || fail "no '$text' for $*: $(cat refused.txt)"
}
refused 'expected one of sifive, standard' --set trace.registers=v1
refused 'does not fit trTsWidth' "${standard[@]}" --set trace.timestamp_bits=64
refused 'the address map overlaps' "${standard[@]}" --set trace.ram_sink.base=0x11000000
refused 'the address map overlaps' "${standard[@]}" --set trace.port.base=0x80000000
