#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: sdk.sh PES_VP PES_DECODE SDK EXAMPLES WORK_DIRECTORY
# Programs that are built with the SDK as a user builds them: console, files, exit codes, traps, C++.
set -euo pipefail
vp=$1 decode=$2 sdk=$3 examples=$4 work=$5
compiler=riscv64-unknown-elf-
rm -rf "$work"
mkdir -p "$work/files"
cd "$work"
fail() {
    echo "sdk: $1" >&2
    exit 1
}
build() { # source options...
    "${compiler}gcc" --specs="$sdk/pes.specs" -O2 -g -Wall -Wextra -Werror "$1" -o "$(basename "${1%.*}").elf" "${@:2}"
}
expect_exit() { # code program options...
    local status=0
    "$vp" run "$2.elf" --quiet "${@:3}" >out 2>err || status=$?
    [[ $status == "$1" ]] || fail "$2: exit code $status, expected $1: $(cat out err)"
}

build "$examples/hello.c"
expect_exit 0 hello --guest-files files
grep -Eq '^sum 9\.787606, [0-9]+ cycles, [0-9]+ instructions$' out || fail "hello: $(cat out)"
[[ $(sed -n 1p files/hello.csv) == cycles,instructions ]] || fail "hello.csv"
expect_exit 1 hello # no folder: perror
grep -q '^hello.csv: Permission denied' out || fail "perror: $(cat out)"

build "$examples/sampling.c"
expect_exit 0 sampling
samples=$(wc -l <out)
((samples > 300)) || fail "$samples samples"
[[ $(head -n 1 out) =~ ^0x8000[0-9a-f]+$ ]] || fail "sample $(head -n 1 out)"

# The trace performance library: each call of fib(8) has a record of its entry and one of its exit.
build "$examples/fib.c" -finstrument-functions
expect_exit 0 fib --guest-files files
[[ $(cat out) == "fib(8) = 21, 0 records lost" ]] || fail "fib: $(cat out)"
"$decode" trace files/fib.rtd --elf fib.elf --perf --fixed >trace.out 2>&1 || fail "fib: $(cat trace.out)"
[[ $(grep -c 'Func Enter' files/fib.perf) == 67 && $(grep -c 'Func Exit' files/fib.perf) == 67 ]] ||
    fail "fib: $(head -n 20 files/fib.perf)"

# The library and the language, as their standards have them.
cat >library.c <<'END'
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __thread int local = 41, zero;
static int constructed;
__attribute__((constructor)) static void construct(void) { constructed = 1; }
static void at_exit(void) { printf("at exit\n"); }

int main(int count, char** words) {
    char line[32], *const heap = malloc(1 << 20);
    int checks[] = {
        count == 1 && words[1] == NULL,
        ++local == 42 && zero == 0 && constructed,
        heap != NULL && malloc((size_t)1 << 30) == NULL,
        fabs(sqrt(2.0) * sqrt(2.0) - 2.0) < 1e-12,
        fopen("missing", "r") == NULL && errno == ENOENT,
    };
    for (unsigned i = 0; i < sizeof checks / sizeof checks[0]; ++i)
        if (!checks[i])
            return 10 + (int)i;
    memset(heap, 1, 1 << 20);
    FILE* file = fopen("text", "w+");
    if (file == NULL || fprintf(file, "one\ntwo\n") != 8 || fseek(file, 4, SEEK_SET) != 0 ||
        fgets(line, sizeof line, file) == NULL || strcmp(line, "two\n") != 0)
        return 20;
    fclose(file);
    file = fopen("text", "a");
    fputs("three\n", file);
    if (ftell(file) != 14 || fclose(file) != 0)
        return 21;
    atexit(at_exit);
    int number = 0;
    if (fgets(line, sizeof line, stdin) == NULL || sscanf(line, "%d", &number) != 1)
        return 22;
    fprintf(stderr, "an error\n");
    printf("%s got %d %5.2f", "it", number, 1.0 / 3);
    exit(number);
}
END
build library.c -lm
echo 77 >in
expect_exit 77 library --guest-files files --console-input in
[[ $(cat out) == $'an error\nit got 77  0.33at exit' ]] || fail "library: $(cat out)"
[[ $(cat files/text) == $'one\ntwo\nthree' ]] || fail "text: $(cat files/text)"

printf 'volatile unsigned long where = 8;\nint main(void) { *(volatile int*)where = 1; return 0; }\n' >trap.c
build trap.c
expect_exit $((128 + 7)) trap
grep -Eq '^unexpected trap: mcause 0x7, mepc 0x8000[0-9a-f]+, mtval 0x8$' out || fail "trap: $(cat out)"

cat >object.cpp <<'END'
#include <pes.h>
#include <stdio.h>
namespace {
struct Object {
    Object() { puts("made"); }
    ~Object() { puts("gone"); }
} object;
}
int main() { return pes_cycles() > 100 ? 5 : 0; }
END
build object.cpp -fno-exceptions -fno-rtti
expect_exit 5 object
[[ $(cat out) == $'made\ngone' ]] || fail "C++: $(cat out)"

# Too big for the memory that it may use: a sentence of the linker; more memory: it fits.
printf 'static volatile char big[80000000];\nint main(void) { big[79999999] = 3; return big[79999999]; }\n' >big.c
! build big.c 2>err || fail "a program that does not fit"
grep -q 'defsym=__memory_size' err || grep -q "region .dram. overflowed" err || fail "big: $(cat err)"
build big.c -Wl,--defsym=__memory_size=128M
expect_exit 3 big
