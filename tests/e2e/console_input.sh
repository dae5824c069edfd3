#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: console_input.sh PES_VP ECHO FIRMWARE ECHO_PAYLOAD OPENSBI_DIRECTORY rtl|no_rtl WORK_DIRECTORY
# Guests that send their console's input back: by polling and by interrupts, and by calls of both
# firmwares. A file gives the same bytes in the same cycles on both paths, however often it is read;
# a pipe gives the same bytes.
set -euo pipefail
vp=$1 echo=$2 firmware=$3 payload=$4 opensbi=$5 rtl=$6 work=$7
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
    echo "$*" >&2
    exit 1
}

{
    echo "a line that is polled"
    seq 1 200
    printf 'no end of line\x80\xff'
} >sent
{ cat sent; printf '\004never read'; } >input

run() { # name options...
    "$vp" run --quiet --max-cycles 1000000000 --stats "$1.stats" --console "$1.out" "${@:2}"
    sed -E '/"(host_seconds|mips)"/d; /"host_path"/,$d' "$1.stats" >"$1.json"
}

for harts in 1 2; do
    for path in step fast; do
        for turn in first again; do
            name=$path.$harts.$turn
            run "$name" "$echo" --console-input input --path $path --set harts=$harts
            cmp sent "$name.out" || fail "$name: another echo"
            cmp step.$harts.first.json "$name.json" || fail "$name: another run"
        done
    done
done
run quantum "$echo" --console-input input --set quantum=1
cmp step.1.first.json quantum.json || fail "the quantum changes the run"
run redirected "$echo" --console-input - <input
cmp step.1.first.json redirected.json || fail "the file as standard input is another run"

if [[ $rtl == rtl ]]; then
    run lockstep "$echo" --console-input input --counters lockstep
    run firmware.lockstep --firmware "$firmware" --kernel "$payload" --console-input input --counters lockstep
    cmp sent lockstep.out && cmp sent firmware.lockstep.out || fail "another echo in lockstep"
fi

# 115200 baud at 50 MHz: 4340 cycles a byte, and a guest that reads at once adds little to it.
bytes=$(wc -c <sent)
cycles=$(sed -n 's/^ *"cycles": \([0-9]*\).*/\1/p' step.1.first.json | head -1)
((cycles > bytes * 4340 && cycles < bytes * 4340 * 11 / 10)) ||
    fail "$bytes bytes took $cycles cycles"

{ head -c 100 input; sleep 0.3; tail -c +101 input; } | run pipe "$echo" --console-input -
cmp sent pipe.out || fail "another echo from a pipe"
mkfifo named
(sleep 0.3; cat input >named) &
run named "$echo" --console-input named
wait
cmp sent named.out || fail "another echo from a named pipe"

# Behind a checkpoint the rest of the input gives the rest of the run; nothing, where the guest sleeps for ever.
for at in 300000 2000003; do
    for path in step fast; do
        "$vp" run --quiet "$echo" --console-input input --console before.out --max-cycles $at --checkpoint-at $at saved \
            2>before.err || [[ $? == 124 ]]
        taken=$(sed -n 's/.* the guest has taken \([0-9]*\) bytes of its console.s input$/\1/p' before.err)
        ((taken > 10)) || fail "checkpoint: $(cat before.err)"
        tail -c +$((taken + 1)) input >rest
        run behind "$echo" --restore saved --console-input rest --path $path
        cat before.out behind.out | cmp - sent || fail "another echo behind a checkpoint"
        cmp step.1.first.json behind.json || fail "another run behind a checkpoint"
    done
done
code=0
"$vp" run "$echo" --restore saved --console nothing.out 2>nothing.err || code=$?
[[ $code == 125 ]] || fail "no input behind a checkpoint: exit code $code"
# And input where there was none: the guest, which looks for it, gets it.
"$vp" run --quiet "$echo" --console before.out --max-cycles 300000 --checkpoint-at 200000 saved 2>before.err || [[ $? == 124 || $? == 125 ]]
[[ -s saved ]] || fail "$(cat before.err)"
run later "$echo" --restore saved --console-input input
cmp later.out sent || fail "another echo of input that begins behind a checkpoint"

# Input that has ended: the guest sleeps for ever, which ends the run.
code=0
"$vp" run "$echo" --console-input sent --console ended.out 2>ended.err || code=$?
[[ $code == 125 ]] || fail "the end of the input: exit code $code"
cmp sent ended.out || fail "another echo of input that ends"

for path in step fast; do
    run firmware.$path --firmware "$firmware" --kernel "$payload" --console-input input --path $path
    cmp sent firmware.$path.out || fail "another echo from the firmware"
done
cmp firmware.step.json firmware.fast.json || fail "the firmware's runs differ"
if [[ $opensbi ]]; then
    run opensbi --firmware "$opensbi/fw_jump.elf" --kernel "$payload" --console-input input
    tr -d '\r' <opensbi.out | tail -c "$bytes" | cmp - sent || fail "another echo from OpenSBI"
fi

refused() { # reason options...
    local code=0
    "$vp" run "$echo" "${@:2}" >refused.out 2>refused.err || code=$?
    [[ $code == 2 && ! -s refused.out && $(wc -l <refused.err) == 1 ]] &&
        grep -qF -- "$1" refused.err || fail "${*:2}: exit code $code, $(cat refused.err)"
}
refused "--console-input missing: No such file or directory" --console-input missing
refused "--console-input .: it is a directory, expected a file" --console-input .
refused "--console-input" --console-input ''
refused "input" --console-input input --stats input
cmp step.1.first.out sent
if [[ $(id -u) != 0 ]]; then
    touch secret
    chmod 0 secret
    refused "--console-input secret: Permission denied" --console-input secret
fi
