#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: host_profile.sh PES_VP PES_DECODE PROGRAM WORK_DIRECTORY
# pes-vp profile: samples are the same on both paths, the guest does not notice, what methods should
# see is what the truth and the trace of the same run say, and mistakes are one sentence.
set -euo pipefail
vp=$1 decode=$2 program=$3 work=$4
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
    echo "host_profile.sh: $1" >&2
    exit 1
}
limit=2000000
profile() { # METHOD EVENT PERIOD options...
    "$vp" profile "$program" --quiet --max-cycles $limit --method "$1" --event "$2" --period "$3" \
        --ascii --no-color "${@:4}" 2>errors || [[ $? == 124 ]] || fail "$*: $(cat errors)"
}
unquoted() { # FILE: names of functions may have commas
    sed 's/"[^"]*"/name/g' "$1"
}
sum() { # FILE COLUMN
    unquoted "$1" | awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == name) column = i; next }
                          { sum += $column } END { printf "%.0f", sum }'
}
# Of each address the difference of two CSV files is 0.
agree() { # FILE COLUMN ADDRESS FILE COLUMN ADDRESS
    unquoted "$1" >left.csv
    unquoted "$4" >right.csv
    awk -F, -v left="$2" -v pc="$3" -v right="$5" -v address="$6" '
        FNR == 1 { for (i = 1; i <= NF; ++i) at[FILENAME, $i] = i; next }
        FILENAME == "left.csv" { of[$at["left.csv", pc]] += $at["left.csv", left] }
        FILENAME == "right.csv" { of[$at["right.csv", address]] -= $at["right.csv", right] }
        END { for (pc in of) if (of[pc] != 0) { print pc, of[pc]; bad = 1 }; exit bad }' \
        left.csv right.csv >&2
}

# --- Both paths, and the guest beside them -----------------------------------------------------
"$vp" run "$program" --quiet --max-cycles $limit --stats plain.json --truth truth.csv \
    >plain.txt 2>/dev/null || [[ $? == 124 ]] || fail "the run without samples"
for method in exact threshold lcofi tag-at-dispatch last-committed next-committed timer pdis \
    pdis-oldest; do
    for event in cycle load branch-mispredict; do
        for path in step fast; do
            profile $method $event 997 --seed 3 --spread 20 --path $path --samples $path.bin \
                --stats $path.json --console $path.txt >report.txt
        done
        cmp step.bin fast.bin || fail "$method of $event: the paths differ"
        [[ -s fast.bin ]] || fail "$method of $event: no sample"
        cmp plain.txt fast.txt || fail "$method of $event: another output of the guest"
        sed -E '/host_seconds|mips/d; /"host_path"/,$d' plain.json >one.json
        sed -E '/host_seconds|mips/d; /"host_path"/,$d' fast.json >other.json
        cmp one.json other.json || fail "$method of $event: other statistics"
    done
done

# --- One sample a period, of what the counters count --------------------------------------------
profile exact load 1000 --csv exact.csv --by address >report.txt
samples=$(sum exact.csv samples)
loads=$(sum truth.csv load)
[[ $samples == $((loads / 1000)) ]] || fail "$samples samples of $loads loads"
grep -q "^load (Load): $samples samples by address" report.txt || fail "the report: $(cat report.txt)"
# With a period of 1 the profile is the truth.
profile exact load 1 --csv all.csv --by address >/dev/null
agree truth.csv load pc all.csv samples address || fail "the exact method with period 1 is not the truth"
profile ideal load 1000 --seed 1 --csv ideal.csv >/dev/null
profile ideal load 1000 --seed 2 --csv other.csv >/dev/null
[[ $(sum ideal.csv samples) == $((2 * (loads / 1000))) ]] || fail "ideal: functions and lines"
cmp -s ideal.csv other.csv && fail "ideal: the seed changes nothing"

