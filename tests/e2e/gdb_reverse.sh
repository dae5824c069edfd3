#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: gdb_reverse.sh PES_VP PROGRAM_ON_ONE_HART PROGRAM_ON_TWO_HARTS USER_PROGRAM WORK_DIRECTORY
# gdb goes back (tests/guest/bare/debugged.cpp): to each instruction as it was seen on the way there,
# to breakpoints, to who wrote a variable, to the beginning; a run that has gone back and on again is
# the run without gdb; no process is left behind.
set -euo pipefail
vp=$1 one=$2 two=$3 user=$4 work=$5
# shellcheck source=tests/e2e/gdb_run.sh
source "$(dirname "${BASH_SOURCE[0]}")/gdb_run.sh"

left() { # name: processes of the run, which has the name in its command line
    pgrep -f -- "--gdb unix:$1.sock --stats $1.stats" || true
}

ended() { # name, exit code of the run, which leaves nobody behind
    local code=0
    wait "$run" || code=$?
    [[ $code == "$2" ]] || { cat "$1.err"; fail "$1: exit code $code, expected $2"; }
    [[ -z $(left "$1") ]] || fail "$1: processes are left"
}

same() { # two names: whether their outputs are the same
    cmp <(results "$1") <(results "$2") || fail "$2: another run"
    local file
    for file in "$1".truth* "$1".trace "$1".vcd "$1".pipe "$1".crossings* "$1".samples "$1".shown; do
        [[ ! -e $file ]] || cmp "$file" "$2${file#"$1"}" || fail "$2: another file than $file"
    done
}

# --- Each instruction, forwards and backwards ---------------------------------------------------

show='printf "at %lx %lx %lx %lx %lx %lx\n", $pc, $sp, $a0, $a4, $a5, $minstret'
for harts in 1 2; do
    program=$one
    [[ $harts == 1 ]] || program=$two
    for path in step fast; do
        name=steps.$harts.$path
        serve "$name" "$program" --path $path --set harts=$harts
        {
            echo "tbreak add_triple if value == 600"
            echo "continue"
            for _ in $(seq 25); do printf '%s\nstepi\n' "$show"; done
            for _ in $(seq 25); do printf 'reverse-stepi\n%s\n' "$show"; done
            for _ in $(seq 25); do printf '%s\nstepi\n' "$show"; done
            echo kill
        } | debug "$name" "$program"
        ended "$name" 130
        sed -n 's/^at //p' "$name.out" >"$name.at"
        head -25 "$name.at" >first
        sed -n 26,50p "$name.at" | tac >back
        tail -25 "$name.at" >again
        [[ $(wc -l <"$name.at") == 75 ]] || fail "$name: $(wc -l <"$name.at") steps"
        # Counters lag behind by some cycles, so those at a place may differ; the rest may not.
        cmp <(cut -d' ' -f1-5 first) <(cut -d' ' -f1-5 back) || fail "$name: another way back"
        cmp <(cut -d' ' -f1-5 first) <(cut -d' ' -f1-5 again) || fail "$name: another way on"
    done
done

# --- Breakpoints, writers, callers, the beginning -----------------------------------------------

serve back "$one"
debug back "$one" <<'END'
break add_triple if value == 700
continue
delete
print total
watch total
reverse-continue
x/i $pc
reverse-continue
print value
delete
reverse-finish
x/i $pc
break triple
reverse-continue
print value
reverse-continue
print value
tbreak *$ra
continue
reverse-stepi
info symbol $pc
delete
tbreak main
reverse-continue
reverse-continue
x/i $pc
reverse-stepi
stepi
reverse-continue
monitor cycle
continue
END
ended back 7
tells back '^\$1 = 734650' 'Old value = 734650' 'New value = 732552' 'add_triple \(value=.*699\)' \
    '=> .*sd' 'Old value = 732552' 'New value = 730457' '^\$2 = 698' '=> .*<main.*jal' \
    'Breakpoint 3, triple' '^\$3 = 697' 'Breakpoint 3, triple' '^\$4 = 696' \
    '^triple' 'main \(' 'No more reverse-execution history' '=> 0x80000000 <_start>' \
    'No more reverse-execution history' 'No more reverse-execution history' \
    'hart 0: cycle' 'exited with code 07'

