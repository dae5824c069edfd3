#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: gdb.sh PES_VP PROGRAM_ON_ONE_HART PROGRAM_ON_TWO_HARTS USER_PROGRAM WORK_DIRECTORY
# gdb on bare-metal programs (tests/guest/bare/debugged.cpp) and on one in user mode under Sv39: what
# it shows, what the user can do, and that a run that is only looked at is the run without it.
set -euo pipefail
vp=$1 one=$2 two=$3 user=$4 work=$5
# shellcheck source=tests/e2e/gdb_run.sh
source "$(dirname "${BASH_SOURCE[0]}")/gdb_run.sh"

ended() { # name, exit code of the run
    local code=0
    wait "$run" || code=$?
    [[ $code == "$2" ]] || { cat "$1.err"; fail "$1: exit code $code, expected $2"; }
}

# --- One hart: functions, variables, registers, steps, watches ----------------------------------

serve look "$one"
debug look "$one" <<'END'
info registers pc
x/i $pc
break triple
continue
bt
print value
info registers mcycle mstatus priv misa
print $mcycle > 0 && $minstret > 0
finish
watch total
continue
step
rwatch never_read
awatch turns
delete
tbreak add_triple if value == 1500
continue
delete
stepi
next
print/x never_read
set var never_read = 0xabcd
print/x never_read
print total
info threads
monitor cycle
monitor phys on
x/wx &never_read
monitor phys off
monitor nonsense
print $fa0
print $pmpcfg0
continue
END
ended look 7
tells look '^pc +0x80000000' '_start' 'Breakpoint 1 at' 'Breakpoint 1, triple \(value=.*0\)' \
    '#0 +triple' '#1 .* in add_triple' '#2 .* in main' '^\$1 = 0$' \
    'mcycle +0x[1-9a-f]' 'mstatus' 'priv .*prv:3' 'misa .*RV64' '^\$2 = true' \
    'Value returned is \$3 = 1' 'Hardware watchpoint 2: total' \
    'Old value = 0' 'New value = 1' 'Hardware read watchpoint 3' 'Hardware access' \
    'Temporary breakpoint 5, add_triple \(value=.*1500\)' \
    '^\$4 = 0x12345678' '^\$5 = 0xabcd' '^\$6 = 3374250' 'Thread 1 \(machine mode\)' 'hart 0: cycle [0-9]+' \
    'physical ones' '0x0000abcd' 'of the hart' "there is no command 'nonsense'" \
    'exited with code 07'

# Loads, stores and both, with the instructions that make them.
serve watch "$two" --set harts=2
debug watch "$two" <<'END'
watch turns[1]
continue
delete
awatch turns[0]
continue
continue
delete
rwatch turns[0]
continue
kill
END
ended watch 130
tells watch 'Old value = 0' 'New value = 2' 'main \(hart=1\)' 'turns\[0\]' 'Value = ' \
    'Old value = ' 'New value = ' 'read watchpoint' 'Value = ' 'killed'

# --- Two harts: threads -------------------------------------------------------------------------

serve threads "$two" --set harts=2
debug threads "$two" <<'END'
break take_turn if hart == 1
continue
info threads
thread 1
info registers mhartid
thread 2
info registers mhartid
stepi
info threads
delete
continue
END
ended threads 7
tells threads 'take_turn \(hart=.*1\)' 'Thread 1 ' 'Thread 2 ' 'mhartid +0x0' 'mhartid +0x1' \
    'exited with code 07'

# gdb keeps the registers of a thread that it takes to stand still, and is told that it does not; that this
# thread comes to a breakpoint must not be an event for it.
serve locked "$two" --set harts=2 --set quantum=20
debug locked "$two" <<'END'
break take_turn if hart == 1
continue
delete
set scheduler-locking on
thread 1
set $before = $mcycle
thread 2
stepi 100
thread 1
maintenance flush register-cache
print $mcycle > $before
kill
END
ended locked 130
tells locked "harts share time.*'maintenance flush register-cache'" '^\$1 = true|^\$1 = 1'
[[ $(grep -c 'harts share time' locked.out) == 1 && $(grep -c 'has gone on past a breakpoint' locked.out) == 1 ]] ||
    fail "locked: not told once"

