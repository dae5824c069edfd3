#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: report.sh PES_VP PES_DECODE PROGRAM NODE PLAYWRIGHT CHROMIUM WORK_DIRECTORY
# The report page of a run: the same on both paths, and used in a browser (report_page.mjs).
set -euo pipefail
vp=$1 decode=$2 program=$3 node=$4 playwright=$5 chromium=$6 work=$7
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"
mkdir -p "$work"
cd "$work"

for path in step fast; do
    "$vp" profile "$program" --quiet --console /dev/null --max-cycles 4000000 --path $path \
        --report $path.html --truth $path.csv --samples $path.bin >/dev/null 2>errors || [[ $? == 124 ]] || { cat errors; exit 1; }
    sed 's/"command":"[^"]*"//' $path.html >$path.page
done
cmp step.page fast.page || { echo "report.sh: the paths give different pages" >&2; exit 1; }
# Slower memory, sampled with skid, beside the run before.
"$vp" profile "$program" --quiet --console /dev/null --max-cycles 4000000 --method threshold --event load \
    --set timing.memory_latency=40 --report other.html --baseline fast.html >/dev/null 2>errors ||
    [[ $? == 124 ]] || { cat errors; exit 1; }
refused() { # SENTENCE options...
    local code=0
    "$vp" profile "$program" "${@:2}" >out.txt 2>errors || code=$?
    [[ $code == 2 && ! -s out.txt ]] && grep -qF -- "$1" errors || { echo "report.sh: ${*:2}: $code, $(cat errors)" >&2; exit 1; }
}
refused "--baseline got 'fast.csv', expected a page that --report of this version has written" \
    --report page.html --baseline fast.csv
[[ ! -e page.html ]]
refused "fast.html" --report fast.html --baseline fast.html # an input

# The same program from another folder, one of its files under another name: every function and line stands once, and
# nothing has changed. Without a page, the terminal has the comparison.
"$node" -e 'const fs = require("fs");
    const [, before, text, after] = fs.readFileSync("fast.html", "utf8").match(/^(.*id="data">)(.*?)(<\/script>.*)$/s);
    const data = JSON.parse(text);
    const renamed = data.files[data.lines[data.functions[0].line][0]];
    data.files = data.files.map((name) => "/elsewhere/" + (name === renamed ? "renamed.cpp" : name));
    fs.writeFileSync("moved.html", before + JSON.stringify(data) + after);'
"$vp" profile "$program" --quiet --console /dev/null --max-cycles 4000000 --baseline moved.html --json moved.json \
    --csv moved.csv >moved.txt 2>errors || [[ $? == 124 ]] || { cat errors; exit 1; }
grep -q "^compared with .* cycles before, .* now, as fast$" moved.txt && grep -q "^ *before  *now  *change  function, by cycles" moved.txt &&
    grep -qx "by,rank,name,file,before,now,change" moved.csv || { echo "report.sh: no comparison as text" >&2; exit 1; }
"$node" -e 'const { tables } = JSON.parse(require("fs").readFileSync("moved.json", "utf8")).comparison;
    const twice = tables.flatMap((table) => table.rows.filter((row) => row.change !== 0 || !row.now));
    if (tables.length !== 2 || tables.some((table) => table.rows.length < 5) || twice.length > 0) {
      console.error("report.sh: not matched:", JSON.stringify(twice.slice(0, 4)));
      process.exit(1);
    }'
# The largest change comes first.
"$vp" profile "$program" --quiet --console /dev/null --max-cycles 4000000 --set timing.memory_latency=40 --by function \
    --top 3 --baseline moved.html >slower.txt 2>errors || [[ $? == 124 ]] || { cat errors; exit 1; }
[[ $(grep -A 4 "change  function" slower.txt | tail -4 | awk '{ print $3 }' | tr -d +- | head -3 | sort -rnc 2>&1) == "" ]] &&
    grep -A 4 "change  function" slower.txt | grep -q "more rows)" || { echo "report.sh: $(cat slower.txt)" >&2; exit 1; }

# Samples of an event that there is none of have no error; the page says nothing of it.
"$vp" profile "$program" --quiet --console /dev/null --max-cycles 20000 --method timer --event dtlb-miss \
    --report none.html >/dev/null 2>errors || [[ $? == 124 ]] || { cat errors; exit 1; }
grep -q '"errors":\[\]' none.html || { echo "report.sh: an error without events" >&2; exit 1; }

