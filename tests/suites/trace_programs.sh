# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Programs whose traces the decoders of others read: name, harts, most cycles. For the scripts beside it, which set
# `here` to this folder.
# shellcheck disable=SC2034,SC2154
programs=(
    "hello 1 300000"
    "workload 1 300000"
    "pes_test 1 300000"
    "sampled_work_all_modes 1 200000"
    "sampling_loop_float 1 100000"
    "bench_fp_matmul 1 100000"
    "bench_fp_matmul_timer 1 100000"
    "bench_int_mix 1 100000"
    "bench_int_mix_sampling 1 100000"
    "bench_mem_walk 1 100000"
    "lab_branchy 1 100000"
    "lab_core_mix 1 100000"
    "lab_floating 1 100000"
    "lab_hash 1 100000"
    "lab_layers 1 100000"
    "lab_matrix 1 100000"
    "lab_pointer 1 100000"
    "lab_sort 1 100000"
    "harts_memory_2 2 100000"
)

# Filters of the standard registers: name, most cycles | options of pes-vp run | the rule for qualified.awk.
# shellcheck disable=SC2034
filtered=(
    "sampled_work_all_modes 200000|--trace-mode u|-v modes=u"
    "sampled_work_all_modes 200000|--trace-mode s,m|-v modes=sm"
    "bench_int_mix 100000|--trace-range 0x80000100-0x80000180|-v ranges=0x80000100\ 0x80000180"
    "sampling_loop_float 100000|--trace-traps interrupts|-v traps=interrupt"
)

# Options of the cell at hand, and its rule; none: no filter.
filter_options=() filter_rule=()
# Puts a line of the table there: sets name and cycles as well.
choose_filter() { # line
    local options rule
    IFS='|' read -r cell options rule <<<"$1"
    read -r name cycles <<<"$cell"
    read -ra filter_options <<<"$options"
    # shellcheck disable=SC2162 # a backslash keeps a blank
    read -a filter_rule <<<"$rule"
}

# The instructions that retire in a waveform, in $2.HART: those that the filter lets through.
commits_of() { # waveform prefix clock-period
    local detail hart
    detail=$((${#filter_rule[@]} != 0))
    awk -f "$here/commits.awk" -v detail=$detail -v out="$2" -v period="$3" "$1"
    for hart in "$2".?; do
        ((!detail)) || { awk -f "$here/qualified.awk" "${filter_rule[@]}" "$hart" >"$hart.all" && mv "$hart.all" "$hart"; }
    done
}

# trace_standard_filters sets a latch and a watchpoint and traces itself: its trace, and the instructions from enter()
# to the first of leave() in $2.HART.
latched_trace() { # trace prefix options...
    local trace=$1 prefix=$2 program=$firmware/trace_standard_filters.elf symbol
    local -A at
    shift 2
    for symbol in enter leave; do
        at[$symbol]=$("$objdump" -t "$program" | awk -v name=$symbol '$NF == name { sub(/^0*/, "", $1); print "0x" $1 }')
    done
    mkdir -p "$prefix.files"
    "$vp" run "$program" --quiet --set trace.registers=standard --guest-files "$prefix.files" --vcd "$prefix.vcd" \
        --vcd-groups commit "$@" 2>"$prefix.errors" || return 1
    mv "$prefix.files/filters.rtd" "$trace"
    awk -f "$here/commits.awk" -v out="$prefix" -v period=20 "$prefix.vcd"
    awk -v enter="${at[enter]}" -v leave="${at[leave]}" '
        $1 == enter { on = 1 }
        on { print }
        $1 == leave { on = 0 }' "$prefix.0" >"$prefix.latched"
    mv "$prefix.latched" "$prefix.0"
}
