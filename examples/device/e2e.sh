#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: e2e.sh PES_VP_TEST_TIMER PROGRAM WORK_DIRECTORY
# A platform with the test timer: its settings, its node, its interrupt and its signals.
set -euo pipefail
vp=$1 program=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work"
fail() { echo "$1"; exit 1; }

for settings in "" "--set test_timer.cycles_per_tick=10" "--set harts=2"; do
    # shellcheck disable=SC2086 # words
    [[ $("$vp" run "$program" --quiet $settings) == "interrupt 4 in time" ]] ||
        fail "no interrupt with '$settings'"
done

"$vp" run --show-config >config.toml
for line in '[test_timer]' 'base = 0x10001000' '# first byte of the test timer (' \
    '# hart cycles for one tick (a number of cycles from 1 to 1000000)' 'source = 3'; do
    grep -qF -- "$line" config.toml || fail "--show-config lacks '$line'"
done
"$vp" run "$program" --quiet --config config.toml >again.txt || fail "its own output is refused"

refused() { # setting, part of the message
    ! "$vp" run "$program" --set "$1" 2>message.txt || fail "$1 is accepted"
    grep -qF -- "$2" message.txt || { cat message.txt; exit 1; }
}
refused test_timer.cycles_per_tick=0 'expected a number of cycles from 1 to 1000000'
refused test_timer.source=0 'interrupt source 0 belongs to uart'
refused test_timer.source=30 'there is no interrupt source 30'
refused test_timer.base=0x10000000 'the address map overlaps'
refused test_timer.sourse=1 "did you mean 'test_timer.source'?"

"$vp" run "$program" --dump-dtb tree.dtb
grep -qa 'timer@10001000' tree.dtb || fail "the device tree has no node of the timer"
"$vp" run "$program" --quiet --vcd wave.vcd --vcd-groups test_timer >/dev/null
grep -q ' irq ' wave.vcd || fail "the waveform has no signal irq"
