#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: library.sh CMAKE BUILD_DIRECTORY SOURCE_DIRECTORY PACKAGE CC VERILATOR WORK_DIRECTORY
# libpes_hpm as its users have it, installed and found by pkg-config: a C11 program whose sequences are
# counted by hand, with the shared and the static library; and a testbench in SystemVerilog that
# compares pes_hpm with it over DPI, and finds errors in copies of pes_hpm. VERILATOR may be empty.
set -euo pipefail
cmake=$1 build=$2 source=$3 package=$4 cc=$5 verilator=$6 work=$7
here=$source/tests/unit/hpm/library
rm -rf "$work"
mkdir -p "$work"
fail() { echo "$*" >&2; exit 1; }

"$cmake" --install "$build" --component hpm --prefix "$work/installed" >"$work/install.log"
PKG_CONFIG_PATH=$(dirname "$(find "$work/installed" -name pes-hpm.pc)")
export PKG_CONFIG_PATH
[[ $(pkg-config --modversion pes-hpm) =~ ^[0-9]+\.[0-9]+ ]] || fail "pkg-config has no version"
library=$(pkg-config --variable=libdir pes-hpm)
export LD_LIBRARY_PATH=$library
read -ra flags <<<"$(pkg-config --cflags --libs pes-hpm)"

# Nothing but the interface is to be seen, and nothing but the C library is needed.
symbols=$(nm -D --defined-only "$library/libpes_hpm.so" | awk '{ print $3 }')
[[ $(grep -c '^pes_hpm_' <<<"$symbols") == 13 ]] || fail "symbols: $symbols"
! grep -v '^pes_hpm_' <<<"$symbols" || fail "exported without the prefix"
! readelf -d "$library/libpes_hpm.so" | grep NEEDED | grep 'stdc++' || fail "needs a C++ library"
# Every function of the header is there, and is declared for DPI.
for function in $symbols; do
    grep -q "\b$function(" "$work/installed/include/pes_hpm.h" || fail "$function: not in the header"
    grep -q "import \"DPI-C\" function .*\b$function(" "$work/installed/include/pes_hpm_dpi.svh" ||
        fail "$function: not in pes_hpm_dpi.svh"
done

warnings=(-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion -Werror)
"$cc" "${warnings[@]}" "$here/counting.c" -o "$work/shared" "${flags[@]}"
"$work/shared" || fail "with the shared library"
"$cc" "${warnings[@]}" "$here/counting.c" -o "$work/static" -I"$work/installed/include" \
    "$library/libpes_hpm.a" -lstdc++
LD_LIBRARY_PATH='' "$work/static" || fail "with the static library"

if [[ -z $verilator ]]; then
    echo "verilator not found: no testbench with DPI"
    exit 0
fi
bench() { # name
    "$verilator" --binary -Wno-lint -Wno-style -Wno-fatal --top-module dpi_bench --Mdir "$work/$1/obj" \
        +incdir+"$work/installed/include" "$package" \
        "$work/$1"/pes_{counter_file,counter,threshold,sample_buffer,sample_capture,sample_registers,hpm}.sv \
        "$here/dpi_bench.sv" -LDFLAGS "-L$library -lpes_hpm" >"$work/$1.log" 2>&1 ||
        { cat "$work/$1.log" >&2; fail "verilator: $1"; }
    "$work/$1/obj/Vdpi_bench" | grep -E '^(PASS|FAIL)' | head -n 1
}
mutant() { # name file text wrong
    cp -r "$source/hw/hpm/rtl" "$work/$1"
    local content
    content=$(<"$work/$1/$2")
    [[ ${content/"$3"/} != "$content" ]] || fail "$2 has not: $3"
    printf '%s\n' "${content/"$3"/"$4"}" >"$work/$1/$2"
    local result
    result=$(bench "$1")
    echo "$1: $result"
    [[ $result == "FAIL: cycle "* ]] || fail "$1 is not found"
}
cp -r "$source/hw/hpm/rtl" "$work/rtl"
result=$(bench rtl)
echo "pes_hpm: $result"
[[ $result == "PASS: 60000 cycles, 60000 registers" ]] || fail "pes_hpm differs from the library"
mutant filter_of_the_neighbour pes_counter_file.sv "(filter_q[n] & mode) == '0" \
    "(filter_q[n == 4 ? 5 : n] & mode) == '0"
mutant overflow_request_with_of_set pes_counter_file.sv "overflowed_q <= !of_q" "overflowed_q <= 1'b1"
