#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: export.sh PES_VP PES_DECODE PROGRAM READER [ITS_FILES...] WORK_DIRECTORY
# pes-decode export: each format's own reader opens the file and finds in it what
# `pes-decode samples --csv` and the exact profile say. READER is folded (no other program is
# needed), callgrind_annotate, ...
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
    cp truth.csv refused.csv
    sed -i '2s/,.*//' refused.csv
    refused "'refused.csv' line 2: expected" callgrind samples.bin --elf "$program" -o refused --truth refused.csv
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
*) fail "unknown reader" ;;
esac
