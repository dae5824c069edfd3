#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: installed.sh CMAKE BUILD_DIRECTORY WORK_DIRECTORY
# What `cmake --install` copies works outside of the build tree.
set -euo pipefail
cmake=$1 build=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
"$cmake" --install "$build" --prefix "$work/usr" >"$work/install.log"
cd /
env -i PATH=/usr/bin:/bin "$work/usr/bin/pes-vp" run "$work/usr/share/pes-vp/pes_test.elf" \
    --samples "$work/samples" --console "$work/console"
env -i PATH=/usr/bin:/bin "$work/usr/bin/pes-decode" samples "$work/samples" \
    --elf "$work/usr/share/pes-vp/pes_test.elf" | grep -q 'floating-point'
test -f "$work/usr/share/pes-vp/examples/start.S"
