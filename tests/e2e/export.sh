#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: export.sh PES_VP PES_DECODE PROGRAM READER [ITS_FILES...] WORK_DIRECTORY
# pes-decode export: each format's own reader opens the file and finds in it what
# `pes-decode samples --csv` and the exact profile say. READER is folded or perf_script
# (no other program is needed), perfetto with the path of protoc, autofdo with those of llvm-profdata and
# llvm-symbolizer, callgrind_annotate, sqlite3 or pprof with the path of its program (of go), perf with the paths of perf
# and of objcopy, objdump and c++filt for RISC-V, speedscope with the paths of
# node, playwright-core, chromium and its page, or firefox with the paths of node and profiler-cli.
set -euo pipefail
vp=$1 decode=$2 program=$3 reader=$4
its_files=("${@:5:$#-5}")
work=${*: -1}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
    echo "export.sh: $reader: $1" >&2
    exit 1
}
for event in cycle load; do
    "$vp" profile "$program" --quiet --max-cycles 2000000 --method lcofi --event $event \
        --period 997 --seed 3 --samples $event.bin >/dev/null 2>errors || [[ $? == 124 ]] ||
        fail "$event: $(cat errors)"
done
cat cycle.bin load.bin >samples.bin # one stream with two events
"$vp" run "$program" --quiet --max-cycles 2000000 --truth truth.csv >/dev/null 2>&1 || [[ $? == 124 ]]
"$decode" samples samples.bin --elf "$program" --by function --csv functions.csv >/dev/null

sum() { # FILE COLUMN [COLUMN VALUE]: of all lines, or of those with the value
    sed 's/"[^"]*"/name/g' "$1" | awk -F, -v name="$2" -v where="${3:-}" -v value="${4:-}" '
        NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
        where == "" || $at[where] == value { sum += $at[name] }
        END { printf "%.0f", sum }'
}
export_to() { # FORMAT FILE options...
    "$decode" export "$1" samples.bin --elf "$program" -o "$2" "${@:3}" 2>errors || fail "$*: $(cat errors)"
}
equal() { # WHAT FOUND EXPECTED
    [[ $2 == "$3" && $3 != 0 ]] || fail "$1: '$2', expected '$3'"
}
cycles=$(sum functions.csv estimated_events event cycle)
loads=$(sum functions.csv estimated_events event load)
hottest='pes::workload::matrix_product()'
hot_cycles=$(sed 's/"[^"]*"/name/g' functions.csv | grep "^cycle," | sum_of="$hottest" awk -F, '$7 == ENVIRON["sum_of"] { print $6 }')
[[ $cycles -gt 1000000 && $loads -gt 100000 && $hot_cycles -gt 1000 ]] || fail "too few samples"

refused() { # SENTENCE arguments...
    local code=0
    "$decode" export "${@:2}" >out.txt 2>errors || code=$?
    [[ $code == 2 && $(wc -l <errors) == 1 && ! -s out.txt && ! -e refused ]] || fail "${*:2}: exit code $code"
    grep -qF -- "$1" errors || fail "${*:2}: $(cat errors)"
}

