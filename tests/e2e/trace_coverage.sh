#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: trace_coverage.sh PES_VP PES_DECODE PROGRAM OBJDUMP SYMBOLIZER SOURCE_DIRECTORY LCOV GENHTML WORK_DIRECTORY
# pes-decode trace --lcov: lines, functions and branches are those that the exact profile of the same
# run and the listed instructions give with the addresses and symbols of objdump and the lines of
# llvm-symbolizer; lcov and genhtml open the file.
set -euo pipefail
vp=$1 decode=$2 program=$3 objdump=$4 symbolizer=$5 sources=$6 lcov=$7 genhtml=$8 work=$9
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
    echo "trace_coverage.sh: $1" >&2
    exit 1
}
"$vp" run "$program" --quiet --max-cycles 2000000 --trace t.rtd --truth truth.csv >/dev/null 2>errors || [[ $? == 124 ]] ||
    fail "$(cat errors)"
"$decode" trace t.rtd --elf "$program" --lcov all.info --instructions instructions.txt >summary.txt
retired=$(awk -F, 'NR > 1 { sum += $5 } END { printf "%.0f", sum }' truth.csv)
grep -q "^  instructions *$retired$" summary.txt || fail "trace and truth are not of the same instructions: $retired"

# address, function, mnemonic, file:line. The lines are not those of objdump -l, which takes other files for some functions.
"$objdump" -d "$program" | awk '
    /^[0-9a-f]+ <.*>:$/ { name = $0; sub(/^[0-9a-f]+ </, "", name); sub(/>:$/, "", name) }
    /^ +[0-9a-f]+:\t/ { split($0, part, "\t"); address = $1; sub(/:$/, "", address)
        print address "\t" name "\t" part[3] }' >addresses.tsv
cut -f1 addresses.tsv | sed 's/^/0x/' |
    "$symbolizer" --obj="$program" --functions=none --no-inlines --relativenames | sed '/^$/d; s/:[0-9]*$//; s|^\(\./\)*||' |
    paste addresses.tsv - | grep -v $'\t??:' >map.tsv
[[ $(wc -l <map.tsv) -gt 5000 ]] || fail "only $(wc -l <map.tsv) instructions have lines"

# Lines: of each function the instruction that ran most, summed over functions.
awk -F, 'NR > 1 { sub(/^0x0*/, "", $4); print $4 "\t" $5 }' truth.csv >truth.tsv
awk -F'\t' '
    FILENAME == "truth.tsv" { ran[$1] += $2; next }
    { count = $1 in ran ? ran[$1] : 0; key = $4 "\t" $2; if (!(key in most) || count > most[key]) most[key] = count }
    END { for (key in most) { split(key, part, "\t"); sum[part[1]] += most[key] } for (line in sum) print line, sum[line] }' \
    truth.tsv map.tsv |
    LC_ALL=C sort >lines.expected
awk -F'[:,]' '$1 == "SF" { file = $2 } $1 == "DA" { print file ":" $2, $3 }' all.info | LC_ALL=C sort >lines.found
cmp lines.expected lines.found || fail "other counts of lines than the exact profile"

# Branches: by line, then by address; taken, then not taken.
awk '$4 == "taken" || $4 == "not-taken" { sub(/^0x0*/, "", $2); print $2 "\t" $4 }' instructions.txt >ways.tsv
awk -F'\t' '
    FILENAME == "ways.tsv" { ++ways[$1, $2]; next }
    $3 !~ /^b(eq|ne|lt|ge|gt|le)/ { next }
    {
        block = blocks[$4]++ + 0
        taken = ways[$1, "taken"] + 0; not_taken = ways[$1, "not-taken"] + 0
        print $4 "," block ",0," (taken + not_taken ? taken : "-")
        print $4 "," block ",1," (taken + not_taken ? not_taken : "-") }' \
    ways.tsv map.tsv | LC_ALL=C sort >branches.expected
awk -F'[:,]' '$1 == "SF" { file = $2 } $1 == "BRDA" { print file ":" $2 "," $3 "," $4 "," $5 }' all.info | LC_ALL=C sort >branches.found
cmp branches.expected branches.found || fail "other branches than the listed instructions"
conditional=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next } { sum += $at["conditional-branch"] }
    END { printf "%.0f", sum }' truth.csv)
[[ $(wc -l <ways.tsv) == "$conditional" ]] || fail "$(wc -l <ways.tsv) branches, in the exact profile $conditional"

# Functions: how often their first instruction ran.
awk -F'\t' '
    FILENAME == "truth.tsv" { ran[$1] += $2; next }
    $2 != before { before = $2; file = $4; sub(/:[0-9]+$/, "", file); sum[file "," $2] += ran[$1] }
    END { for (name in sum) print name "," sum[name] }' truth.tsv map.tsv | LC_ALL=C sort >functions.expected
awk '/^SF:/ { file = substr($0, 4) } /^FNDA:/ { count = $0; sub(/^FNDA:/, "", count); name = count; sub(/,.*/, "", count)
    sub(/^[0-9]*,/, "", name); print file "," name "," count }' all.info | LC_ALL=C sort >functions.found
cmp functions.expected functions.found || fail "other functions than the exact profile"

# Its readers.
sums() { # RECORD: how many there are, and how many of them ran
    awk -F'[:,]' -v record="$1" '$1 == record { ++found; count = record == "FNDA" ? $2 : $NF; hit += count != "-" && count > 0 }
        END { print hit " of " found }' all.info
}
"$lcov" --rc lcov_branch_coverage=1 --summary all.info >lcov.txt 2>&1 || fail "lcov: $(tail -n 1 lcov.txt)"
grep -qF "($(sums DA) lines)" lcov.txt && grep -qF "($(sums BRDA) branches)" lcov.txt || fail "lcov finds others: $(cat lcov.txt)"
grep -qF "($(sums FNDA) functions)" lcov.txt || fail "lcov finds other functions: $(cat lcov.txt)"
(cd "$sources" && "$genhtml" --quiet --demangle-cpp --branch-coverage --ignore-errors source --output-directory "$work/html" "$work/all.info") \
    >genhtml.txt 2>&1 || fail "genhtml: $(tail -n 1 genhtml.txt)"
grep -rqF 'pes::workload::matrix_product()' html || fail "genhtml does not show the functions"
page=$(find html -name matrix.cpp.gcov.html)
hottest=$(sed -nE 's|^firmware/apps/workload/matrix.cpp:[0-9]+ ||p' lines.found | sort -rn | head -n 1)
sed 's/<[^>]*>//g' "$page" | grep -qE "^ *[0-9]+ .* $hottest : .*[a-z]" || fail "genhtml does not show the hottest line"

# Mistakes and emptiness are told.
code=0
rm t.rtd.toml
"$decode" trace t.rtd --lcov none.info >out.txt 2>errors || code=$?
[[ $code == 2 && ! -e none.info ]] && grep -q "^pes-decode: --lcov got no program to follow, expected --elf as well" errors ||
    fail "without a program: exit code $code, $(cat errors)"
"${objdump%objdump}strip" -o stripped.elf "$program"
"$decode" trace t.rtd --elf stripped.elf --lcov empty.info >out.txt 2>errors
grep -q -- "--lcov has nothing in it: the programs have no source lines" errors && [[ -f empty.info && ! -s empty.info ]] ||
    fail "no word on an empty file: $(cat errors)"
