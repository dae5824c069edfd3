#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: counter_rules_page.sh PES_VP PROGRAM RULES PAGE [OPTIONS OF pes-vp run...]
# Prints PAGE with its table of rules, as the program counter_rules tries them. Fails if a check does not hold, or if
# program and RULES do not have the same rules.
set -euo pipefail
vp=$1 program=$2 rules=$3 page=$4
output=$("$vp" run "$program" --quiet --max-cycles 50000000 "${@:5}") || { echo "$output" >&2; exit 1; }
table=$(awk -F ' *[|] *' '
    NR == FNR { if ($0 !~ /^#/) { names[++count] = $1; source[$1] = $2; text[$1] = $3 } next }
    {
        split($0, word, " ") # RULE MODE GOOD of ALL
        if (!(word[1] in source)) { print "counter_rules_page: no such rule: " $0 >"/dev/stderr"; exit 1 }
        result[word[1], word[2]] = word[3] " of " word[5]
        all[word[1]] += word[5]
    }
    END {
        print "table rules"
        print "| Rule | | What holds | M | S | U |"
        print "| --- | --- | --- | --- | --- | --- |"
        for (i = 1; i <= count; ++i) {
            name = names[i]
            if (!all[name]) { print "counter_rules_page: nothing tries " name >"/dev/stderr"; exit 1 }
            total += all[name]
            printf "| `%s` | %s | %s | %s | %s | %s |\n", name, source[name], text[name], result[name, "M"], result[name, "S"],
                result[name, "U"]
        }
        printf "| %d rules | | %d checks | | | |\n", count, total
    }' "$rules" - <<<"$output")
awk -v printed="$table" -f "$(dirname "${BASH_SOURCE[0]}")/replace_tables.awk" "$page"