collapse() { # EVENT FILE: the patterns of stackcollapse-perf.pl, with the period as the weight
    awk -v event="$1:" '
        /^$/ { if (frames != "" && kind == event) sum[program frames] += period; frames = ""; next }
        match($0, /^[^ \t]+ +[0-9]+\/[0-9]+ +\[[0-9]+\] +[0-9]+\.[0-9]+: +[0-9]+ +[^ ]+: $/) {
            period = $(NF - 1); kind = $NF; program = $1; next }
        match($0, /^\t *[0-9a-f]+ .+ \([^ ]*\)$/) {
            name = $0; sub(/^\t *[0-9a-f]+ /, "", name); sub(/(\+0x[0-9a-f]+)? \([^ ]*\)$/, "", name)
            if (name == "[unknown]") name = "(outside of symbols)"
            frames = ";" name frames; next }
        { print "unrecognized line: " $0 >"/dev/stderr" }
        END { for (stack in sum) print stack, sum[stack] }' "$2" | LC_ALL=C sort
}
case $reader in
folded)
    export_to folded cycle.folded --event cycle
    equal "events" "$(awk '{ sum += $NF } END { printf "%.0f", sum }' cycle.folded)" "$cycles"
    equal "events of $hottest" "$(grep -F "workload.elf;$hottest " cycle.folded | sed 's/.* //')" "$hot_cycles"
    "$decode" export folded - --elf "$program" --event cycle -o - <samples.bin | cmp - cycle.folded ||
        fail "other bytes through pipes"
    refused "FORMAT got 'fold', expected one of folded, " fold samples.bin --elf "$program" -o refused
    refused "samples of several events, and folded holds one, expected --event with one of cycle, load" \
        folded samples.bin --elf "$program" -o refused
    refused "--truth got 'truth.csv', but folded has no place for exact values" \
        folded samples.bin --elf "$program" -o refused --event cycle --truth truth.csv
    refused "-o" folded samples.bin --elf "$program"
    refused "'samples.bin'" folded samples.bin --elf "$program" --event cycle -o samples.bin
    [[ -s samples.bin ]] || fail "the samples are gone"
    # Damage and emptiness are told, and what there is is written.
    { cat cycle.bin; echo "of something else, at least"; } >damaged.bin
    code=0
    "$decode" export folded damaged.bin --elf "$program" --strict -o damaged.folded 2>errors || code=$?
    [[ $code == 1 ]] && cmp damaged.folded cycle.folded || fail "--strict: exit code $code"
    "$decode" export folded samples.bin --elf "$program" --event store -o none.folded 2>errors
    grep -q "'samples.bin': the file has samples, but none of store" errors && [[ -f none.folded && ! -s none.folded ]] ||
        fail "no word on an empty file: $(cat errors)"
    cp truth.csv refused.csv
    sed -i '2s/,.*//' refused.csv
    refused "'refused.csv' line 2: expected" callgrind samples.bin --elf "$program" -o refused --truth refused.csv
    ;;
pprof)
    export_to pprof profile.pb.gz --truth truth.csv
    top() { # VALUE: all functions with it
        "${its_files[0]}" tool pprof -symbolize=none -top -nodefraction=0 -nodecount=100000 -sample_index="$1" profile.pb.gz 2>errors |
            tee top.txt >/dev/null || fail "$1: $(cat errors)"
    }
    all() { # VALUE EXPECTED: its sum as the tool says it, and that of its functions
        top "$1"
        equal "total of $1" "$(sed -nE 's/^Showing nodes .* of ([0-9]+) total$/\1/p' top.txt)" "$2"
        equal "sum of $1" "$(sed '1,/flat%/d' top.txt | awk '{ sum += $1 } END { printf "%.0f", sum }')" "$2"
    }
    all load "$loads"
    all exact_cycles "$(sum truth.csv cycles)"
    all exact_instructions "$(sum truth.csv count)"
    all cycle "$cycles"
    equal "events of $hottest" "$(awk -v name="$hottest" '$6 == name { print $1 }' top.txt)" "$hot_cycles"
    ;;
callgrind_annotate)
    export_to callgrind callgrind.out --truth truth.csv
    "${its_files[0]}" --threshold=100 --auto=no callgrind.out >annotated.txt
    # Numbers have commas and shares behind them; the columns are those of the line "Events shown".
    numbers() { # LINE: its first four numbers
        sed -E 's/\([^)]*\)//g; s/,//g' <<<"$1" | awk '{ print $1, $2, $3, $4 }'
    }
    grep -q "^Events shown: *sampled_cycle sampled_load Cycles Instructions$" annotated.txt ||
        fail "$(grep "^Events shown" annotated.txt)"
    all="$cycles $loads $(sum truth.csv cycles) $(sum truth.csv count)"
    equal "totals" "$(numbers "$(grep 'PROGRAM TOTALS' annotated.txt)")" "$all"
    rows=$(sed -n '/file:function/,$p' annotated.txt | grep -E '^ *[0-9,]+ ' | sed -E 's/\([^)]*%\)//g; s/,([0-9])/\1/g' |
        awk '{ for (i = 1; i <= 4; ++i) sum[i] += $i } END { print sum[1], sum[2], sum[3], sum[4] }')
    equal "sums of the functions" "$rows" "$all"
    equal "events of $hottest" "$(numbers "$(grep -F ":$hottest" annotated.txt)" | awk '{ print $1 }')" "$hot_cycles"
    ;;
