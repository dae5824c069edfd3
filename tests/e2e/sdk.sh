#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: sdk.sh PES_VP PES_DECODE SDK EXAMPLES FIRMWARE WORK_DIRECTORY
# Programs that are built with the SDK as a user builds them, in machine mode and in supervisor mode behind
# firmwares: console, files, exit codes, traps, harts, libraries, C++.
set -euo pipefail
vp=$1 decode=$2 sdk=$3 examples=$4 firmware=$5 work=$6
opensbi=/usr/lib/riscv64-linux-gnu/opensbi/generic/fw_jump.elf
compiler=riscv64-unknown-elf-
rm -rf "$work"
mkdir -p "$work/files"
cd "$work"
work=$PWD
fail() {
    echo "sdk: $1" >&2
    exit 1
}
build() { # source options...
    "${compiler}gcc" --specs="$sdk/pes.specs" -O2 -g -Wall -Wextra -Werror "$1" -o "$(basename "${1%.*}").elf" "${@:2}"
}
build_supervisor() { # source options...: NAME.supervisor.elf
    "${compiler}gcc" --specs="$sdk/pes-supervisor.specs" -O2 -g -Wall -Wextra -Werror "$1" \
        -o "$(basename "${1%.*}").supervisor.elf" "${@:2}"
}
expect_code() { # code what command...
    local status=0
    "${@:3}" >out 2>err || status=$?
    [[ $status == "$1" ]] || fail "$2: exit code $status, expected $1: $(cat out err)"
}
expect_exit() { # code program options...
    expect_code "$1" "$2" "$vp" run "$2.elf" --quiet "${@:3}"
}
expect_supervisor() { # code program firmware options...
    expect_code "$1" "$2 on $3" "$vp" run --firmware "$3" --kernel "$2.supervisor.elf" --quiet "${@:4}"
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
    if (fgets(line, sizeof line, stdin) == NULL || sscanf(line, "%d", &number) != 1 || getchar() != EOF)
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

# .bss is cleared by words, and to its last byte also where that ends between two: here it has other values in the file.
cat >bss.c <<'END'
#include <pes.h>
volatile char big[1 << 20];
extern volatile char filled[21], behind;
int main(void) {
    const uint64_t instructions = pes_instructions();
    for (int i = 0; i < 21; ++i)
        if (filled[i] != 0)
            return 1;
    return behind != 0x5A ? 2 : big[5] != 0 ? 3 : instructions > 600000 ? 4 : 0;
}
END
sed -e '/^    \.bss/s/ (NOLOAD)//' -e 's/^        __bss_end = \.;/        filled = .; QUAD(-1) QUAD(-1) LONG(-1) BYTE(-1)\n&\n        behind = .; BYTE(0x5A); . = ALIGN(16);/' \
    "$sdk/lib/pes.ld" >bss.ld
build bss.c -T bss.ld
expect_exit 0 bss

# Too big for the memory that it may use: a sentence of the linker; more memory: it fits.
printf 'static volatile char big[80000000];\nint main(void) { big[79999999] = 3; return big[79999999]; }\n' >big.c
! build big.c 2>err || fail "a program that does not fit"
grep -q 'defsym=__memory_size' err || grep -q "region .dram. overflowed" err || fail "big: $(cat err)"
build big.c -Wl,--defsym=__memory_size=128M
expect_exit 3 big

# Other harts: each has a number, a stack and thread-local storage of its own; the standard library is one for all.
cat >threads.c <<'END'
#include <errno.h>
#include <pes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 8, kTurns = 200 };
static __thread unsigned turns = 5;
static __thread char name[16];
static unsigned ended[kMost];
static int mixed;

static void work(void* argument) {
    const unsigned hart = (unsigned)(uintptr_t)argument;
    if (hart != pes_hart_id() || turns != 5 || name[0] != 0)
        mixed = 1;
    snprintf(name, sizeof name, "hart %u", hart);
    for (; turns < 5 + kTurns; ++turns) {
        char* const room = malloc(100 + hart);
        memset(room, (int)hart, 100 + hart);
        for (unsigned i = 0; i < 100 + hart; ++i)
            if (room[i] != (char)hart)
                mixed = 1;
        free(room);
    }
    for (int line = 0; line < 3; ++line)
        printf("%s says %d of its lines\n", name, line);
    ended[hart] = turns;
}
int main(void) {
    const unsigned own = pes_hart_id(); /* a firmware may begin with any hart */
    unsigned started = 0;
    turns = 77; /* not what others begin with */
    for (unsigned hart = 0; hart < kMost; ++hart) {
        errno = 0;
        if (pes_hart_start(hart, work, (void*)(uintptr_t)hart) == 0)
            started |= 1U << hart;
        else if (errno != (hart == own ? EBUSY : ENODEV))
            return 1;
    }
    int harts = 1;
    for (int again = 0; again < 2; ++again) {
        for (unsigned hart = 0; hart < kMost; ++hart) {
            if ((started >> hart & 1) == 0)
                continue;
            while (pes_hart_runs(hart)) {
            }
            if (ended[hart] != 5 + kTurns)
                return 2;
            ended[hart] = 0;
            harts += again;
            if (again == 0 && pes_hart_start(hart, work, (void*)(uintptr_t)hart) != 0)
                return 3;
        }
    }
    return mixed ? 4 : 100 + harts;
}
END
build threads.c
build_supervisor threads.c
for harts in 1 4; do
    expect_exit $((100 + harts)) threads --set harts=$harts
    [[ $(grep -Ec '^hart [1-7] says [0-2] of its lines$' out) == $(((harts - 1) * 6)) && $(wc -l <out) == $(((harts - 1) * 6)) ]] ||
        fail "lines of harts: $(cat out)"
    for which in "$firmware" "$opensbi"; do
        [[ -e $which ]] || continue
        expect_supervisor $((100 + harts)) threads "$which" --set harts=$harts
        [[ $(grep -Ec 'hart [0-7] says [0-2] of its lines' out) == $(((harts - 1) * 6)) ]] || fail "lines on $which: $(cat out)"
    done
done
# Thread-local storage of zeros alone is a hart's own too, wherever .data ends before it.
cat >storage.c <<'END'
#include <pes.h>
#include <stdlib.h>
#include <string.h>
static __thread volatile char zeros[132];
char data[PAD] = {1};
static volatile int filled, wrong;
static void work(void* argument) {
    (void)argument;
    while (!filled) {
    }
    for (unsigned i = 0; i < sizeof zeros; ++i)
        if (zeros[i] != 0)
            wrong = 1;
    if (pes_hart_id() != 1)
        wrong = 2;
}
int main(void) {
    if (pes_hart_start(1, work, NULL) != 0)
        return 3;
    for (int block = 0; block < 64; ++block) /* small ones, which fill what is left between large ones */
        memset(malloc(16), 0x55, 16);
    filled = data[0];
    while (pes_hart_runs(1)) {
    }
    return wrong;
}
END
for pad in 8 24 40 56; do
    build storage.c -DPAD=$pad
    expect_exit 0 storage --set harts=2
done
build "$examples/harts.c"
expect_exit 0 harts --set harts=3
[[ $(grep -c ': [0-9]* cycles$' out) == 3 && $(tail -n 1 out) == "3 harts: 536854528" ]] || fail "harts: $(cat out)"

# Supervisor mode: the same C library behind two firmwares, and on another machine.
build_supervisor library.c -lm
echo 77 >in
expect_supervisor 77 library "$firmware" --guest-files files --console-input in
[[ $(cat out) == $'an error\nit got 77  0.33at exit' ]] || fail "library in supervisor mode: $(cat out)"
build_supervisor trap.c
expect_supervisor $((128 + 7)) trap "$firmware"
grep -Eq '^unexpected trap: scause 0x7, sepc 0x802[0-9a-f]+, stval 0x8$' out || fail "trap: $(cat out)"
build_supervisor "$examples/supervisor.c"
for which in "$firmware" "$opensbi"; do
    [[ -e $which ]] || continue
    expect_supervisor 0 supervisor "$which"
    # 8192 loads, each of another line
    misses=$(sed -n 's/^hart 0: \([0-9]*\) misses in [0-9]* cycles\r*$/\1/p' out)
    ((misses >= 8192 && misses < 8192 + 200)) || fail "supervisor on $which: $(cat out)"
done
build_supervisor "$examples/papi.c"
expect_supervisor 0 papi "$firmware"
loads=$(sed -n 's/^PAPI_LD_INS //p' out)
((loads >= 1000 && loads < 1100)) || fail "papi: $(cat out)"

# The trace module: each step of 27 to 1, 111 of them, is an event.
build "$examples/events.c"
expect_exit 0 events --osd-trace events.osd
"$decode" trace --format osd events.osd --csv - >events.csv
[[ $(grep -c ',event,0x0100,' events.csv) == 111 ]] && grep -q 'text,.*hailstones of 27' events.csv || fail "events: $(head events.csv)"

# The headers as the specifications have them.
cat >headers.c <<'END'
#include <pes_platform.h>
#include <pes_sample.h>
#include <pes_sbi.h>
#include <stddef.h>
/* SBI 3.0, chapters 3, 4, 9, 11, 12 */
_Static_assert(SBI_EXT_HSM == 0x48534D && SBI_EXT_PMU == 0x504D55 && SBI_EXT_DBCN == 0x4442434E, "extensions");
_Static_assert(SBI_ERR_INVALID_PARAM == -3 && SBI_ERR_NO_SHMEM == -9 && SBI_ERR_IO == -13, "errors");
_Static_assert(SBI_EXT_PMU_COUNTER_CFG_MATCH == 2 && SBI_PMU_CFG_FLAG_SET_MINH == 1 << 7, "PMU");
_Static_assert(sizeof(struct pes_sample) == 64 && offsetof(struct pes_sample, pc) == 24, "record");
_Static_assert(sizeof(struct pes_sample_details) == 40, "details");
_Static_assert(PES_DRAM_BASE == 0x80000000, "platform");
int main(void) { return 0; }
END
build headers.c -pedantic
build_supervisor headers.c -pedantic

# Host files: what the firmware refuses, and what the host says.
cat >host.c <<'END'
#include <pes_platform.h>
#include <pes_sbi.h>
static long call(uint64_t function, uint64_t a, uint64_t b, uint64_t c, long value) {
    const struct sbiret answer = pes_sbi_call(SBI_EXT_PES_HOST, function, a, b, c, 0, 0);
    return answer.error != SBI_SUCCESS ? answer.error : answer.value == value ? 1 : 0;
}
int main(void) {
    static char name[] = "missing", room[8];
    const uint64_t at = (uint64_t)name;
    const struct { long got, expected; } checks[] = {
        {call(SBI_EXT_PES_HOST_OPEN, PES_DRAM_BASE, 8, 0, 0), SBI_ERR_INVALID_ADDRESS},
        {call(SBI_EXT_PES_HOST_OPEN, at, 8, 0, -2), 1}, /* ENOENT */
        {call(SBI_EXT_PES_HOST_READ, 4, PES_UART_BASE, 8, 0), SBI_ERR_INVALID_ADDRESS},
        {call(SBI_EXT_PES_HOST_READ, 4, (uint64_t)room, 8, -9), 1}, /* EBADF */
        {call(SBI_EXT_PES_HOST_WRITE, 2, at, 1, 0), SBI_ERR_INVALID_PARAM},
        {call(SBI_EXT_PES_HOST_WRITE, 7, at, 1, -9), 1},
        {call(SBI_EXT_PES_HOST_WRITE, 1, PES_DRAM_BASE, 1, 0), SBI_ERR_INVALID_ADDRESS},
        {call(SBI_EXT_PES_HOST_SEEK, 4, 0, 0, -9), 1},
        {call(SBI_EXT_PES_HOST_CLOSE, 4, 0, 0, -9), 1},
        {call(SBI_EXT_PES_HOST_READ + 1, 0, 0, 0, 0), SBI_ERR_NOT_SUPPORTED},
    };
    for (unsigned i = 0; i < sizeof checks / sizeof checks[0]; ++i)
        if (checks[i].got != checks[i].expected)
            return 100 + (int)i;
    return 0;
}
END
build_supervisor host.c
expect_supervisor 0 host "$firmware" --guest-files files

# Each example says how it is built and run.
mkdir -p commands bin
ln -sf "$vp" bin/pes-vp
ln -sf "$decode" bin/pes-decode
cp "$examples"/*.c commands
for example in "$examples"/*.c; do
    sed -n '2,/^ \*\//s/^ \*   //p' "$example" |
        sed "s:/usr/share/pes-vp/sdk/:$sdk/:; s:/usr/share/pes-vp/pes_firmware.elf:$firmware:" >commands/run.sh
    [[ $(wc -l <commands/run.sh) -ge 3 ]] || fail "no commands in $example"
    (cd commands && PATH=$work/bin:$PATH bash -eo pipefail run.sh >run.out 2>&1) ||
        fail "the commands of $example: $(tail -n 5 commands/run.out)"
done