# Over a call and into one, by lines.
serve lines "$one"
debug lines "$one" <<'END'
tbreak add_triple if value == 500
continue
tbreak 27
continue
reverse-next
reverse-next
info symbol $pc
print value
tbreak 27
continue
reverse-step
reverse-step
info symbol $pc
kill
END
ended lines 130
tells lines '^(main|add_triple)' '^(main|add_triple|triple)'

# --- Which hart has written ----------------------------------------------------------------------

serve writers "$two" --set harts=2
debug writers "$two" <<'END'
tbreak add_triple if value == 5
continue
print turns[0]
print turns[1]
watch turns[1]
reverse-continue
thread
delete
watch turns[0]
reverse-continue
thread
delete
break take_turn if hart == 1
reverse-continue
thread
print turns[1] < 4000
thread 1
reverse-stepi
thread 2
reverse-stepi
delete
continue
END
ended writers 7
tells writers '^\$1 = 2000' '^\$2 = 4000' 'Old value = 4000' 'New value = 3998' \
    'Current thread is 2' 'Old value = ' 'New value = ' 'Current thread is 1' 'take_turn' \
    'Current thread is 2' 'true|= 1' 'exited with code 07'

# --- A run that has gone back is the run without gdb ---------------------------------------------

outputs() { # name
    echo --truth "$1.truth" --vcd "$1.vcd" --crossings "$1.crossings" --trace "$1.trace" --pipeline "$1.pipe"
}
for harts in 1 2; do
    program=$one
    [[ $harts == 1 ]] || program=$two
    for kind in step fast outputs; do
        options=(--set harts=$harts --path $kind)
        [[ $kind != outputs ]] || options=(--set harts=$harts)
        name=alone.$harts.$kind
        code=0
        # shellcheck disable=SC2046
        "$vp" run "$program" --quiet --stats "$name.stats" "${options[@]}" \
            $([[ $kind != outputs ]] || outputs "$name") >"$name.shown" || code=$?
        [[ $code == 7 ]] || fail "$name: exit code $code"
        name=seen.$harts.$kind
        # shellcheck disable=SC2046
        serve "$name" "$program" "${options[@]}" $([[ $kind != outputs ]] || outputs "$name")
        debug "$name" "$program" <<'END'
tbreak add_triple if value == 900
continue
reverse-stepi
reverse-stepi
watch total
reverse-continue
reverse-continue
delete
reverse-finish
break take_turn
reverse-continue
reverse-continue
delete
stepi 20
reverse-stepi
tbreak add_triple if value == 1200
continue
tbreak add_triple if value == 1100
reverse-continue
reverse-next
reverse-step
break *0
reverse-continue
delete
tbreak add_triple if value == 1900
continue
continue
END
        ended "$name" 7
        tells "$name" 'value=.*900' 'Old value' 'take_turn' 'value=.*1200' 'value=.*1100' \
            'No more reverse' 'value=.*1900' 'exited with code 07'
        same "alone.$harts.$kind" "$name"
    done
done

# Under a firmware, in user mode: output to the standard output, once.
"$vp" run "$user" --quiet --stats alone.user.stats --samples alone.user.samples >alone.user.shown
[[ -s alone.user.shown ]] || fail "the program has no output"
serve seen.user "$user" --samples seen.user.samples
debug seen.user "$user" <<'END'
tbreak main
continue
hbreak *$stvec
continue
continue
continue
reverse-continue
reverse-stepi
reverse-stepi
info registers priv
delete
watch -l *(long*)($sp-16)
reverse-continue
delete
continue
END
ended seen.user 0
tells seen.user 'main' 'Breakpoint 2' 'Breakpoint 2' 'Breakpoint 2' 'priv' 'exited normally'
same alone.user seen.user