perf_script)
    export_to perf-script perf.txt
    for event in cycle load; do
        collapse $event perf.txt >$event.collapsed 2>errors
        [[ ! -s errors ]] || fail "$(head -n 1 errors)"
        export_to folded $event.folded --event $event
        LC_ALL=C sort $event.folded | cmp - $event.collapsed || fail "$event: other stacks than folded"
    done
    export_to perf-script slow.txt --clock-hz 10000000
    first_time() { # FILE: in nanoseconds
        sed -nE '1s/.* ([0-9]+)\.([0-9]+): .*/\1\2/p' "$1" | sed 's/^0*//'
    }
    equal "time at 10 MHz" "$(first_time slow.txt)" "$((100 * $(first_time perf.txt)))"
    refused "--clock-hz got '10', but folded has no seconds" folded samples.bin --elf "$program" -o refused --clock-hz 10
    ;;
perfetto)
    for event in cycle load; do
        "$vp" profile "$program" --quiet --max-cycles 2000000 --method lcofi --event $event --period 997 --seed 3 \
            --call-graph --samples $event.bin >/dev/null 2>errors || [[ $? == 124 ]] || fail "$event: $(cat errors)"
    done
    cat cycle.bin load.bin >samples.bin
    export_to perfetto samples.pftrace
    "${its_files[0]}" --proto_path="$here" --decode=Trace "$here/perfetto_samples.proto" <samples.pftrace >decoded.txt 2>errors ||
        fail "protoc: $(cat errors)"
    # A count is of all events of the sequence on this hart so far; a sequence is an event.
    awk '
        /\{$/ { room[++depth] = $1; delete field; next }
        $1 != "}" { name = $1; sub(/:$/, "", name); value = $0; sub(/^ *[a-z_]+: /, "", value); gsub(/^"|"$/, "", value)
            if (name == "sequence") sequence = value
            if (name == "frame_id" && name in field) value = field[name] " " value
            if (name == "timestamp") time = value
            if (name == "name") event[sequence] = value
            field[name] = value; next }
        { kind = room[depth--] }
        kind == "function" { text[sequence, field["iid"]] = field["str"] }
        kind == "frame" { function_of[sequence, field["iid"]] = field["function_id"] }
        kind == "stack" { stack[sequence, field["iid"]] = field["frame_id"] }
        kind == "sample" {
            weight = field["count"] - before[sequence, field["cpu"]]
            before[sequence, field["cpu"]] = field["count"]
            sum[sequence, field["stack_id"]] += weight
            print field["cpu"] "," time "," event[sequence] "," weight >"rows.csv" }
        END { for (key in sum) {
            split(key, part, SUBSEP)
            line = "workload.elf"
            depth = split(stack[key], frames, " ")
            for (i = 1; i <= depth; ++i) line = line ";" text[part[1], function_of[part[1], frames[i]]]
            total[event[part[1]] "\t" line] += sum[key] }
            for (line in total) print line, total[line] }' decoded.txt >stacks.txt
    for event in cycle load; do
        export_to folded $event.folded --event $event
        sed -n "s/^$event\t//p" stacks.txt | LC_ALL=C sort >$event.stacks
        LC_ALL=C sort $event.folded | cmp - $event.stacks || fail "$event: other stacks than folded"
        grep -q ';main;' $event.stacks || fail "$event: no stack with main"
    done
    "$decode" samples samples.bin --elf "$program" --records records.csv >/dev/null
    awk -F, 'NR > 1 { print $1 "," $2 "," ($3 == 0 ? "cycle" : "load") "," $10 }' records.csv | cmp - rows.csv ||
        fail "other samples than samples --records"
    ;;
perf)
    perf=(env PERF_CONFIG=/dev/null HOME="$work" "${its_files[0]}")
    "${perf[@]}" --version >/dev/null 2>errors || { echo "skipped: $(head -n 1 errors)"; exit 77; }
    # The copy that docs/export.md describes: without what perf takes for names of code.
    "${its_files[1]}" --wildcard --strip-symbol='$[xd]*' --remove-section='*bss' --rename-section .user_text=.text \
        "$program" workload.elf
    for event in cycle load; do
        method=lcofi
        [[ $event == cycle ]] || method=exact # which has data addresses
        "$vp" profile "$program" --quiet --max-cycles 2000000 --method $method --event $event --period 997 --seed 3 \
            --call-graph --samples $event.bin >/dev/null 2>errors || [[ $? == 124 ]] || fail "$event: $(cat errors)"
    done
    cat cycle.bin load.bin >samples.bin
    program=workload.elf
    "$decode" samples samples.bin --elf "$program" --by function --records records.csv --csv functions.csv >/dev/null
    export_to perf-data perf.data
    # Counts and periods by symbol.
    "${perf[@]}" report --stdio --input perf.data --no-children --call-graph none --fields sample,period,symbol \
        --no-demangle --field-separator ';' >report.txt 2>errors || fail "perf report: $(cat errors)"
    awk -F ' *; *' '/^# Samples: / { gsub(/.*\047(.*)\047/, "&"); split($0, part, "\047"); event = part[2] }
        /^ *[0-9]/ { gsub(/ /, "", $1); sub(/^\[.\] /, "", $3); print event "," $1 "," $2 "," $3 }' report.txt |
        "${its_files[3]}" | LC_ALL=C sort >reported.txt
    sed -E 's/^([^,]*),function,[0-9]+,([0-9]+),[^,]*,([0-9]+),("[^"]*"|[^,]*),.*/\1,\2,\3,\4/; s/"//g' functions.csv |
        tail -n +2 | LC_ALL=C sort | cmp - reported.txt || fail "perf report has other counts than samples --csv"
    [[ $(wc -l <reported.txt) -gt 30 ]] || fail "too few functions"
    # Call chains, harts, times and data addresses.
    "${perf[@]}" script --input perf.data --no-demangle --fields comm,pid,tid,cpu,time,period,event,ip,sym,symoff,dso \
        2>errors | sed -E 's/^(\S+ +[0-9].*[0-9]) +(\S+): $/\1 \2: /' | "${its_files[3]}" >script.txt
    for event in cycle load; do
        collapse $event script.txt >$event.collapsed 2>errors
        [[ ! -s errors ]] || fail "perf script: $(head -n 1 errors)"
        export_to folded $event.folded --event $event
        LC_ALL=C sort $event.folded | cmp - $event.collapsed || fail "$event: other stacks than folded"
        grep -q ';main;' $event.folded || fail "$event: no stack with main"
    done
    "${perf[@]}" script --input perf.data --ns --fields cpu,time,event,addr 2>errors |
        sed -E 's/^ *\[0*([0-9]+)\] +([0-9]+)\.([0-9]+): +(\S+): +(\S+).*/\1 \2\3 \5/; s/ 0+([0-9]+ )/ \1/' |
        LC_ALL=C sort >addresses.txt
    awk -F, 'NR > 1 { sub(/^0x/, "", $13); print $1, $2, $13 }' records.csv | LC_ALL=C sort | cmp - addresses.txt ||
        fail "perf script has other data addresses than samples --records"
    grep -qE ' [0-9a-f]{5,}$' addresses.txt || fail "no data address"
    # The hottest instruction.
    "${perf[@]}" annotate --stdio --input perf.data --objdump "${its_files[2]}" --symbol pes::workload::matrix_product \
        >annotated.txt 2>errors || fail "perf annotate: $(cat errors)"
    found=$(sed '/ for load /,$d' annotated.txt | sort -rn | sed -nE '1s/^ *([0-9.]+) : +([0-9a-f]+):.*/0x\2/p')
    expected=$("$decode" samples samples.bin --elf "$program" --by address --event cycle --top 1 --csv - | sed 's/"[^"]*"/name/g' |
        awk -F, 'NR == 2 { print $10 }')
    equal "the hottest instruction" "$found" "$expected"
    "$decode" export perf-data - --elf "$program" -o - <samples.bin | cmp - perf.data || fail "other bytes through pipes"
    ;;
