#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: class_pins.sh PES_VP_WITH_CLASSES FIRMWARE_DIRECTORY DIRECTED_DIRECTORY WORK_DIRECTORY
# A counter block that decodes what retires from the class pins counts, on every program of these
# directories, what the pulses of the hart count.
set -euo pipefail
vp=$1 work=$4
rm -rf "$work"
mkdir -p "$work"
programs=0 differ=0
for program in "$2"/*.elf "$3"/*.elf; do
    status=0
    timeout 120 "$vp" run "$program" --counters lockstep --quiet --max-cycles 300000 \
        --console "$work/console" --lockstep-vcd "$work/lockstep.vcd" \
        --set counters.programmable=6 --set counters.width=64 --set counters.write_freezes=false \
        --set counters.sscofpmf=false </dev/null 2>"$work/messages" || status=$?
    if [[ $status == 126 ]]; then
        echo "$program:"
        cat "$work/messages"
        differ=$((differ + 1))
    elif [[ $status != 2 ]]; then # another configuration of the platform, or no program on its own
        programs=$((programs + 1))
    fi
done
echo "$programs programs, $differ with a difference"
[[ $differ == 0 && $programs -ge 40 ]]
