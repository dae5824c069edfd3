#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: reference-decoders.sh PES_VP PES_DECODE FIRMWARE_DIRECTORY OBJDUMP OBJCOPY WORK_DIRECTORY
# Traces that pes-vp writes, read by the decoders of others, as far as they are on PATH: SiFive's dqr
# reads the dialect sifive, NexRv of the N-Trace task group n-trace, of both register sets. The
# instructions that they list have to be those that retire in the waveform of the commit stage of the
# same run, and so do those of pes-decode. The files of events have to be dqr's.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=suite.sh
source "$(dirname "$0")/suite.sh"
here=$(dirname "$0")
vp=$1 decode=$2 firmware=$3 objdump=$4 objcopy=$5 work=$6
suite=$firmware # where finish looks for them

judges=() absent=()
for judge in dqr NexRv; do
    if command -v "$judge" >/dev/null; then
        judges+=("$judge")
    else
        absent+=("$judge")
    fi
done
if ((${#absent[@]} != 0)); then
    echo "skipped: not on PATH: ${absent[*]}"
fi
if ((${#judges[@]} == 0)); then
    exit 77
fi
rm -rf "$work"
mkdir -p "$work"

# shellcheck source-path=SCRIPTDIR source=trace_programs.sh
source "$here/trace_programs.sh"
programs+=("trace_stimuli_1 1 300000") # writes to SiFive's registers itself

# "name.elf" without lines of source, which dqr cannot read as newer versions of objdump print them;
# "name.pcinfo", what NexRv has to know of each instruction, ascending. Its own conversion takes
# ECALL for a call and MRET for a return; in N-Trace they are not, and an interrupt is no call.
prepare() { # name
    "$objcopy" --strip-debug "$firmware/$1.elf" "$work/$1.elf"
    "$objdump" -d "$firmware/$1.elf" |
        sed -E 's/\t[ms]ret\b.*/\tjr\tt0/; s/\tecall.*/\tnop/' >"$work/$1.objdump"
    if [[ " ${judges[*]} " == *" NexRv "* ]]; then
        NexRv -conv -objd "$work/$1.objdump" -pcinfo "$work/$1.unsorted" >"$work/$1.conversion"
        sed 's/^0x//' "$work/$1.unsorted" | awk -F, '{ printf "%16s 0x%s\n", $1, $0 }' |
            sort | sed 's/^ *[^ ]* //' >"$work/$1.pcinfo"
    fi
}

# NexRv does not know the messages of stimuli.
trace() { # name harts cycles mode dialect registers: $out.rtd, and $out.commits.HART
    local status=0 clock stimuli=on
    [[ $5 == sifive ]] || stimuli=off
    "$vp" run "$firmware/$1.elf" --quiet --max-cycles "$3" --console "$out.console" --trace "$out.rtd" \
        --trace-program "$4" --trace-itc $stimuli --set trace.timestamps="$5" --set trace.registers="$6" \
        --set harts="$2" "${filter_options[@]}" \
        --vcd "$out.vcd" --vcd-groups commit 2>"$out.errors" || status=$?
    if ((status != 0 && status != 124)); then
        head -n 1 "$out.errors"
        return 1
    fi
    clock=$(sed -n 's/^clock_hz = //p' "$out.rtd.toml")
    commits_of "$out.vcd" "$out.commits" $((1000000000 / clock))
}

# "source address", as dqr and as NexRv list it, and as pes-decode does.
list_dqr() { # name harts mode
    local options=("-$3") none=0
    [[ $3 != htm-plain ]] || options=(-htmnoopt)
    (($2 == 1)) || options+=(-srcbits=1)
    dqr -t "$out.rtd" -e "$work/$1.elf" -od "$objdump" "${options[@]}" -nosrc -nofile -nofunc \
        >"$out.dqr.log" 2>&1 || none=1
    grep -aE '^(\[[0-9]+\])? +[0-9a-f]+: +[0-9a-f]{4}' "$out.dqr.log" |
        sed -E 's/^\[([0-9]+)\]/\1/; t; s/^/0/' | sed -E 's/^([0-9]+) +0*([0-9a-f]+):.*/\1 0x\2/'
    return "$none"
}
list_NexRv() { # name harts mode
    NexRv -deco "$out.rtd" -pcinfo "$work/$1.pcinfo" -pcout "$out.pcout" -none >"$out.NexRv.log" 2>&1 || return 1
    tr A-F a-f <"$out.pcout" | sed 's/^/0 /'
}
list_ours() { # name
    "$decode" trace "$out.rtd" --strict --elf "$firmware/$1.elf" --instructions "$out.flow" \
        >"$out.ours.log" 2>&1 || return 1
    grep -v '^#' "$out.flow" | sed -E 's/^\[([0-9]+)\] [^ ]+/\1/; t; s/^[^ ]+/0/' |
        sed -E 's/^([0-9]+) 0x0*([0-9a-f]+) .*/\1 0x\2/'
}

# Whether `found` holds the commits of each hart, in order.
compare() { # judge harts found
    local hart
    for ((hart = 0; hart < $2; hart++)); do
        sed -n "s/^$hart //p" "$3" >"$3.$hart"
        if [[ ! -s $out.commits.$hart ]]; then
            echo "nothing retired on hart $hart"
            return 1
        fi
        if ! cmp -s "$out.commits.$hart" "$3.$hart"; then
            echo "$1 lists $(wc -l <"$3.$hart") instructions of hart $hart, of $(wc -l <"$out.commits.$hart")," \
                "first difference in $(cmp "$out.commits.$hart" "$3.$hart" 2>&1 | sed 's/.*, //')"
            return 1
        fi
    done
}

cell() { # judge name harts cycles mode registers
    local dialect=sifive reader
    [[ $1 == dqr ]] || dialect=n-trace
    out=$work/$2-$5-$dialect-$6
    if ! trace "$2" "$3" "$4" "$5" "$dialect" "$6"; then
        return 1
    fi
    for reader in "$1" ours; do
        if ! "list_$reader" "$2" "$3" "$5" >"$out.$reader.list"; then
            echo "$reader fails: $(grep -v '^$' "$out.$reader.log" | tail -n 1)"
            return 1
        fi
        compare "$reader" "$3" "$out.$reader.list" || return 1
    done
}

# The files of events, by dqr and by pes-decode, byte for byte.
event_cell() { # name harts cycles
    local bits=0
    out=$work/$1-events
    (($2 == 1)) || bits=1
    trace "$1" "$2" "$3" events sifive sifive || return 1
    rm -rf "$out"
    mkdir -p "$out/dqr" "$out/ours"
    cp "$out.rtd" "$out/dqr/trace.rtd" # it writes next to the trace
    printf '%s\n' "rtd=$out/dqr/trace.rtd" "elf=$work/$1.elf" "objdump=$objdump" \
        teinstruction=teInstEvent "srcbits=$bits" eventConversionEnable=true >"$out.properties"
    if ! dqr -sf "$out.properties" -nosrc -nofile -nofunc >"$out.dqr.log" 2>&1; then
        echo "dqr fails: $(grep -av '^$' "$out.dqr.log" | tail -n 1)"
        return 1
    fi
    if ! "$decode" trace "$out.rtd" --strict --elf "$work/$1.elf" --events --output-dir "$out/ours" \
        >"$out.ours.log" 2>&1; then
        echo "pes-decode fails: $(tail -n 1 "$out.ours.log")"
        return 1
    fi
    rm "$out/dqr/trace.rtd"
    if [[ ! -s $out/dqr/$1.events ]]; then
        echo "dqr writes no events"
        return 1
    fi
    if ! diff -r "$out/dqr" "$out/ours" >"$out.diff"; then
        echo "$(grep -c '^[<>]' "$out.diff") lines differ, first $(head -n 2 "$out.diff" | tail -n 1)"
        return 1
    fi
}

for program in "${programs[@]}"; do
    read -r name harts cycles <<<"$program"
    prepare "$name"
    if [[ " ${judges[*]} " == *" dqr "* && $name != trace_stimuli_1 ]]; then # that one chooses its mode
        if reason=$(event_cell "$name" "$harts" "$cycles"); then
            pass
            echo "dqr $name events: $(($(wc -l <"$work/$name-events/dqr/$name.events") - 1)) events"
        else
            fail "dqr $name events" "$reason"
        fi
        rm -rf "$work/$name-events"{,.vcd,.dqr.log}
    fi
    for judge in "${judges[@]}"; do
        if [[ $judge == NexRv ]] && ((harts > 1)); then
            continue # it has no SRC
        fi
        sets=(sifive) dialect=sifive
        [[ $judge == dqr ]] || dialect=n-trace
        [[ $judge == dqr || $name == trace_stimuli_1 ]] || sets=(sifive standard)
        for registers in "${sets[@]}"; do
            for mode in btm htm htm-plain; do
                if reason=$(cell "$judge" "$name" "$harts" "$cycles" "$mode" "$registers"); then
                    pass
                    commits=("$work/$name-$mode-$dialect-$registers".commits.?)
                    echo "$judge $name $mode $registers: $(cat "${commits[@]}" | wc -l) instructions"
                else
                    fail "$judge $name $mode $registers" "$reason"
                fi
                rm -f "$work/$name-$mode"-*.{vcd,flow,pcout,dqr.log,*.list,*.list.?}
            done
        done
    done
done

latched() {
    local reader
    out=$work/trace_standard_filters
    if ! latched_trace "$out.rtd" "$out.commits"; then
        echo "the program fails"
        return 1
    fi
    echo 'timestamps = "n-trace"' >"$out.rtd.toml"
    for reader in NexRv ours; do
        if ! "list_$reader" trace_standard_filters 1 htm >"$out.$reader.list"; then
            echo "$reader fails: $(grep -v '^$' "$out.$reader.log" | tail -n 1)"
            return 1
        fi
        compare "$reader" 1 "$out.$reader.list" || return 1
    done
}

if [[ " ${judges[*]} " == *" NexRv "* ]]; then
    prepare trace_standard_filters
    if reason=$(latched); then
        pass
        echo "NexRv trace_standard_filters: $(wc -l <"$work/trace_standard_filters.commits.0") instructions"
    else
        fail "NexRv trace_standard_filters" "$reason"
    fi
    for line in "${filtered[@]}"; do
        choose_filter "$line"
        prepare "$name"
        for mode in btm htm htm-plain; do
            if reason=$(cell NexRv "$name" 1 "$cycles" "$mode" standard); then
                pass
                echo "NexRv $name $mode ${filter_options[*]}:" \
                    "$(wc -l <"$work/$name-$mode-n-trace-standard.commits.0") instructions"
            else
                fail "NexRv $name $mode ${filter_options[*]}" "$reason"
            fi
            rm -f "$work/$name-$mode"-*.{vcd,flow,pcout,*.list,*.list.?}
        done
    done
fi
finish reference-decoders "programs"