speedscope)
    for format in speedscope pprof; do export_to $format both.$format; done
    export_to folded cycle.folded --event cycle
    export_to pprof load.pprof --event load
    export_to perf-script perf.txt --event cycle
    "$decode" export pprof samples.bin --elf "$program" --event store --truth truth.csv -o exact.pprof 2>/dev/null
    # shellcheck disable=SC2086
    "${its_files[0]}" "$here/export_speedscope.mjs" "${its_files[@]:1}" both.speedscope both.pprof \
        load.pprof exact.pprof cycle.folded perf.txt >seen.tsv || fail "speedscope opens a file of these not"
    seen() { # FILE PROFILE [FUNCTION]: the weight there
        awk -F'\t' -v file="$1" -v profile="$2" -v name="${3:-}" '
            $1 == file && (profile == "" || $2 == profile) && (name == "" || $3 == name) { sum += $4 }
            END { printf "%.0f", sum }' seen.tsv
    }
    equal "speedscope, cycle" "$(seen both.speedscope cycle)" "$cycles"
    equal "speedscope, load" "$(seen both.speedscope load)" "$loads"
    equal "folded" "$(seen cycle.folded "")" "$cycles"
    equal "pprof" "$(seen both.pprof "")" "$cycles"
    equal "pprof --event load" "$(seen load.pprof "")" "$loads"
    equal "pprof --truth" "$(seen exact.pprof "")" "$(sum truth.csv count)"
    for file in both.speedscope both.pprof cycle.folded; do
        profile=
        [[ $file != both.speedscope ]] || profile=cycle
        equal "$hottest in $file" "$(seen $file "$profile" "$hottest")" "$hot_cycles"
    done
    # Here the weights are seconds between samples: a cycle is a nanosecond.
    "$decode" samples cycle.bin --elf "$program" --records records.csv >/dev/null
    span=$(awk -F, 'NR == 2 { first = $2 } { last = $2 } END { printf "%.0f", last - first }' records.csv)
    equal "perf-script" "$(awk -F'\t' '$1 == "perf.txt" { sum += $4 } END { printf "%.0f", 1e9 * sum }' seen.tsv)" "$span"
    ;;