# --- A run that is only looked at ---------------------------------------------------------------

for harts in 1 2; do
    program=$one
    [[ $harts == 1 ]] || program=$two
    for path in step fast; do
        name=alone.$harts.$path
        code=0
        "$vp" run "$program" --quiet --path $path --set harts=$harts --stats "$name.stats" || code=$?
        [[ $code == 7 ]] || fail "$name: exit code $code"
        name=seen.$harts.$path
        serve "$name" "$program" --path $path --set harts=$harts
        debug "$name" "$program" <<'END'
break never_called
break triple
continue
continue
continue
stepi 30
next
finish
watch total
continue
continue
delete
break add_triple if value == 700
continue
info all-registers
x/64x $sp
x/2x 0x10000000
delete
awatch total
continue
detach
END
        ended "$name" 7
        tells "$name" 'Breakpoint 2, triple' 'watchpoint' 'value=.*700' 'detached'
        cmp <(results "alone.$harts.$path") <(results "$name") || fail "$name: another run"
    done
done

# The same under a firmware and a kernel: modes, address translation, traps, samples.
"$vp" run "$user" --quiet --stats alone.user.stats --truth alone.truth --samples alone.samples >alone.user.out
serve seen.user "$user" --truth seen.truth --samples seen.samples --console seen.console
debug seen.user "$user" <<'END'
break main
continue
info registers priv
x/2i $pc
x/4gx $sp - 64
stepi 100
watch -l *(long*)($sp+8)
continue
continue
delete
hbreak *$stvec
hbreak *($mtvec & ~3)
continue
info registers priv scause
stepi 40
continue
continue
delete
break *$pc
continue
continue
monitor phys on
x/4gx 0x80000000
monitor phys off
detach
END
ended seen.user 0
tells seen.user 'Breakpoint 1, main' 'prv:0' '=> 0x' 'watchpoint 2' 'Breakpoint [34]' 'prv:[13]' \
    'Breakpoint 5' 'physical' '0x80000000' 'detached'
cmp <(results alone.user) <(results seen.user) || fail "user mode: another run"
cmp alone.truth seen.truth || fail "user mode: another exact profile"
cmp alone.samples seen.samples || fail "user mode: other samples"
cmp alone.user.out seen.console || fail "user mode: another output"

# --- Monitor, and checkpoints at a breakpoint ---------------------------------------------------

for harts in 1 2; do
    program=$one
    [[ $harts == 1 ]] || program=$two
    name=monitor.$harts
    code=0
    "$vp" run "$program" --quiet --set harts=$harts --truth whole.truth --stats whole.stats || code=$?
    [[ $code == 7 ]] || fail "$name: exit code $code"
    serve "$name" "$program" --set harts=$harts --truth "$name.truth"
    debug "$name" "$program" <<'END'
break add_triple if value == 700
continue
monitor counters
monitor truth 3
monitor truth many
monitor checkpoint at.ckpt
monitor checkpoint other.ckpt
delete
break add_triple if value == 1700
continue
monitor checkpoint
monitor checkpoint /no/such/directory/a.ckpt
monitor checkpoint late.ckpt
kill
END
    ended "$name" 130
    tells "$name" 'value=.*700' '[1-9][0-9]* +mcycle' '[1-9][0-9]* +minstret' 'events since reset' \
        '[1-9][0-9]* +branch$' '[1-9][0-9]* cycles +2000 times +M 0x8[0-9a-f]* .*take_turn' \
        "truth got 'many'" 'at.ckpt: will be saved' 'another checkpoint is due first' \
        'at.ckpt: saved in cycle' 'value=.*1700' 'checkpoint got nothing' 'no/such' \
        'late.ckpt: will be saved' 'killed'
    grep -q "late.ckpt: no checkpoint, because the run has ended" "$name.err" || fail "$name: late.ckpt"
    [[ ! -e late.ckpt && ! -e other.ckpt ]] || fail "$name: a file that was not asked for"
    code=0
    "$vp" run "$program" --quiet --set harts=$harts --truth rest.truth --stats rest.stats \
        --restore at.ckpt || code=$?
    [[ $code == 7 ]] || fail "$name: exit code $code behind the checkpoint"
    cmp <(results whole) <(results rest) || fail "$name: another rest"
    cmp whole.truth rest.truth || fail "$name: another exact profile"
    serve again.$harts "$program" --set harts=$harts --truth again.truth --restore at.ckpt
    debug again.$harts "$program" <<'END'
