#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: wave_picture.sh PES_SCENARIO PES_TEST PICTURE
# Draws the first sample of the PES test, docs/images/pes_wave.svg, into PICTURE. Fails, and leaves
# PICTURE alone, if a check of the scenario does not hold.
set -euo pipefail
scenario=$1 program=$2 picture=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$scenario" --program "$program" --output "$work" --svg "$work/picture.svg" >"$work/report" ||
    { cat "$work/report"; exit 1; }
cp "$work/picture.svg" "$picture"
