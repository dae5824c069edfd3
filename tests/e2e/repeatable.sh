#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: repeatable.sh PES_VP PROGRAM WORK_DIRECTORY
# The same input gives the same bytes: two runs agree in statistics (host time aside), samples and
# waveform. And nobody who watches changes what is watched: a run with a waveform, with the exact
# histogram or with another quantum gives the statistics and samples of a run without.
set -euo pipefail
vp=$1 program=$2 work=$3
rm -rf "$work"
mkdir -p "$work"

run() { # name options...
    local name=$1
    shift
    "$vp" run "$program" --console "$work/$name.console" --samples "$work/$name.samples" \
        --stats "$work/$name.stats" "$@"
    sed -E '/"(host_seconds|mips)"/d; /"host_path"/,$d' "$work/$name.stats" >"$work/$name.json"
}
same() { # kind a b
    cmp "$work/$2.$1" "$work/$3.$1"
}

run plain
run again
window=(--vcd-from 60000 --vcd-to 90000)
run wave --vcd "$work/wave.vcd" "${window[@]}"
run wave_again --vcd "$work/wave_again.vcd" "${window[@]}"
run truth --truth "$work/truth.csv"
run short_quantum --set quantum=1
run long_quantum --set quantum=1000000

for other in again wave wave_again truth short_quantum long_quantum; do
    for kind in json samples console; do
        same $kind plain $other
    done
done
same vcd wave wave_again
grep -q '\$enddefinitions' "$work/wave.vcd"
test -s "$work/plain.samples"
