#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: pmu_overhead_page.sh PES_VP FIRMWARE PAYLOAD PAGE [OPTIONS OF pes-vp run...]
# Prints PAGE with its two tables replaced by those that the program pmu_overhead prints. Fails if
# the program does: a deterministic event that both ways count differently.
set -euo pipefail
vp=$1 firmware=$2 payload=$3 page=$4
printed=$("$vp" run --firmware "$firmware" --kernel "$payload" --max-cycles 200000000 "${@:5}")
awk -v printed="$printed" -f "$(dirname "${BASH_SOURCE[0]}")/replace_tables.awk" "$page"
