#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: lab.sh PES_LAB FIRMWARE_DIRECTORY [NODE PLAYWRIGHT CHROMIUM] WORK_DIRECTORY
# A laboratory runs every point once, whatever interrupts it, and refuses bad input with one sentence. Its page is used
# in a browser, if there is one (lab_page.mjs).
set -euo pipefail
lab=$1 firmware=$2 work=${!#}
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"
mkdir -p "$work"
cat "$(dirname "$0")/lab_programs.toml" - >"$work/m.toml" <<'EOF'
[[points]]
methods = ["ideal", "exact", "lcofi"]
events = ["cycle", "load", "floating-point"]
samples = [500]
[[deliveries]]
name = "lcofi"
firmware = "pes_firmware.elf"
kernel = "lab_cost_overflow_sbi_sampling.elf"
without = "lab_cost_overflow_sbi_plain.elf"
traps = 3
EOF
run() { # directory options...
    "$lab" "$work/m.toml" --programs "$firmware" --out "$@" --quiet
}
fail() { echo "$1"; exit 1; }
points() { sqlite3 "$1/lab.sqlite" 'SELECT count(*) FROM point'; }

# branchy has no floating point: 15 of the 18 points.
run "$work/a" | grep -q '^pes-lab: 15 points, 15 of them run now;' || fail "not every point was run"
cp "$work/a/points.csv" "$work/first.csv"
run "$work/a" | grep -q '15 points, 0 of them run now' || fail "a point was run twice"
cmp "$work/a/points.csv" "$work/first.csv"
[[ $(wc -l <"$work/a/points.csv") == 61 ]] || fail "points.csv: not four groupings of each point"
grep -q '^lcofi,.*,[1-9][0-9]*\.[0-9]$' "$work/a/costs.csv" || fail "no cost"
# The matrix to start from, with fewer points.
sed '/^methods/,/^]/c methods = ["exact", "timer"]' "$here/../../examples/lab/matrix.toml" >"$work/start.toml"
"$lab" "$work/start.toml" --programs "$firmware" --out "$work/start" --quiet | grep -q ': 12 points' || fail "examples/lab"
grep -q '^workload,cycle,instructions,' "$work/start/skids.csv" || fail "examples/lab: no skid"
if [[ $# -gt 3 ]]; then
    grep -q '</html>' "$work/a/report.html"
    "$3" "$here/lab_page.mjs" "$4" "$5" "$work/a/report.html" "$work/a/points.csv" "$work/pictures"
fi
[[ ! -e $work/a/work ]] || fail "temporary files are left"

# Interrupted in two ways: what was finished is kept, and the rest is run.
stop() { # directory signal exit_code
    "$lab" "$work/m.toml" --programs "$firmware" --out "$1" --jobs 1 --quiet 2>"$work/said" &
    local process=$! code=0
    until [[ -e $1/lab.sqlite && $(sqlite3 -readonly "$1/lab.sqlite" \
        'SELECT count(*) FROM point' 2>/dev/null || echo 0) -ge 2 ]]; do
        kill -0 $process || fail "it ended before it was stopped"
    done
    kill -"$2" $process
    wait $process || code=$?
    [[ $code == "$3" ]] || fail "signal $2: exit code $code"
}
stop "$work/b" INT 130
grep -q 'pes-lab: interrupted; [0-9]* points were run, the same command goes on' "$work/said"
done_before=$(points "$work/b")
run "$work/b" | grep -q "15 points, $((15 - done_before)) of them run now"
cmp "$work/b/points.csv" "$work/first.csv"
stop "$work/c" KILL 137
run "$work/c" >"$work/said"
! grep -q ' 1[45] of them run now' "$work/said" || fail "what was finished is lost"
cmp "$work/c/points.csv" "$work/first.csv"

# Shares in directories of their own, collected.
for shard in 0 1 2; do
    "$lab" "$work/m.toml" --programs "$firmware" --out "$work/d" --quiet --shard $shard/3 >/dev/null
done
"$lab" "$work/m.toml" --programs "$firmware" --out "$work/d" --collect |
    grep -q '15 points, 0 of them run now'
cmp "$work/d/points.csv" "$work/first.csv"
rm -r "$work/d/lab.sqlite" "$work/d/shards/1"
code=0
"$lab" "$work/m.toml" --programs "$firmware" --out "$work/d" --collect >/dev/null 2>"$work/said" || code=$?
[[ $code == 1 ]] && grep -q 'points are missing' "$work/said" || fail "a missing share is not told"

# A failing run: one sentence, exit code 1.
sed '1i max_cycles = 1000' "$work/m.toml" >"$work/short.toml"
code=0
"$lab" "$work/short.toml" --programs "$firmware" --out "$work/e" --quiet 2>"$work/said" || code=$?
[[ $code == 1 && $(wc -l <"$work/said") == 1 ]] || fail "a failing run: exit code $code"
grep -q 'exit code 124' "$work/said"

# Mistakes: one sentence, exit code 2, nothing written.
refuse() { # pattern options...
    local pattern=$1 code=0
    shift
    "$lab" "$@" --out "$work/none" >"$work/out" 2>"$work/said" || code=$?
    [[ $code == 2 && $(wc -l <"$work/said") == 1 && ! -s $work/out && ! -e $work/none ]] ||
        fail "$pattern: exit code $code"
    grep -q "^pes-lab: .*$pattern" "$work/said" || fail "$pattern: $(cat "$work/said")"
}
refuse "m.toml:3: program '.*lab_floating.elf' cannot be read" "$work/m.toml"
refuse "matrix 'nowhere.toml' cannot be read" nowhere.toml
refuse "--jobs got '0'" "$work/m.toml" --jobs 0
refuse "--shard got '3/3'" "$work/m.toml" --shard 3/3
refuse "--platform got '/nowhere'" "$work/m.toml" --programs "$firmware" --platform /nowhere
refuse "need --engine slurm" "$work/m.toml" --tasks 2
for change in "s/lcofi\"\]/magic\"]/:8: unknown method 'magic'" "s/\"load\"/\"lode\"/:9: unknown event 'lode'" \
    "s/^samples/sampels/:unknown key 'sampels'" "s/traps = 3/traps = 0/:16: traps = 0 is not valid"; do
    sed "${change%%:*}" "$work/m.toml" >"$work/bad.toml"
    refuse "bad.toml:.*${change#*:}" "$work/bad.toml" --programs "$firmware"
done