# --- Decoded instructions ----------------------------------------------------------------------
# Every instruction that is named by a record of loads has loads, about as many as its share.
profile pdis load 97 --csv decoded.csv --by address >/dev/null
unquoted decoded.csv >left.csv
unquoted truth.csv >right.csv
awk -F, 'FNR == 1 { for (i = 1; i <= NF; ++i) at[FILENAME, $i] = i; next }
         FILENAME == "right.csv" { loads[$at["right.csv", "pc"]] += $at["right.csv", "load"] }
         FILENAME == "left.csv" { pc = $at["left.csv", "address"]; n = $at["left.csv", "samples"]; all += n
                                  wrong += loads[pc] == 0 || n > 2 * loads[pc] / 97 + 20 }
         END { exit !(all > 500 && wrong == 0) }' right.csv left.csv || fail "pdis: records of loads and the truth"

# --- PC samples of the encoder -------------------------------------------------------------------
profile pc-trace cycle 16384 --csv pc.csv --by address >/dev/null
"$vp" run "$program" --quiet --max-cycles $limit --trace trace.rtd --trace-program events \
    >/dev/null 2>&1 || [[ $? == 124 ]] || fail "the traced run"
"$decode" trace trace.rtd --elf "$program" --by address --top 0 --hot-spots traced.csv >/dev/null
agree pc.csv samples address traced.csv samples address || fail "pc-trace is not what the encoder samples"

# --- The truth of software's own samples ----------------------------------------------------------
"$vp" run "$program" --quiet --samples own.bin --crossings own.csv >/dev/null
records=$(($(stat -c %s own.bin) / 64))
delivered=$(awk -F, 'NR > 1 && $9 != "" && $14 != "" && $11 >= $6' own.csv | wc -l)
[[ $delivered == "$records" ]] || fail "$records records, $delivered crossings delivered with a cause"
# Beside a profile they are the same.
for method in ideal exact pc-trace; do
    profile $method load 1000 --crossings beside.csv >/dev/null
    [[ -s beside.csv ]] && cmp -n "$(($(stat -c %s beside.csv) - 400))" own.csv beside.csv || fail "crossings beside $method"
done

# --- Performance records ---------------------------------------------------------------------------
records() { # WHEN options...
    "$vp" profile "$program" --quiet --max-cycles $limit --records "$1" --events cycle,load \
        --trace records.rtd "${@:2}" >/dev/null 2>errors || [[ $? == 124 ]] || fail "$*: $(cat errors)"
    grep -v 'stopped by --max-cycles' errors && fail "$*: something is lost"
    rm -rf perf
    "$decode" trace records.rtd --elf "$program" --strict --perf --fixed >records.txt
}
# The timer ticks where the method of that name samples, and counters say what its samples weigh.
records timer=100 --path fast # 5000 cycles
cp records.rtd fast.rtd
records timer=100 --path step
cmp fast.rtd records.rtd || fail "timer records: the paths differ"
profile timer load 5000 --samples timer.bin >/dev/null
paste -d' ' <(od -An -v -w64 -t x8 timer.bin | awk '{ print $4 }' | sed 's/^0*/0x/') \
    <(od -An -v -w64 -t u8 timer.bin | awk '{ print $7 }') >samples.txt
sed -n 's/.*PC=\(0x[0-9a-f]*\) .Perf Cntr. .Index=3. .Value=\([0-9]*\).*/\1 \2/p' workload.perf |
    sed 's/^0x0*/0x/' | awk '{ print $1, $2 - last; last = $2 }' >ticks.txt
