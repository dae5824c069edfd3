#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: scripts/linux_perf.sh [OPTION...] [WORK_DIRECTORY]  (default: out/perf)
#   --vp FILE         pes-vp                      (default: build/release/platform/pes-vp)
#   --suite NAME,...  Debian releases             (default: forky,sid): the first one whose packages can be
#                     fetched, or have been
#   --mirror URL      where its packages are      (default: the mirror that apt is set up for)
#   --jobs N          runs at a time              (default: 2)
#   --page FILE       prints this page with its tables made anew
# Compares perf of Debian's unmodified kernel with the exact profile of the same process, in one run of
# `pes-vp exec` each: the count of every event of `pes-vp pmu-events`, and samples by period, by frequency and
# with call graphs, on pes_firmware and on OpenSBI, with one hart and with four. The booted systems stay in the
# work directory. Prints tables in Markdown, and fails where a bound of tests/e2e/linux_perf/ is not kept.
# Exit code 77: the packages could not be fetched.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

vp=build/release/platform/pes-vp
suites=forky,sid
mirror=
jobs=2
page=
while [[ ${1:-} == --* ]]; do
    [[ $# -ge 2 ]] || { echo "linux_perf: $1 needs a value" >&2; exit 2; }
    case $1 in
    --vp) vp=$2 ;;
    --suite) suites=$2 ;;
    --mirror) mirror=$2 ;;
    --jobs) jobs=$2 ;;
    --page) page=$2 ;;
    *) echo "linux_perf: $1 is no option, see the head of scripts/linux_perf.sh" >&2; exit 2 ;;
    esac
    shift 2
done
[[ $jobs =~ ^[1-9][0-9]*$ ]] || { echo "linux_perf: --jobs $jobs, expected a number from 1 on" >&2; exit 2; }
work=${1:-out/perf}
vp=$(realpath "$vp")
decode=$(dirname "$vp")/../decoder/pes-decode
opensbi=/usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.elf
cross=riscv64-linux-gnu-
for file in "$vp" "$decode" "$opensbi" ${page:+"$page"}; do
    [[ -r $file ]] || { echo "linux_perf: $file is not there" >&2; exit 2; }
done
for tool in perf ${cross}gcc; do
    command -v "$tool" >/dev/null || { echo "linux_perf: there is no $tool, see scripts/packages.txt" >&2; exit 2; }
done
mkdir -p "$work"
work=$(cd "$work" && pwd)
fail() {
    echo "linux_perf: $1" >&2
    exit 1
}

systems=(pes-1 pes-4 opensbi-1 opensbi-4) # firmware and harts
prepare_systems() {
    local system options
    for system in "${systems[@]}"; do
        [[ ! -s $work/$system/kernel.elf ]] || continue
        mkdir -p "$work/$system"
        if [[ $system != "${systems[0]}" ]]; then # the packages are fetched once
            find "$work/${systems[0]}" -mindepth 2 -maxdepth 2 -name packages -printf '%h\n' |
                xargs -I{} cp -al {} "$work/$system/"
        fi
        options=(--suite "$suites" ${mirror:+--mirror "$mirror"} --set "harts=${system#*-}")
        [[ $system != opensbi-* ]] || options+=(--firmware "$opensbi")
        echo "linux_perf: booting $system" >&2
        if ! "$vp" exec --prepare --cache "$work/$system" "${options[@]}" >"$work/$system.log" 2>&1; then
            ! grep -q 'cannot be fetched' "$work/$system.log" || exit 77
            fail "$system: $(cat "$work/$system.log")"
        fi
    done
}

# The laboratory's programs, ten times as long as in its matrix.
programs=(core_mix:10 sort:20 hash:20 matrix:10 branchy:20 floating:20 bigcode:40 pointer:40)
build_programs() {
    local row
    mkdir -p "$work/programs"
    for row in "${programs[@]}"; do
        ${cross}gcc -O2 -g -static -fno-builtin -fno-omit-frame-pointer -DROUNDS="${row#*:}" -I. \
            "tb/lab/programs/${row%:*}.c" -o "$work/programs/${row%:*}"
    done
    for row in calls threads; do
        ${cross}gcc -O2 -g -static -fno-omit-frame-pointer -pthread "tests/e2e/linux_perf/$row.c" \
            -o "$work/programs/$row"
        # perf takes the assembler's mapping symbols for functions.
        ${cross}objcopy --wildcard --strip-symbol='$[xd]*' "$work/programs/$row"
    done
}

# One run of a program, which is in the current folder of the guest: what it prints on its error stream is in
# $work/runs/NAME/text, with perf's counts and the exact ones.
run() { # system name options...
    local folder=$work/runs/$2
    mkdir -p "$folder"
    (cd "$work/programs" && "$vp" exec --cache "$work/$1" "${@:3}" </dev/null >/dev/null 2>"$folder/text") ||
        fail "$2: $(head -n 3 "$folder/text")"
}