sqlite3)
    export_to sqlite all.db --truth truth.csv
    ask() { # QUESTION
        "${its_files[0]}" -readonly all.db "$1"
    }
    equal "integrity" "$(ask "PRAGMA integrity_check; PRAGMA foreign_key_check")" ok
    by_function="SELECT sum(weight) FROM samples JOIN functions ON functions.id = function WHERE event ="
    equal "cycle" "$(ask "$by_function 'cycle'")" "$cycles"
    equal "load" "$(ask "$by_function 'load'")" "$loads"
    equal "$hottest" "$(ask "$by_function 'cycle' AND name = '$hottest'")" "$hot_cycles"
    for column in count cycles load l1d-miss; do
        equal "truth, $column" "$(ask "SELECT printf('%.0f', sum(\"$column\")) FROM truth")" "$(sum truth.csv $column)"
    done
    "$decode" samples samples.bin --elf "$program" --records records.csv >/dev/null
    ask "SELECT hart, cycle, counter, printf('0x%x', selector), CASE privilege WHEN 'U' THEN 0 WHEN 'S' THEN 1 ELSE 3 END,
            printf('0x%x', pc), caused, lengthened, counter_value, threshold, lost FROM samples ORDER BY id" |
        tr '|' ',' >rows.csv
    tail -n +2 records.csv | cut -d, -f1-11 | cmp - rows.csv || fail "other samples than --records"
    # The share of a function among the samples and in the truth: what pandas users ask.
    ask "SELECT name, sum(cycles) FROM truth JOIN functions ON functions.id = function GROUP BY function" |
        awk -F'|' -v name="$hottest" -v sampled="$hot_cycles" '
            $1 == name { found = $2 > 0.98 * sampled && $2 < 1.02 * sampled } END { exit !found }' ||
        fail "the truth of $hottest is not near its samples"
    "$decode" export sqlite - --elf "$program" --truth truth.csv -o - <samples.bin | cmp - all.db ||
        fail "other bytes through pipes"
    ;;
firefox)
    profiler=("${its_files[0]}" "${its_files[1]}")
    "${profiler[@]}" --version >/dev/null 2>errors || { echo "skipped: $(head -n 1 errors)"; exit 77; }
    export PROFILER_CLI_NO_SYMBOLICATE=1 PROFILER_CLI_SESSION_DIR
    PROFILER_CLI_SESSION_DIR=$(mktemp -d) # it has a socket, whose path must be short
    trap '"${profiler[@]}" stop export >/dev/null 2>&1; rm -rf "$PROFILER_CLI_SESSION_DIR"' EXIT
    export_to firefox both.json
    "${profiler[@]}" load both.json --session export >loaded.txt 2>&1 || fail "$(cat loaded.txt)"
    thread=0
    for event in cycle load; do
        "${profiler[@]}" thread samples --session export --thread t-$thread --json >$event.json
        "${profiler[@]}" thread functions --session export --thread t-$thread --json >$event.functions.json
        grep -q "\"friendlyThreadName\": \"$event, hart 0" $event.json || fail "thread $thread is not of $event"
        first() { # FILE NAME: the first number of this name
            sed -nE "s/^ *\"$2\": ([0-9]+),?\$/\1/p" "$1" | head -n 1
        }
        equal "$event" "$(first $event.json totalSamples)" "$(sum functions.csv estimated_events event $event)"
        equal "functions of $event" "$(sed -nE 's/^ *"selfSamples": ([0-9]+),?$/\1/p' $event.functions.json |
            awk '{ sum += $1 } END { printf "%.0f", sum }')" "$(sum functions.csv estimated_events event $event)"
        thread=$((thread + 1))
    done
    equal "$hottest" "$(grep -A 3 -F "\"name\": \"$hottest\"" cycle.functions.json >hottest.json
        first hottest.json selfSamples)" "$hot_cycles"
    ;;