[[ $(wc -l <ticks.txt) -gt 300 ]] || fail "$(wc -l <ticks.txt) timer records"
cmp samples.txt ticks.txt || fail "timer records are not the samples of method timer"
# As often as a function is entered, its first instruction retires; few are reached by a jump too.
records functions
sed -n 's/.*Func Enter at \(0x[0-9a-f]*\).*/\1/p' perf/workload.callret | sed 's/^0x0*/0x/' | sort | uniq -c >entered.txt
[[ $(wc -l <entered.txt) -gt 50 ]] || fail "$(wc -l <entered.txt) functions are entered"
awk -F'[ ,]+' 'FILENAME == "entered.txt" { entered[$3] = $2; next }
     FNR > 1 { retired[$4] += $5 }
     END { for (pc in entered) { same += entered[pc] == retired[pc]; over += entered[pc] > retired[pc]; ++all }
           exit !(over == 0 && same > 0.9 * all) }' entered.txt truth.csv || fail "function records and truth"

# --- The period that follows from the length of the run -----------------------------------------
# Whatever is dropped, the samples stand for every event up to the last one, on both paths.
automatic() { # METHOD EVENT options...
    "$vp" profile "$program" --quiet --max-cycles $limit --method "$1" --event "$2" --console /dev/null \
        --samples automatic.bin --json automatic.json "${@:3}" >automatic.txt 2>errors ||
        [[ $? == 124 ]] || fail "$*: $(cat errors)"
    samples=$(sed -n 's/.*"samples": \([0-9]*\),*$/\1/p' automatic.json | head -n 1)
    estimated=$(sed -n 's/.*"estimated_events": \([0-9]*\),*$/\1/p' automatic.json | head -n 1)
}
for method in exact timer pc-trace pdis ideal; do
    automatic $method cycle
    ((samples > 4900 && samples <= 10000)) || fail "$method: $samples samples with an automatic period"
    [[ $method == pdis ]] || ((estimated * 100 > limit * 99 && estimated <= limit)) ||
        fail "$method: $samples samples stand for $estimated of $limit cycles"
done
grep -q "method ideal, period 200 of $limit cycles (by the length of the run)\|method ideal, period 200 (by" \
    automatic.txt || fail "head line: $(grep method automatic.txt)"
automatic exact cycle --path step
mv automatic.bin step.bin
automatic exact cycle --path fast
cmp step.bin automatic.bin || fail "automatic period: the paths differ"
# A sampler in step with a loop would be far from the truth; this one is as good as chance.
"$decode" compare automatic.bin --truth truth.csv --elf "$program" --exclude none --by address >compare.txt
sed -nE 's/^profile error: ([0-9.]+) %.* at most ([0-9.]+) %.*/\1 \2/p' compare.txt |
    awk '{ found = $1 <= $2 } END { exit !found }' || fail "automatic period: $(grep '^profile error' compare.txt)"

# --- The run's cycle stack, and the annotated function -------------------------------------------
cycles=$(sum truth.csv cycles)
grep -q "^$cycles cycles, $(sum truth.csv count) instructions, IPC " automatic.txt || fail "head: $(head -n 1 automatic.txt)"
for reason in base l1d_miss mispredict; do
    share=$(awk -v part="$(sum truth.csv cycles_$reason)" -v all="$cycles" 'BEGIN { printf "%.1f", 100 * part / all }')
    grep -qE "^ +$share %  .* $reason\$" automatic.txt || fail "cycle stack: $reason is not $share %"
done
# Metrics and top-down, by the formulas of docs/metrics.md from the truth.
per_thousand() { awk -v part="$(sum truth.csv "$1")" -v all="$(sum truth.csv count)" 'BEGIN { printf "%.2f", 1000 * part / all }'; }
metric() { grep -qE "(^|  ) *$2  $1( |\$)" automatic.txt || fail "$1 is not $2: $(grep -A 8 '^metrics' automatic.txt)"; }
metric CACHE.L1D.RD.DATA.MPKI "$(per_thousand l1d-miss)"
metric INST.MISPRED.PKI "$(per_thousand branch-mispredict)"
metric INST.MISPRED.RATE "$(awk -v part="$(sum truth.csv branch-mispredict)" -v all="$(sum truth.csv branch)" \
    'BEGIN { printf "%.1f %%", 100 * part / all }')"