# As many at a time as were asked for; all have ended behind `finish`.
at_once() {
    while (($(jobs -rp | wc -l) >= jobs)); do
        wait -n || fail "a run has failed"
    done
    "$@" &
}
finish() {
    while (($(jobs -p | wc -l) > 0)); do
        wait -n || fail "a run has failed"
    done
}

# --- Counts: every event that perf's JSON names, six at a time, in user mode ----------------------------------

# The text of a run of `perf stat -x,` -> "event perf's-count exact-count" for its events; names by code from
# the first file. An event that shared its counter with another one would have been counted for less than 100 %.
counts_of() { # names text
    awk '
        NR == FNR { name[$1] = $2; next }
        split($0, field, ",") >= 5 && field[3] ~ /^(r[0-9a-f]+|cycles|instructions):u$/ {
            event = field[3]
            sub(/:u$/, "", event)
            if (event ~ /^r/) event = name["0x" substr(event, 2)]
            if (field[5] != "100.00") bad = bad " " event
            counted[event] = field[1]
        }
        / program +perf / { table = 1 }
        table && ($1 in counted) { gsub(",", "", $2); print $1, counted[$1], $2; ++printed }
        END {
            for (event in counted) ++asked
            if (bad != "" || printed != asked) { print "not counted alone or at all:" bad >"/dev/stderr"; exit 1 }
        }' "$1" "$2"
}