autofdo)
    "$vp" profile "$program" --quiet --event instret --samples samples.bin >/dev/null
    export_to autofdo sampled.prof
    "${its_files[0]}" merge --sample --text sampled.prof -o read.prof 2>errors || fail "llvm-profdata: $(cat errors)"
    cmp sampled.prof read.prof || fail "llvm-profdata has read another profile"
    # Each line as the chain of functions around it, with the distances of lines, and its count.
    awk '{ depth = match($0, /[^ ]/) - 1; sub(/^ +/, "") }
        depth == 0 { sub(/:.*/, ""); chain[1] = $0; next }
        $2 ~ /:/ { name = $2; sub(/:[0-9]+$/, "", name); chain[depth + 1] = chain[depth] ";" $1 name; next }
        { sub(/:$/, "", $1); print chain[depth] ";" $1, $2 }' read.prof | LC_ALL=C sort >lines.found
    "$decode" samples samples.bin --elf "$program" --by address --top 0 --csv - | sed 's/"[^"]*"/name/g' |
        awk -F, 'NR > 1 { print $10, $6 }' >addresses.txt
    cut -d' ' -f1 addresses.txt |
        "${its_files[1]}" --obj="$program" --functions=linkage --no-demangle --inlines --verbose >frames.txt
    awk 'FILENAME == "addresses.txt" { count[++addresses] = $2; next }
        NF == 0 { if (frames) known(count[++address]); frames = 0; next }
        /^[^ ]/ { name[++frames] = $1; begin[frames] = 0 }
        /^  Function start line:/ { begin[frames] = $4 }
        /^  Line:/ { line[frames] = $2 }
        function known(weight, chain, i) {
            for (i = frames; i > 0; --i) {
                if (!begin[i] || !line[i]) return
                if (i == frames) sub(/\..*/, "", name[i])
                chain = chain (chain == "" ? "" : ";" offset ":") name[i]
                offset = line[i] - begin[i]; if (offset < 0) offset += 65536
            }
            chain = chain ";" offset
            if (weight > most[chain]) most[chain] = weight }
        END { for (chain in most) print chain, most[chain] }' addresses.txt frames.txt | LC_ALL=C sort >lines.expected
    cmp lines.expected lines.found || fail "other lines than llvm-symbolizer gives"
    grep -q ';.*;' lines.found || fail "nothing is inlined"
    refused "expected --event with one of" autofdo <(cat cycle.bin load.bin) --elf "$program" -o refused
    ;;
*) fail "unknown reader" ;;
esac