retiring=$(awk -v part="$(sum truth.csv count)" -v all=$((cycles - $(sum truth.csv cycles_idle))) 'BEGIN { printf "%.1f", 100 * part / all }')
grep -qE "^ +$retiring %  .* retiring$" automatic.txt || fail "top-down: retiring is not $retiring %"
sed -n '/^top-down$/,/^$/p' automatic.txt | awk '
    / bound| speculation|retiring/ { whole += $1; ++classes }
    { parts = 0; n = split($0, word, /: |, /); for (i = 2; i <= n; ++i) { match(word[i], /[0-9.]+ %/); parts += substr(word[i], RSTART) } }
    n > 1 && (parts - $1 > 0.21 || $1 - parts > 0.21) { bad = 1 } # each is rounded
    END { exit bad || classes != 4 || whole < 99.79 || whole > 100.21 }' || fail "top-down does not add up: $(cat automatic.txt)"
profile exact cycle 997 --annotate --by function >annotated.txt
read -r hottest hot_samples < <(awk '/samples by function/ { getline; print $NF, $1 }' annotated.txt)
grep -q "^$hottest (.*): $hot_samples of [0-9]* samples, " annotated.txt || fail "--annotate without a name: $hottest"
profile exact load 101 --annotate "$hottest" >annotated.txt
# Each instruction of the function: its exact share is that of the truth.
awk -F, -v OFS=' ' 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
    { load[$at["pc"]] += $at["load"]; all += $at["load"] }
    END { for (pc in load) if (load[pc]) printf "%s %.2f\n", substr(pc, 3), 100 * load[pc] / all }' truth.csv >shares
awk 'FNR == NR { share[$1] = $2; next }
    / samples, .* events$/ { inside = 1 }
    inside && match($0, /  [0-9a-f]+  [a-z]/) {
        pc = $0; sub(/^  +/, "", pc); split(substr($0, RSTART + 2), word, " "); pc = word[1]
        exact = substr($0, 14, 9); sub(/%/, "", exact); rows++
        if (exact + 0 != share[pc] + 0) { print pc, exact, share[pc]; bad = 1 }
    }
    END { exit bad || rows < 5 }' shares annotated.txt || fail "--annotate: the exact shares are not those of the truth"

# --- Mistakes --------------------------------------------------------------------------------------
refused() { # SENTENCE options...
    local code=0
    "$vp" profile "$program" "${@:2}" >out.txt 2>errors || code=$?
    [[ $code == 2 && $(wc -l <errors) == 1 && ! -s out.txt ]] || fail "${*:2}: exit code $code"
    grep -qF -- "$1" errors || fail "${*:2}: $(cat errors)"
}
refused "--method got 'magic', expected one of ideal, exact, threshold" --method magic
refused "--event got 'miss', expected an event of profile 'cva6': cycle, instret" --event miss
refused "--event got '0x1f', expected an event of profile" --event 0x1f
refused "--period got '0', expected a number from 1 on" --period 0
refused "--spread got '101', expected a number from 0 to 100" --spread 101
refused "--top got 'ten', expected a number of rows" --top ten
refused "--annotate got 'nobody', expected a function of the program" --annotate nobody
refused "hart.path = fast excludes --method pc-trace" --method pc-trace --path fast
refused "--event got 'floating-point', which no record of method 'pdis' shows, expected one of cycle" \
    --method pdis --event floating-point
refused "extensions.smpdis = true excludes --method pdis" --method pdis \
    --set extensions.smpdis=true --set extensions.smcsrind=true
refused "--records got 'timer=0', expected functions, or timer=US" --records timer=0 --trace t.rtd
refused "--records needs --trace FILE" --records functions
refused "--method excludes --records" --records functions --trace t.rtd --method exact
refused "--events got 'cycle,cycle', expected" --records functions --trace t.rtd --events cycle,cycle
profile exact load 1000000000 >/dev/null
grep -q "no sample: the run has fewer than one period" errors || fail "no word on an empty profile"