# From files, the page has the same functions and samples.
"$decode" report fast.bin --elf "$program" --truth fast.csv -o files.html
"$decode" report fast.bin --elf "$program" -o samples.html --baseline files.html

# With the trace of the whole run, its calls are there too.
"$vp" profile "$program" --quiet --console /dev/null --call-graph --trace calls.rtd --samples calls.bin \
    --stats calls.json >/dev/null
"$decode" report calls.bin --elf "$program" --trace calls.rtd -o calls.html
code=0
"$decode" report calls.bin --elf "$program" --trace fast.csv -o bad.html 2>errors || code=$?
[[ $code == 2 && $(wc -l <errors) == 1 && ! -e bad.html ]] ||
    { echo "report.sh: no trace: $code, $(cat errors)" >&2; exit 1; }

# The sources of the program have names relative to a folder that is not the current one.
sources=$(cd "$here/../.." && pwd)
texts() { # PAGE: the number of source lines that have a text
    "$node" -e 'const data = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8").match(/id="data">(.*?)<\/script>/s)[1]);
        console.log(data.lines.filter((line) => line[2] !== "").length);' "$1"
}
listed() { # options...
    "$decode" trace calls.rtd --instructions listed.txt --source-lines "$@" >/dev/null
    LC_ALL=C grep -c '^## .*[a-z]: .' listed.txt || true # in UTF-8 it takes a hundred times as long
}
[[ $(texts files.html) == 0 && $(listed) == 0 ]] || { echo "report.sh: sources in $PWD" >&2; exit 1; }
"$decode" report fast.bin --elf "$program" --truth fast.csv -o sources.html --source-path "$work" --source-path "$sources"
"$vp" profile "$program" --quiet --console /dev/null --max-cycles 4000000 --source-path "$sources" \
    --report both.html --annotate >annotated.txt 2>errors || [[ $? == 124 ]] || { cat errors; exit 1; }
[[ $(texts sources.html) -gt 100 && $(texts both.html) == "$(texts sources.html)" && $(listed --source-path "$sources") -gt 1000 ]] &&
    grep -q 'for (' annotated.txt || { echo "report.sh: no sources with --source-path" >&2; exit 1; }
for command in "report fast.bin --elf $program -o bad.html" "trace calls.rtd --instructions bad.html --source-lines"; do
    code=0
    "$decode" $command --source-path fast.bin 2>errors >/dev/null || code=$?
    [[ $code == 2 && ! -e bad.html ]] && grep -qF -- "--source-path got 'fast.bin', expected a directory" errors ||
        { echo "report.sh: --source-path of a file: $code, $(cat errors)" >&2; exit 1; }
done

# The pipeline around samples is what --pipeline says of the same cycles; both can be had at once.
"$node" -e 'const page = require("fs").readFileSync("fast.html", "utf8");
    const data = JSON.parse(page.match(/<script type="application\/json" id="data">(.*?)<\/script>/s)[1]);
    [...data.pipelines.keys()].filter((n) => n % 6 === 0).forEach((n) => console.log(n, data.pipelines[n].from, data.pipelines[n].to));' >windows.txt
[[ $(wc -l <windows.txt) -ge 4 ]] || { echo "report.sh: $(wc -l <windows.txt) windows" >&2; exit 1; }
while read -r number from to; do
    "$vp" run "$program" --quiet --console /dev/null --max-cycles $((to + 10000)) --pipeline "window$number.kanata" \
        --pipeline-from "$from" --pipeline-to "$to" 2>errors || [[ $? == 124 ]] || { cat errors; exit 1; }
done <windows.txt
read -r number from to < <(tail -1 windows.txt)
"$vp" profile "$program" --quiet --console /dev/null --max-cycles 4000000 --report both.html --samples both.bin --truth both.csv \
    --pipeline both.kanata --pipeline-from "$from" --pipeline-to "$to" >/dev/null 2>errors || [[ $? == 124 ]] || { cat errors; exit 1; }
cmp both.kanata "window$number.kanata"
cmp both.bin fast.bin
sed 's/"command":"[^"]*"//' both.html | cmp - fast.page

! grep -q "http-equiv\|<link[^>]*http\|src=\"http" fast.html || { echo "report.sh: the page asks others" >&2; exit 1; }
"$node" "$here/report_page.mjs" "$playwright" "$chromium" fast.html fast.csv other.html files.html samples.html calls.html "$work"