# --- What the client writes ----------------------------------------------------------------------

serve write "$one"
debug write "$one" <<'END'
break add_triple if value == 100
continue
set var total = 5
delete
break add_triple if value == 102
continue
print total
reverse-stepi
print total
break add_triple if value == 100
reverse-continue
print total
reverse-stepi
print total
delete
break add_triple if value == 102
continue
print total
delete
continue
END
ended write 7
sum() { echo $((3 * $1 * ($1 - 1) / 2 + $1)); } # of 3 n + 1 for n below $1
tells write "^\\\$1 = $((5 + $(sum 102) - $(sum 100)))" "^\\\$2 = $((5 + $(sum 102) - $(sum 100)))" \
    '^\$3 = 5$' "^\\\$4 = $(sum 100)" "^\\\$5 = $(sum 102)" 'exited with code 07'

# --- Clients that leave, runs that are ended -----------------------------------------------------

serve detached "$one"
debug detached "$one" <<'END'
tbreak add_triple if value == 900
continue
tbreak add_triple if value == 800
reverse-continue
detach
END
ended detached 7
cmp <(results alone.1.fast) <(results detached) || fail "detached: another run"

send() { printf '%s' "$1" >&"$wire"; }
await() { # text that comes
    local text='' byte
    while [[ $text != *"$1"* ]]; do
        IFS= read -r -N 1 -t 20 byte <&"$wire" || fail "no '$1' in '$text'"
        text+=$byte
    done
}
connect() { # name, options: a run on a port, which goes round for ever
    local name=$1 port=
    "$vp" run "$one" --quiet --stats "$name.stats" "${@:2}" --gdb 0 2>"$name.err" &
    run=$!
    for _ in $(seq 100); do
        port=$(sed -nE 's/.*127\.0\.0\.1:([0-9]+).*/\1/p' "$name.err")
        [[ -z $port ]] || break
        sleep 0.05
    done
    exec {wire}<>"/dev/tcp/127.0.0.1/$port"
    send '+$QStartNoAckMode#b0'
    await '$OK#9a'
    send '$M80000000,4:6f000000#2b' # hart 0 jumps to itself
    await '$OK#9a'
}
nobody() { # name: no process is left of a run on a port
    for _ in $(seq 50); do
        [[ -n $(pgrep -f -- "--stats $1.stats") ]] || return 0
        sleep 0.1
    done
    fail "$1: processes are left"
}

# Packets, with several snapshots of a run of half a second; SIGINT ends it in order.
connect signal
send '$bs#d5'
await '$T05replaylog:begin;'
send '$c#63'
sleep 0.5
printf '\003' >&"$wire"
await '$T02'
send '$bs#d5'
await '$T05'
send '$bc#c5'
await '$T05replaylog:begin;'
send '$c#63'
[[ $(pgrep -f -- "--stats signal.stats" | wc -l) -ge 3 ]] || fail "there are no snapshots"
sleep 0.2
kill -INT "$run"
code=0
wait "$run" || code=$?
[[ $code == 130 && -s signal.stats ]] || fail "signal: exit code $code"
nobody signal
exec {wire}>&-

connect killed
send '$c#63'
sleep 0.3
kill -KILL "$run"
wait "$run" 2>/dev/null || true
nobody killed
exec {wire}>&-

connect lost
send '$c#63'
sleep 0.3
exec {wire}>&-
sleep 0.5
[[ $(pgrep -f -- "--stats lost.stats" | wc -l) == 2 ]] || fail "lost: snapshots are left"
kill -TERM "$run"
code=0
wait "$run" || code=$?
[[ $code == 130 ]] || fail "lost: exit code $code"
nobody lost

# --- What excludes it ----------------------------------------------------------------------------

mkdir -p files
serve refused "$one" --guest-files files
debug refused "$one" <<'END'
tbreak add_triple
continue
reverse-stepi
x/i $pc
kill
END
ended refused 130
tells refused 'pes-vp: --guest-files excludes going back' 'No more reverse-execution history' '=> .*add_triple'
