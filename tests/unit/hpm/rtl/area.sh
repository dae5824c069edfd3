#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: area.sh PACKAGE WORK_DIRECTORY
# scripts/area.sh on the shape with one counter: its flip-flops are the registers that docs/counters.md and
# docs/pes.md list, and its rows are those of docs/rtl-counters.md if yosys is the version that wrote them.
# Exit code 77: yosys is not installed.
set -euo pipefail
package=$(realpath "$1")
mkdir -p "$2"
work=$(cd "$2" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/../../../.."

fail() {
    echo "area: $*" >&2
    exit 1
}

# A mistake and a missing yosys are one sentence and exit code 2.
refused() { # expected text, command...
    local text=$1 code=0
    shift
    "$@" >"$work/out" 2>"$work/err" || code=$?
    [[ $code -eq 2 && ! -s $work/out && $(wc -l <"$work/err") -eq 1 ]] || fail "exit code $code of $*"
    grep -qF "$text" "$work/err" || fail "'$(cat "$work/err")' does not say '$text'"
}
mkdir -p "$work/bin"
ln -sf "$(command -v dirname)" "$work/bin/"
refused "yosys is not installed" env PATH="$work/bin" "$BASH" scripts/area.sh
command -v yosys >/dev/null || { echo "yosys is not installed"; exit 77; }
refused "expected 0 to 29" scripts/area.sh --counters 30
refused "needs a value" scripts/area.sh --counters
refused "cannot read '$work/none'" scripts/area.sh --package "$work/none"

scripts/area.sh --package "$package" --counters 1 >"$work/table.md"

# Three counters of 64 bits, mcountinhibit of three, three filters of three; selector, OF and its request.
alone=$((3 * 64 + 3 + 3 * 3 + 5 + 1 + 1))
thresholds=$((alone + 3 * 64))
buffer=$((thresholds + 3 * 64 + 1 + 8)) # base, size, offset; enable and record size of the control register
# pcs of two retirements, pc and cycle of the sample; both modes; two instructions in a cycle, threshold line;
# three comparators; a copy of the selector. Of the programmable counter whether it counts the older one, and
# whether it counts both; minstret does both once two have retired.
capture=$((buffer + 4 * 64 + 2 * 2 + 2 + 3 + 5 + 2 + 1))
# pcs without bit 0 and counters of overflow and threshold, address; whether a selector or a value was written in
# the last cycle, and whose; the selector from before; the open question of the one counter that has causes. The
# threshold line is that of the capture.
sspesa=$((capture + 2 * (63 + 5) + 64 + 2 + 2 * 5 + 5 + 1))
expected="$alone $thresholds $buffer $capture $sspesa"
found=$(awk -F'|' '$2 + 0 == 1 { printf "%s%d", gap, $5; gap = " " }' "$work/table.md")
[[ $found == "$expected" ]] || fail "flip-flops are $found, expected $expected"
awk -F'|' '$2 + 0 == 1 && $4 + 0 < 100 { exit 1 }' "$work/table.md" || fail "too few LUTs"

if grep -qxF "$(tail -n 1 "$work/table.md")" docs/rtl-counters.md; then
    while read -r row; do
        grep -qxF "$row" docs/rtl-counters.md ||
            fail "docs/rtl-counters.md lacks '$row'; scripts/area.sh --page docs/rtl-counters.md writes it"
    done < <(grep '^| 1 ' "$work/table.md")
fi
