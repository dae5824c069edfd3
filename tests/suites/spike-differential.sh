#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: spike-differential.sh PES_DIFFERENTIAL PES_VP COMPILER SEEDS [MIX...] WORK_DIRECTORY
# Random programs (docs/verification.md) of these mixes, or of every mix, on Spike and on pes-vp.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=suite.sh
source "$(dirname "$0")/suite.sh"
differential=$1 vp=$2 compiler=$3 seeds=$4 work=${*: -1}
mixes=()
for mix in "${@:5:$#-5}"; do
    mixes+=(--mix "$mix")
done
find_spike
if [[ -z $spike ]]; then
    echo "skipped: no spike on PATH, nor in PES_SUITES/riscv-isa-sim/build"
    exit 77
fi
rm -rf "$work"
mkdir -p "$work"
"$differential" --spike "$spike" --vp "$vp" --compiler "$compiler" --work "$work" --seeds "$seeds" \
    "${mixes[@]}"
