#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: growth.sh PES_BENCH_GROWTH PES_VP FIRMWARE_DIRECTORY WORK_DIRECTORY
# The beginning of each run of pes-bench-growth: every series has its rows, on the page too. What is
# measured is no matter here.
set -euo pipefail
growth=$1 vp=$2 firmware=$3 work=$4
rm -rf "$work"
mkdir -p "$work"
measure=("$growth" --platform "$vp" --programs "$firmware" --runs 1)

fail() {
    echo "pes-bench-growth: $1" >&2
    exit 1
}

printf '%s\n' before '<!-- growth: written by pes-bench-growth --markdown -->' old '<!-- end of growth -->' after \
    >"$work/page.md"
"${measure[@]}" --max-cycles 300000 --markdown "$work/page.md" --json "$work/growth.json" >"$work/table"
for rows in counters:7 sampling:6 observers:4 trace:6 harts:4 memory:5 pages:4 code:5 translation:2 timer:3 calls:3; do
    [[ $(grep -c "^${rows%:*} " "$work/table") == "${rows#*:}" ]] || fail "rows of ${rows%:*} in $work/table"
    [[ $(grep -c "^| ${rows%:*} |" "$work/page.md") == "${rows#*:}" ]] || fail "rows of ${rows%:*} in $work/page.md"
done
[[ $(grep -c '"variant"' "$work/growth.json") == 49 ]] || fail "rows in $work/growth.json"
! grep -q '^old$' "$work/page.md" || fail "the old rows are still in $work/page.md"
[[ $(head -1 "$work/page.md")$(tail -1 "$work/page.md") == beforeafter ]] || fail "the rest of $work/page.md"

# One series; and mistakes: one sentence, exit code 2, nothing measured.
"${measure[@]}" --max-cycles 300000 --series counters >"$work/one"
[[ $(wc -l <"$work/one") == 9 && $(grep -c '^counters ' "$work/one") == 7 ]] || fail "rows of $work/one"
refused() { # sentence option...
    local sentence=$1 status=0
    shift
    "${measure[@]}" "$@" >"$work/none" 2>"$work/error" || status=$?
    [[ $status == 2 && ! -s $work/none && $(cat "$work/error") == "pes-bench-growth: $sentence"* ]] &&
        [[ $(wc -l <"$work/error") == 1 ]] || fail "exit code $status, $(cat "$work/error")"
}
refused '--series counter, expected one of counters, sampling, ' --series counter
refused '--max-cycles: Value 0 not in range' --max-cycles 0
refused "--markdown $work/one: the page has no place" --markdown "$work/one"
