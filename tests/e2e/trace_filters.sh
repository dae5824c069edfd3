#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: trace_filters.sh PES_VP PES_DECODE PROGRAM FUNCTION FILTERS_PROGRAM NM SUITES_DIRECTORY WORK_DIRECTORY
# Filters of a trace, in both protocols: pes-decode lists the instructions that match, by the waveform of the commit
# stage and the rule in qualified.awk, and no others; the run is the same; filters cost nothing while they are off.
set -euo pipefail
vp=$1 decode=$2 program=$3 function=$4 own=$5 nm=$6 suites=$7 work=$8
rm -rf "$work"
mkdir -p "$work"
cd "$work"
standard=(--set trace.registers=standard)
limit=200000

fail() {
    echo "trace_filters.sh: $1" >&2
    exit 1
}
run() { # name options...
    local name=$1
    shift
    "$vp" run "$program" --quiet --console console.txt --max-cycles $limit --stats "$name.json" "$@" 2>"$name.err" ||
        [ $? = 124 ] || fail "exit code $? of $name: $(cat "$name.err")"
}
numbers() {
    sed -n '/"cycles"/,/"samples"/p; /"samples"/q' "$1"
}
list() { # name: its instructions
    "$decode" trace "$1.trace" --elf "$program" --strict --instructions "$1.flow" >"$1.summary" ||
        fail "$1 is not clean: $(cat "$1.summary")"
    sed -nE 's/^[0-9]+ 0x0*([0-9a-f]+) .*/0x\1/p' "$1.flow"
}

run plain --vcd plain.vcd --vcd-groups commit "${standard[@]}"
clock=$("$vp" run "$program" --show-config | sed -n 's/^clock_hz = //p')
awk -f "$suites/commits.awk" -v detail=1 -v out=commits -v period=$((1000000000 / clock)) plain.vcd
rm plain.vcd
# The waveform has no scause: what a delegated trap is, the whole trace tells. Of the others both know.
run whole --trace whole.trace "${standard[@]}"
list whole >whole.list
sed -nE 's/^# [0-9]+ (exception|interrupt) at .*/\1/p' whole.flow >kinds
awk 'BEGIN { trap = count = 0 }
    NR == FNR { kind[count++] = $1; next }
    $1 == "trap" {
        if ($2 != "delegated" && $2 != kind[trap]) { print "trap", trap, "is no", kind[trap]; exit 1 }
        $2 = kind[trap++]
    }
    { print > "commits.told" }
    END { if (trap != count) { print trap, "traps, not", count; exit 1 } }' kinds commits.0 >differ ||
    fail "other traps in the waveform than in the whole trace: $(cat differ)"
mv commits.told commits.0
qualified() {
    awk -f "$suites/qualified.awk" "$@" commits.0
}
cmp whole.list <(qualified) || fail "another flow without filters"

check() { # name least options... -- rule...
    local name=$1 least=$2 options=() protocol kind
    shift 2
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    qualified "$@" >"$name.want"
    [ "$(wc -l <"$name.want")" -ge "$least" ] || fail "only $(wc -l <"$name.want") instructions of $name to compare"
    [ "$(wc -l <"$name.want")" -lt "$(wc -l <whole.flow)" ] || fail "$name leaves nothing out"
    for protocol in nexus e-trace; do
        for kind in htm htm-plain btm; do
            run "$name" --trace "$name.trace" "${standard[@]}" --set trace.protocol=$protocol \
                --trace-program $kind "${options[@]}"
            list "$name" >"$name.list"
            cmp "$name.want" "$name.list" || fail "$name differs in $protocol $kind"
            cmp <(numbers plain.json) <(numbers "$name.json") || fail "$name changes the run in $protocol $kind"
        done
    done
}
# The function's addresses, of the whole trace.
range=$(awk -v name="$function" '$NF == name && !/^#/ { print $2 }' whole.flow | sort -u | sed -n '1p;$p')
[ -n "$range" ] || fail "the program does not come to $function"
first=$(head -n 1 <<<"$range")
last=$(tail -n 1 <<<"$range")
behind=$(printf '0x%x' $((last + 2)))

check user 1000 --trace-mode u -- -v modes=u
check others 10000 --trace-mode s,m -- -v modes=sm
check function 200 --trace-range "$function" -- -v ranges="$first $behind"
check addresses 200 --trace-range "$first-$behind" --trace-range 0x10000-0x10100 -- \
    -v ranges="$first $behind 0x10000 0x10100"
check interrupts 1000 --trace-traps interrupts -- -v traps=interrupt
check exceptions 1000 --trace-traps exceptions -- -v traps=exception
check both 100 --trace-traps exceptions --trace-mode s -- -v traps=exception -v modes=s

# --- A full FIFO ------------------------------------------------------------------------------------
slow=(--trace slow.trace "${standard[@]}" --set trace.fifo_bytes=128 --set trace.probe_divider=60 --trace-mode "s,m"
    --trace-program btm)