print total
break triple
continue
print value
delete
continue
END
    ended again.$harts 7
    tells again.$harts '^\$1 = [1-9]' 'triple' '^\$2 = [1-9]' 'exited with code 07'
    [[ $harts == 2 ]] || tells again.$harts '^\$1 = 734650$' 'triple' '^\$2 = 700$' # sum of 3 n + 1
    cmp <(results whole) <(results again.$harts) || fail "$name: another rest with gdb"
done
serve refused "$one"
debug refused "$one" <<'END'
monitor truth
monitor checkpoint missing/refused.ckpt
kill
END
ended refused 130
tells refused 'expected the option --truth' 'missing/refused.ckpt.*No such file or directory'

# --- The wire: interrupt, a second client, a client that goes away ------------------------------

send() { printf '%s' "$1" >&"$wire"; }
await() { # text that comes
    local text='' byte
    while [[ $text != *"$1"* ]]; do
        IFS= read -r -N 1 -t 20 byte <&"$wire" || fail "no '$1' in '$text'"
        text+=$byte
    done
}

"$vp" run "$one" --quiet --gdb 0 2>port.err &
run=$!
for _ in $(seq 100); do
    port=$(sed -nE 's/.*127\.0\.0\.1:([0-9]+).*/\1/p' port.err)
    [[ -z $port ]] || break
    sleep 0.05
done
exec {wire}<>"/dev/tcp/127.0.0.1/$port"
send '$?#3f'
await '+$T05'
send '$bad#00'
await '-'
! (exec {second}<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || fail "a second client was let in"
send '+$QStartNoAckMode#b0'
await '$OK#9a'
# The loop that sleeps for ever: hart 0 jumps to itself.
send '$M80000000,4:6f000000#2b'
await '$OK#9a'
send '$c#63'
sleep 0.3
printf '\003' >&"$wire"
await '$T02'
exec {wire}>&-
sleep 0.2
kill -INT "$run"
code=0
wait "$run" || code=$?
[[ $code == 130 ]] || fail "lost client: exit code $code"

# --- Mistakes -----------------------------------------------------------------------------------

mistake() { # sentence, options
    local code=0
    "$vp" run "$one" --quiet "${@:2}" 2>mistake.err || code=$?
    [[ $code == 2 && $(wc -l <mistake.err) == 1 ]] || { cat mistake.err; fail "${*:2}: exit code $code"; }
    grep -q -e "$1" mistake.err || { cat mistake.err; fail "${*:2}: another sentence"; }
}
mistake "expected a port from 0 to 65535" --gdb many
mistake "expected a port from 0 to 65535" --gdb 65536
mistake "expected localhost" --gdb 0.0.0.0:1234
mistake "expected a path" --gdb unix:
mistake "cannot listen on /" --gdb unix:/
"$vp" run "$one" --quiet --gdb unix:taken.sock 2>taken.err &
run=$!
while [[ ! -S taken.sock ]]; do sleep 0.05; done
mistake "cannot listen on taken.sock" --gdb unix:taken.sock
kill -INT "$run"
wait "$run" || true
[[ ! -e taken.sock ]] || fail "the socket is still there"
