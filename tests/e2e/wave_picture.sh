#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: wave_picture.sh PICTURE_SCRIPT PES_SCENARIO PES_TEST PICTURE WORK_DIRECTORY
# The picture in the README and on the waveform page is what the model does.
set -euo pipefail
script=$1 scenario=$2 program=$3 picture=$4 work=$5
rm -rf "$work"
mkdir -p "$work"
bash "$script" "$scenario" "$program" "$work/pes_wave.svg"
diff -q "$picture" "$work/pes_wave.svg" ||
    { echo "docs/images/pes_wave.svg is not what the scenario draws: build wave_picture"; exit 1; }