for protocol in nexus e-trace; do
    run slow "${slow[@]}" --set trace.protocol=$protocol --vcd slow.vcd --vcd-groups commit
    ! grep -q '"stall_cycles": 0' slow.json || fail "a slow probe did not hold the hart in $protocol"
    awk -f "$suites/commits.awk" -v detail=1 -v out=slow -v period=$((1000000000 / clock)) slow.vcd
    awk -f "$suites/qualified.awk" -v modes=sm slow.0 >slow.want
    list slow >slow.list
    cmp slow.want slow.list || fail "a stalled trace differs in $protocol"
    run slow "${slow[@]}" --set trace.protocol=$protocol --trace-stall off
    cmp <(numbers plain.json) <(numbers slow.json) || fail "a lossy trace changes the run in $protocol"
    grep -q 'pes-vp: trace: encoder 0 lost' slow.err || fail "no loss in $protocol"
    "$decode" trace slow.trace --elf "$program" --instructions slow.flow >slow.summary
    sed -nE 's/^[0-9]+ 0x0*([0-9a-f]+) .*/0x\1/p' slow.flow >slow.list
    [ "$(wc -l <slow.list)" -gt 100 ] || fail "hardly anything is left after losses in $protocol"
    awk 'NR == FNR { told[NR] = $0; count = NR; next }
        found < count && $0 == told[found + 1] { ++found }
        END { exit found < count }' slow.list others.want || fail "$protocol tells what did not happen after a loss"
done

# --- A program that sets filters: from enter() to leave(), with a watchpoint at fold() -----------------
address() { # function
    "$nm" "$own" | sed -nE "s/^0*([0-9a-f]+) . $1\$/0x\1/p"
}
mkdir files
for protocol in nexus e-trace; do
    "$vp" run "$own" "${standard[@]}" --set trace.protocol=$protocol --guest-files files --vcd own.vcd \
        --vcd-groups commit 2>own.err || fail "exit code $? of the program: $(cat own.err)"
    awk -f "$suites/commits.awk" -v out=own -v period=$((1000000000 / clock)) own.vcd
    awk -v enter="$(address enter)" -v leave="$(address leave)" '
        $1 == enter { on = 1 }
        on { print }
        $1 == leave { on = 0 }' own.0 >own.want
    [ "$(grep -c "$(address leave)" own.want)" = 12 ] || fail "not 12 rounds"
    mv files/filters.rtd own.trace
    options=(--timestamps n-trace)
    if [ $protocol = e-trace ]; then
        options=()
        echo 'protocol = "e-trace"' >own.trace.toml
    fi
    "$decode" trace own.trace --elf "$own" "${options[@]}" --strict --instructions own.flow \
        --messages own.messages >own.summary || fail "$(cat own.summary)"
    cmp own.want <(sed -nE 's/^[0-9]+ 0x0*([0-9a-f]+) .*/0x\1/p' own.flow) || fail "a latch differs in $protocol"
    calls=$(grep -c "$(address fold)" own.want)
    if [ $protocol = nexus ]; then
        told=$(grep -c 'Reason: (6) .* F-Addr: ' own.messages)
        [ "$told" = "$calls" ] || fail "$told watchpoints of $calls"
    else # some loops are told with it too
        [ "$(grep -c notify own.messages)" -ge "$calls" ] || fail "not $calls packets with notify"
    fi
done

# --- Nothing matches --------------------------------------------------------------------------------
run nothing --trace nothing.trace "${standard[@]}" --trace-range 0x1000-0x1004
[ ! -s nothing.trace ] || fail "something was traced where nothing is"
"$vp" run "$program" --max-cycles 1000 --trace nothing.trace "${standard[@]}" --trace-range 0x1000-0x1004 2>nothing.err ||
    [ $? = 124 ]
grep -q 'no instruction matched' nothing.err || fail "no reason for an empty trace: $(cat nothing.err)"

# --- What a user can get wrong ----------------------------------------------------------------------
refused() { # text options...
    local text=$1 status=0
    shift
    rm -f refused.trace
    "$vp" run "$program" "$@" 2>refused.txt || status=$?
    [ "$status" = 2 ] || fail "exit code $status for $*"
    grep -q -- "$text" refused.txt || fail "no '$text' for $*: $(cat refused.txt)"
    [ "$(wc -l <refused.txt)" = 1 ] || fail "more than a sentence for $*: $(cat refused.txt)"
    [ ! -e refused.trace ] || fail "a refused run left a file"
}
traced=(--trace refused.trace "${standard[@]}")
refused 'expected "standard"' --trace refused.trace --trace-mode u
refused 'need --trace FILE' "${standard[@]}" --trace-mode u
refused "got 'no_such', expected a function" "${traced[@]}" --trace-range no_such
refused 'expected a START below END' "${traced[@]}" --trace-range 0x20-0x10
refused 'expected modes of u, s and m' "${traced[@]}" --trace-mode u,h
refused 'need --trace-program htm, htm-plain or btm' "${traced[@]}" --trace-mode u --trace-program events
refused 'there can be 1' "${traced[@]}" --set trace.comparators=1 --trace-range 1-2 --trace-range 3-4
refused 'a whole number from 0 to 16' "${traced[@]}" --set trace.filters=17
refused 'a whole number from 0 to 8' "${traced[@]}" --set trace.comparators=9
