#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: scripts/papi_sources.sh PAPI HEADERS
# How many of PAPI's own examples and tests compile with our papi.h. PAPI: a clone of its
# repository, HEADERS: those of a C library for RISC-V. One line a source that compiles with PAPI's
# header but not with ours, with the first error, then the numbers of both. Some sources compile with
# neither: they need MPI or OpenMP, or lack an include. It only compiles: most of the programs print
# with stdio and take argv, which a payload does not have.
set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
papi=$(cd "$1" && pwd)/src headers=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/ours" "$work/theirs"
echo '#include "firmware/papi/papi.h"' >"$work/ours/papi.h"
cp "$papi/papi.h" "$papi/papiStdEventDefs.h" "$work/theirs"
: >"$work/theirs/papi_components_config_event_defs.h" # their configure writes it

compiles() { # ours|theirs source
    "${CC:-riscv64-unknown-elf-gcc}" -std=gnu11 -fsyntax-only -Werror=implicit-function-declaration \
        -I"$work/$1" -I"$project" -I"$papi/testlib" -I"$papi/validation_tests" \
        -isystem "$headers" -D__linux__ -D__gnu_linux__ "$2" >"$work/$1.txt" 2>&1
}

declare -A good=([ours]=0 [theirs]=0)
all=0
for source in "$papi"/ctests/*.c "$papi"/examples/*.c "$papi"/examples/*/*.c; do
    ((++all))
    for header in ours theirs; do
        ! compiles $header "$source" || ((++good[$header]))
    done
    if grep -q error: "$work/ours.txt" && ! grep -q error: "$work/theirs.txt"; then
        echo "${source#"$papi/"}: $(grep -m 1 error: "$work/ours.txt" | sed 's/.*error: //')"
    fi
done
echo "$all sources: ${good[ours]} compile with our header, ${good[theirs]} with PAPI's"
