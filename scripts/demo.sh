#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: scripts/demo.sh [OUTPUT_DIRECTORY]     (default: out)
# From a fresh Debian 12 machine to a profile: installs, builds, samples a real workload through its
# counters, shows where the time goes, checks that against the exact histogram, and records the
# waveform of one sample.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=${1:-out}
if [[ $# -gt 1 || $out == -* ]]; then
    echo "demo: got '$*', expected one output directory or nothing" >&2
    exit 2
fi

scripts/setup.sh build
scripts/build.sh release pes-vp pes-decode pes-scenario workload pes_test
mkdir -p "$out"

build=build/release
program=$build/firmware/workload.elf

echo
echo "== One sample of the PES test, cycle by cycle"
"$build/tb/pes-scenario" --output "$out" --sample 3 --before 60 --after 1000

echo
echo "== The workload runs on the modelled hart; three counters sample it"
"$build/platform/pes-vp" run "$program" \
    --samples "$out/workload.samples" --stats "$out/workload.json" --truth "$out/workload.truth.csv"

echo
echo "== Where the samples fell"
"$build/decoder/pes-decode" samples "$out/workload.samples" --elf "$program" --by function --top 6

echo
echo "== Sampled and exact profile side by side"
"$build/decoder/pes-decode" compare "$out/workload.samples" --truth "$out/workload.truth.csv" \
    --elf "$program" --top 6 --require-top 3

echo
echo "== The whole run as a page"
"$build/platform/pes-vp" profile "$program" --quiet --console /dev/null --top 3 --by function \
    --report "$out/workload.html"

echo
echo "Open $out/workload.html in a browser."
echo "In $out: workload.samples, workload.json (all event counts), workload.truth.csv, and the wave:"
echo "  gtkwave $out/pes_scenario.vcd $out/pes_scenario.gtkw"
