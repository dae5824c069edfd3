#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: pmu_overhead.sh PAGE_SCRIPT PES_VP FIRMWARE PAYLOAD PAGE WORK_DIRECTORY
# The overhead tables of the page are what the program prints, on both paths; both ways count deterministic
# events alike, or the script fails.
set -euo pipefail
script=$1 vp=$2 firmware=$3 payload=$4 page=$5 work=$6
rm -rf "$work"
mkdir -p "$work"
for path in step fast; do
    bash "$script" "$vp" "$firmware" "$payload" "$page" --path "$path" >"$work/$path.md"
    diff "$page" "$work/$path.md" ||
        { echo "docs/papi.md is not what the program prints: build pmu_overhead_page"; exit 1; }
done
