#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Which folder may include which: docs/architecture.md, "Rooms". Usage: rooms.sh SOURCE_DIRECTORY
set -euo pipefail
cd "$1"
failed=0

forbid() { # folder, what its files must not include
    if grep -rnE "^#include [\"<]($2)" "$1" --include='*.h' --include='*.cpp'; then
        echo "$1 must not include $2"
        failed=1
    fi
}

others='tb/|tests/'
models='core|hpm|pdis|irq|bus|uart|finisher|virtio|trace'
forbid hw/interface "hw/(common|$models)/|systemc|tlm|spdlog"
forbid hw/common "hw/($models)/"
for device in pdis irq uart finisher virtio; do
    forbid hw/$device "hw/($(sed "s/$device|//" <<<"$models"))/|systemc|tlm"
done
forbid firmware "hw/(common|$models)/|platform/|decoder/|$others"
forbid hw "platform/|decoder/|$others"
forbid platform "decoder/|$others"
for room in host share program profile report; do # for every host program
    forbid platform/$room "platform/(config|boot|checkpoint|exec|gdb|soc|sampling|cli)/|hw/(core|pdis|irq|bus|uart|finisher|virtio|trace)/|systemc|tlm"
done
forbid platform/host "platform/(share|program|profile|report)/"
forbid platform/share "platform/(program|profile|report|checkpoint)/"
forbid platform/program "platform/(share|profile|report)/"
forbid platform/profile "platform/report/"
forbid platform/config "platform/(boot|checkpoint|exec|gdb|soc|sampling|cli)/|systemc|tlm"
forbid platform/boot "platform/(checkpoint|exec|gdb|soc|sampling|cli)/|systemc|tlm"
forbid platform/checkpoint "platform/(config|boot|exec|gdb|soc|sampling|cli)/|hw/($models)/|systemc|tlm"
forbid platform/gdb "platform/(program|profile|report|config|boot|checkpoint|exec|soc|sampling|cli)/|hw/(common|$models)/|systemc|tlm"
forbid platform/history "platform/(share|program|profile|report|config|boot|checkpoint|exec|gdb|soc|sampling|cli)/|hw/(common|$models)/|systemc|tlm"
forbid platform/exec "platform/(config|boot|gdb|soc|sampling|cli)/|systemc|tlm"
forbid platform/soc "platform/(exec|kit|sampling|cli)/"
forbid platform/kit "platform/(checkpoint|exec|gdb|history|program|profile|report|share|sampling|cli)/"
forbid platform/sampling "platform/cli/|systemc|tlm"
forbid decoder "platform/(config|boot|checkpoint|gdb|soc|sampling|cli)/|hw/(common|$models)/|systemc|tlm|$others"
forbid tb/lab "hw/(common|$models)/|platform/(boot|soc|cli)/|systemc|tlm|tests/|tb/[^l]"
forbid platform/kit/include "hw/|platform/"
forbid examples "platform/|decoder/|firmware/|hw/($models)/"
for folder in examples/*/; do
    [[ $folder == examples/systemc/ ]] || forbid "$folder" "systemc|tlm"
done
forbid examples/systemc "hw/"

rooms_in_order() { # folder, rooms: each may include those before it
    local folder=$1 room
    shift
    for room in "$@"; do
        shift
        [[ $# == 0 ]] || forbid "$folder/$room" "$folder/($(IFS='|'; echo "$*"))/"
    done
}
rooms_in_order decoder/trace messages program flow records calls output osd
forbid decoder/compare "decoder/(export|report|skid|trace)/"
forbid decoder/skid "decoder/(compare|export|trace)/"
forbid decoder/export "decoder/(report|skid|trace)/"
forbid decoder/report "decoder/(export|skid)/"
forbid decoder/trace "decoder/(export|report)/"
# The library asks the layer that counts by one header.
if grep -n 'papi/counting/parts.h' firmware/papi/*.cpp firmware/papi/*.h; then failed=1; fi
rooms_in_order hw/core/timing pulses tables memory issue frontend
rooms_in_order platform/soc guest trace waves outputs debug
rooms_in_order hw/trace program encoder sinks software systemc
for room in program encoder sinks software; do
    forbid hw/trace/$room "systemc|tlm"
done
exit $failed
