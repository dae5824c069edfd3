#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: riscv-tests.sh PES_VP WORK_DIRECTORY
# The self-checking programs of riscv-tests for what the hart has, on physical addresses (p), with
# the timer on (pt) and under Sv39 (v). Each ends through tohost: 0, or the number of the test that
# failed.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=suite.sh
source "$(dirname "$0")/suite.sh"
vp=$1 work=$2
find_suite riscv-tests
rm -rf "$work"
mkdir -p "$work"

shopt -s nullglob
for program in "$suite"/isa/rv64{ui,um,ua,uf,ud,uc,mi,si}-{p,pt,v}-*; do
    name=${program##*/}
    [[ $name != *.* ]] || continue # a listing
    status=0
    # The suite expects misaligned loads and stores to work, which CVA6 leaves to its firmware.
    "$vp" run "$program" --set hart.misaligned_access=true --max-cycles 20000000 \
        >"$work/$name.txt" 2>&1 || status=$?
    case $status in
    0) pass ;;
    124) fail "$name" "does not end" ;;
    125) fail "$name" "cannot continue" ;;
    *) fail "$name" "exit code $status (test number)" ;;
    esac
done
finish riscv-tests "isa/rv64ui-p-add and its neighbours (make isa)"
