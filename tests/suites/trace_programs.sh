# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Programs whose traces the decoders of others read: name, harts, most cycles. For the scripts beside it.
# shellcheck disable=SC2034
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
