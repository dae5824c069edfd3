#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: trace_events.sh PES_VP PES_DECODE WORKLOAD_PROGRAM TWO_HARTS_PROGRAM WORK_DIRECTORY
# The event text files of an event trace have the calls, returns and traps that the instruction flow
# finds in a history trace of the same run, and every other event that the messages have.
set -euo pipefail
vp=$1 decode=$2 workload=$3 two_harts=$4 work=$5
rm -rf "$work"
mkdir -p "$work/events"
cd "$work"

fail() {
    echo "trace_events.sh: $1" >&2
    exit 1
}
run() { # kind
    "$vp" run "$workload" --max-cycles 3000000 --trace "$1.rtd" --trace-program "$1" \
        >/dev/null 2>"$1.err" || [ $? = 124 ]
}
run events
run htm
"$decode" trace events.rtd --elf "$workload" --strict --events --fixed --json-lines events.json >/dev/null
"$decode" trace htm.rtd --elf "$workload" --strict --statistics htm.txt >/dev/null

# --- Each file has its events, in the order of the file with all -------------------------------------
all=workload.events
[ "$(head -1 $all)" = "# ELFPATH=$workload" ] || fail "the head is '$(head -1 $all)'"
lines() { # of events
    tail -n +2 "events/workload.$1" | wc -l
}
part() { # file pattern
    cmp <(tail -n +2 "events/workload.$1") <(grep -E "^\[0\] [0-9]+ \[($2)\] PC=0x" $all) ||
        fail "events/workload.$1 is not that part of $all"
    [ "$(head -1 "events/workload.$1")" = "# ELFPATH=$workload" ] || fail "head of $1"
}
part control Control
part callret 'Call|Return|Exception Return'
part exception Exception
part interrupt Interrupt
part privcontext PrivContext
part periodic 'PC Sample'
[ "$(ls events)" = "$(printf 'workload.%s\n' callret control exception interrupt periodic \
    privcontext)" ] || fail "files: $(ls events)"
! grep -v '^# ' $all | grep -vq ' ffl:.*:.*:[0-9]*$' || fail "a line without a place"

# --- As many as the instruction flow finds ---------------------------------------------------------
flow() { # expression
    sed -nE "s/^ *$1\$/\\1/p" htm.txt
}
count() { # label
    grep -c "\[$1\] PC=" events/workload.callret
}
[ "$(count Call)" = "$(flow 'calls +([0-9]+)')" ] || fail "$(count Call) calls"
[ "$(count Return)" = "$(flow 'returns +([0-9]+)')" ] || fail "$(count Return) returns"
traps=$(($(lines exception) + $(lines interrupt)))
[ $traps = "$(flow 'traps .*either ([0-9]+)')" ] || fail "$traps traps"
for kind in control exception interrupt privcontext:context periodic:pc-sample; do
    in_json=$(grep -c "\"kind\":\"${kind#*:}\"" events.json)
    [ "$(lines ${kind%:*})" = "$in_json" ] || fail "$in_json events $kind"
done

# --- As published, only calls and returns in messages with sync are wrong: the direct call leads to
# itself, the others are missing ----------------------------------------------------------------------
mkdir published
"$decode" trace events.rtd --elf "$workload" --events --output-dir published >/dev/null
diff published/$all $all >changed || true
grep '^<' changed | grep -v '\[Call\] PC=\(0x[0-9a-f]*\) PCDest=\[\1\]' >wrong || true
grep '^>' changed | grep -Ev '\[(Call|Return)\] PC=' >>wrong || true
[ ! -s wrong ] || fail "--fixed changes $(head -1 wrong)"
[ "$(grep -c '^>' changed)" -gt 5 ] || fail "no call or return was with sync"

# --- Counters behind events: they change nothing else but which call has a sync, and together they
# count all cycles -------------------------------------------------------------------------------------
"$vp" run "$workload" --max-cycles 3000000 --trace counters.rtd --trace-program events \
    --trace-counters >/dev/null 2>counters.err || [ $? = 124 ]
mkdir counted
"$decode" trace counters.rtd --elf "$workload" --strict --events --fixed --output-dir counted \
    --messages counters.txt >/dev/null
for file in callret periodic; do
    cmp events/workload.$file <(grep -v PPCx8 counted/events/workload.$file) ||
        fail "counters change the events in $file"
done
# Before sampling starts: the firmware stops mcycle while it is set up and in the handler.
awk -F 'Tics: ' '$2 + 0 < 100000' counters.txt >before.txt
sum() { # file, counter
    local total=0 value
    while read -r value; do
        total=$((total + value))
    done < <(grep -o " $2=0x[0-9a-f]*" "$1" | cut -d= -f2)
    echo $total
}
number=$(grep -c ppcEvent: before.txt)
cycles=$(sum before.txt 0) # each since the message before
instructions=$(sum before.txt 1)
time=$(grep ppcEvent: before.txt | tail -1 | sed 's/.*Tics: \([0-9]*\),.*/\1/')
[ "$number" -gt 100 ] || fail "$number messages of counters"
[ "$cycles" -le "$time" ] && [ "$cycles" -ge $((time - 100)) ] || fail "$cycles cycles by $time"
[ "$instructions" -le "$cycles" ] && [ "$instructions" -ge $((cycles / 10)) ] ||
    fail "$instructions instructions in $cycles cycles"
[ "$(sum counters.txt 0)" -gt "$cycles" ] || fail "no cycles behind these"
! "$vp" run "$workload" --trace x.rtd --trace-counters 2>refused.txt || fail "no events asked for"
grep -q 'needs --trace-program events' refused.txt || fail "$(cat refused.txt)"

# --- Two harts ---------------------------------------------------------------------------------------
"$vp" run "$two_harts" --set harts=2 --set trace.fifo_bytes=4096 --trace two.rtd \
    --trace-program events >/dev/null 2>&1
"$decode" trace two.rtd --elf "$two_harts" --src-bits 1 --strict --events >/dev/null
two=$(basename "$two_harts" .elf).events
for hart in 0 1; do
    grep -q "^\[$hart\] [0-9]* \[Call\] PC=0x" "$two" || fail "no calls of hart $hart"
    grep -q "^\[$hart\] [0-9]* \[Control\] PC=0x[0-9a-f]* Control=\[2:Trace On\]" "$two" ||
        fail "no start of hart $hart"
done
