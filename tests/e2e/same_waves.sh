#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: same_waves.sh PES_VP PROGRAM WORK_DIRECTORY
# Modelled counters and counters in RTL show the same registers, the same interrupts and the same
# captured samples, each on the same cycle; and the capture does not depend on whether the cycles
# before it were looked at one by one, as they are inside the window of group hpm.
set -euo pipefail
vp=$1 program=$2 work=$3
rm -rf "$work"
mkdir -p "$work"

wave() { # name counters options...
    local name=$1 counters=$2
    shift 2
    "$vp" run "$program" --quiet --counters "$counters" --console "$work/$name.console" \
        --samples "$work/$name.samples" --vcd "$work/$name.vcd" "$@"
}

for counters in tlm rtl lockstep; do
    wave "$counters" "$counters" --vcd-groups hpm,plic,commit,sample
    cmp "$work/tlm.vcd" "$work/$counters.vcd"
    wave "$counters.alone" "$counters" --vcd-groups sample
    cmp "$work/tlm.alone.vcd" "$work/$counters.alone.vcd"
done

# The cycles in which the capture changes, and the samples that the handler took.
changes=$(grep -c '^#[1-9]' "$work/tlm.alone.vcd")
test "$changes" -gt 4
test -s "$work/tlm.samples"