count_events() { # system program
    local events group number=0
    mapfile -t events < <(cut -d' ' -f1 "$work/events")
    for ((first = 0; first < ${#events[@]}; first += 6)); do
        group=$(printf 'r%s:u,' "${events[@]:first:6}")
        at_once run "$1" "stat/$1/$2/$((++number))" --perf "stat -x, -e ${group//r0x/r}cycles:u,instructions:u" -- "./$2"
    done
}

# Of the profile that the kernel has from the device tree; 0x0 counts nothing.
list_events() {
    rm -rf "$work/json"
    "$vp" pmu-events -o "$work/json"
    sed -n 's/.*"EventCode": "\(0x[0-9a-f]*\)".*/\1/p' "$work"/json/*/*/*.json | sort -u >"$work/codes"
    "$vp" events | awk 'NR == FNR { json[$1] = 1; next } $1 in json { print $1, $2 }' "$work/codes" - >"$work/events"
    [[ $(wc -l <"$work/events") == $(wc -l <"$work/codes") ]] || fail "events of pmu-events without a name"
}

count_all() {
    local system row text
    for row in pes-1/sort pes-1/floating "${systems[@]/%//pointer}"; do
        count_events "${row%/*}" "${row#*/}"
    done
    finish
    for row in "$work"/runs/stat/*/*; do
        system=$(basename "$(dirname "$row")")
        for text in "$row"/*/text; do
            counts_of "$work/events" "$text" | sed "s/^/$system $(basename "$row") /"
        done
    done >"$work/counts"
}

# --- Samples: beside the exact profile of the same run --------------------------------------------------------

# The exact count of the program in the table of a run.
exact_count() { # text row
    awk -v row="$2" '$1 == row { gsub(",", "", $2); print $2; exit }' "$1"
}

# A prime, so that no loop is in step with it.
period_of() { # count
    awk -v count="$1" -v samples=2000 'BEGIN {
        for (period = int(count / samples); ; ++period) {
            for (factor = 2; factor * factor <= period && period % factor != 0; ++factor) {}
            if (period > 1 && factor * factor > period) { print period; exit }
        }
    }'
}

# Records a program and leaves its samples and its exact profile in $work/runs/NAME.
record() { # system name program event options...
    local system=$1 name=$2 program=$3 event=$4 folder=$work/runs/$2
    mkdir -p "$folder"
    run "$system" "$name" --truth "$folder/truth.csv" --truth-of program --perf-data "$folder/perf.data" \
        --perf "record -N -B -q -e $event:u ${*:5}" -- "./$program"
    awk 'FNR > 1 || NR == 1' "$folder"/truth.csv* >"$folder/truth"
    rm "$folder"/truth.csv*
    perf script -G -i "$folder/perf.data" --comm "$program" -F ip,period 2>"$folder/messages" |
        awk 'NF == 2 { print $2, $1 }' >"$folder/samples"
    [[ -s $folder/samples ]] || fail "$name: no samples: $(head -n 3 "$folder/messages")"
}

# "samples expected error chance error chance error chance": the errors by function, line and address in percent,
# each with what a perfect sampler makes.
errors_of() { # name program event period
    local folder=$work/runs/$1 by
    {
        wc -l <"$folder/samples"
        [[ $4 == - ]] && echo - || echo $(($(exact_count "$folder/text" "$3") / $4))
        for by in function line address; do
            "$decode" compare "$folder/samples" --event "${3/cycles/cycle}" --truth "$folder/truth" \
                --elf "$work/programs/$2" --by $by --exclude none --json - |
                awk '/^  "(error|statistical_error)"/ { sub(",", ""); print 100 * $2 }'
        done
    } | paste -sd' '
}

sampled_events=(cycles load store l1d-miss branch-mispredict dtlb-miss)
least_events=20000 # of an event, as in the matrix of the laboratory

perf_name() { # event
    awk -v event="$1" '$2 == event { sub("0x", "r", $1); print $1; found = 1 } END { if (!found) print event }' \
        "$work/events"
}

sample_events() {
    local program event count
    for program in "${programs[@]%:*}"; do
        at_once run pes-1 "base/$program" -- "./$program"
    done
    finish
    for program in "${programs[@]%:*}"; do
        for event in "${sampled_events[@]}"; do
            count=$(exact_count "$work/runs/base/$program/text" "$event")
            ((count >= least_events)) || continue
            at_once record pes-1 "events/$program/$event" "$program" "$(perf_name "$event")" -c "$(period_of "$count")"
        done
    done
    finish
}

# --- Cycles on other systems, by frequency, with call graphs, of threads ---------------------------------------

frequency=25000
on_all_systems=(sort hash branchy pointer)
sample_cycles() {
    local system program period
    for program in "${on_all_systems[@]}"; do
        period=$(period_of "$(exact_count "$work/runs/base/$program/text" cycles)")
        for system in "${systems[@]:1}"; do
            at_once record "$system" "systems/$program/$system" "$program" cycles -c "$period"
        done
        at_once record pes-1 "systems/$program/frequency" "$program" cycles -F $frequency
        at_once record pes-1 "systems/$program/graph" "$program" cycles --call-graph fp -c "$period"
    done
    for system in "${systems[@]}"; do
        at_once record "$system" "threads/$system" threads cycles -c 30011
        at_once record "$system" "calls/$system" calls cycles --call-graph fp -c 10007
    done
    finish
}

# Cycles of a function in the exact profile of a run.
exact_of() { # name program function
    "$decode" compare "$work/runs/$1/samples" --event cycle --truth "$work/runs/$1/truth" \
        --elf "$work/programs/$2" --top 0 --exclude none --json - | awk -v name="\"$3\"," '
        { sub(",$", "") }
        $1 == "\"exact\":" { cycles = $2 }
        $1 == "\"function\":" && $2 "," == name { print cycles }'
}

# Of the samples in `work`: their number, how many have `often` and how many `middle` as the caller, and how many
# have all callers up to main.
stacks_of() { # name
    perf script -i "$work/runs/$1/perf.data" --comm calls -F ip,sym 2>/dev/null | awk '
        function judge() {
            if (stack ~ /^ work /) {
                ++samples
                often += stack ~ /^ work often /
                middle += stack ~ /^ work middle /
                whole += stack ~ /^ work (often|middle seldom) main /
            }
            stack = ""
        }
        NF == 0 { judge(); next }
        { stack = (stack == "" ? " " : stack) $2 " " }
        END { judge(); print samples + 0, often + 0, middle + 0, whole + 0 }'
}

declare -A names=([pes-1]="\`pes_firmware.elf\`, 1 hart" [pes-4]="\`pes_firmware.elf\`, 4 harts"
    [opensbi-1]="OpenSBI, 1 hart" [opensbi-4]="OpenSBI, 4 harts" [frequency]="1 hart, \`-F $frequency\`"
    [graph]="1 hart, \`--call-graph fp\`")

# --- Tables --------------------------------------------------------------------------------------------------

# For awk: a whole number as the tables have it.
grouped='function grouped(number, text) {
    for (text = sprintf("%d", number); match(text, /[0-9][0-9][0-9][0-9]($|,)/);) {
        text = substr(text, 1, RSTART) "," substr(text, RSTART + 1)
    }
    return text
}'

# Counts that only depend on the instructions; the others also on what a cycle counts as. OpenSBI 1.1 does not
# know Smcntrpmf, so that there cycles and instructions count in all modes.
architectural=(load store branch call return integer floating-point instructions exception exception-return)

count_table() {
    echo "table counts"
    echo "| Event | perf | exact | largest difference of all runs | |"
    echo "| --- | ---: | ---: | ---: | ---: |"
    awk -v architectural=" ${architectural[*]} " "$grouped"'
        {
            unfiltered = $1 ~ /^opensbi/ && ($3 == "cycles" || $3 == "instructions")
            event = unfiltered ? $3 ", OpenSBI" : $3
            if (!(event in most)) { order[++events] = event; most[event] = share[event] = 0 }
            if ($1 ~ (unfiltered ? "opensbi-1" : "pes-1") && $2 == "pointer" && !(event in perf)) { perf[event] = $4; exact[event] = $5 }
            off = $4 > $5 ? $4 - $5 : $5 - $4
            if (off > most[event]) most[event] = off
            if ($5 > 0 && off / $5 > share[event]) share[event] = off / $5
            if (index(architectural, " " event " ") && off != 0) bad = bad " " event
            if (!unfiltered && off > 100 && off > $5 / 1000) bad = bad " " event
        }
        END {
            for (i = 1; i <= events; ++i) {
                event = order[i]
                printf "| %s | %s | %s | %s | %.4f %% |\n", event, grouped(perf[event]), grouped(exact[event]),
                    grouped(most[event]), 100 * share[event]
            }
            if (bad != "") { print "linux_perf: perf stat and the exact count differ:" bad >"/dev/stderr"; exit 1 }
        }' <(sort -s -k1,1r "$work/counts")
    echo
}

# The mean over lines "samples expected error chance error chance error chance", as cells of a table.
means() {
    awk "$grouped"'
        {
            samples += $1
            expected += $2 == "-" ? $1 : $2
            for (i = 3; i <= 8; ++i) sum[i] += $i
        }
        END {
            printf "%d | %s | %s |", NR, grouped(samples), grouped(expected)
            for (i = 3; i <= 8; ++i) printf " %.1f |", sum[i] / NR
            print ""
        }'
}

# perf has as many samples as the events make; and by function they are right but for chance.
judge_samples() { # what, lines from stdin
    awk -v what="$1" '
        $2 != "-" && ($1 > $2 + 2 + $2 / 100 || $1 < $2 - 2 - $2 / 100) { bad = bad "\n" $1 " samples, expected " $2 }
        { print }
        END { if (bad != "") { print "linux_perf: " what ":" bad >"/dev/stderr"; exit 1 } }'
}

error_head() { # first column
    echo "| $1 | programs | samples | expected | function | chance | line | chance | address | chance |"
    echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
}

event_table() {
    local program event period
    echo "table events"
    error_head Event
    for event in "${sampled_events[@]}"; do
        for program in "${programs[@]%:*}"; do
            [[ -s $work/runs/events/$program/$event/samples ]] || continue
            period=$(period_of "$(exact_count "$work/runs/base/$program/text" "$event")")
            errors_of "events/$program/$event" "$program" "$event" "$period"
        done >"$work/lines"
        echo "| \`$event\` | $(judge_samples "$event" <"$work/lines" | means)"
    done
    echo
}

system_table() {
    local program row period
    echo "table systems"
    error_head "Cycles"
    for row in "${systems[@]}" frequency graph; do
        for program in "${on_all_systems[@]}"; do
            period=$(period_of "$(exact_count "$work/runs/base/$program/text" cycles)")
            case $row in
            pes-1) errors_of "events/$program/cycles" "$program" cycles "$period" ;;
            frequency) errors_of "systems/$program/frequency" "$program" cycles - ;;
            *) errors_of "systems/$program/$row" "$program" cycles "$period" ;;
            esac
        done >"$work/lines"
        echo "| ${names[$row]} | $(judge_samples "$row" <"$work/lines" | means)"
    done
    for row in "${systems[@]}"; do
        errors_of "threads/$row" threads cycles 30011 >"$work/lines"
        echo "| four threads: ${names[$row]} | $(judge_samples "threads on $row" <"$work/lines" | means)"
    done
    echo
}

stack_table() {
    local system samples often middle whole
    echo "table stacks"
    echo "| System | samples in \`work\` | below \`often\`, % | below \`middle\`, % | all callers right, % |"
    echo "| --- | ---: | ---: | ---: | ---: |"
    for system in "${systems[@]}"; do
        read -r samples often middle whole < <(stacks_of "calls/$system")
        ((samples > 1000)) || fail "calls on $system: $samples samples"
        awk -v name="${names[$system]}" -v samples="$samples" -v often="$often" -v middle="$middle" -v whole="$whole" "$grouped"'
            BEGIN {
                printf "| %s | %s | %.1f | %.1f | %.1f |\n", name, grouped(samples), 100 * often / samples,
                    100 * middle / samples, 100 * whole / samples
            }'
    done
    echo
}

prepare_systems
build_programs
list_events
rm -rf "$work/runs"
count_all
sample_events
sample_cycles
{
    count_table
    event_table
    system_table
    stack_table
} >"$work/tables"
if [[ -n $page ]]; then
    awk -v printed="$(cat "$work/tables")" -f scripts/replace_tables.awk "$page"
else
    cat "$work/tables"
fi
