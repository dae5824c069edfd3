#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: program_words.sh PES_VP SDK EXAMPLES FIRMWARE OTHER_PROGRAM WORK_DIRECTORY
# Words behind `--` reach main() by both start-ups, that of the SDK and the one of README's "Your own program"; who does
# not ask for them does not see them.
set -euo pipefail
vp=$1 sdk=$2 examples=$3 firmware=$4 other=$5 work=$6
rm -rf "$work"
mkdir -p "$work/folder"
cd "$work"
fail() {
    echo "program_words: $1" >&2
    exit 1
}
expect() { # code what arguments...
    local code=0
    "$vp" "${@:3}" >out 2>err || code=$?
    [[ $code == "$1" ]] || fail "$2: exit code $code, expected $1: $(cat out err)"
}
expect_words() { # what words...: the lines of the program, the first of which is their number
    local expected
    expected=$(printf '%s\n' "$(($# - 1))" "${@:2}")
    [[ $(tr -d '\r' <out) == "$expected" ]] || fail "$1: $(cat out), expected $expected"
}
refused() { # sentence arguments...
    expect 2 "$1" "${@:2}"
    grep -qF -- "$1" err && [[ $(wc -l <err) == 1 ]] || fail "expected '$1': $(cat err)"
}

# What they are is theirs: main() may change its words.
cat >words.c <<'END_OF_PROGRAM'
#ifdef WITH_RUNTIME
#include "runtime.h"
static void say(const char* text) { print(text), print("\n"); }
static void say_number(int number) { print_number((uint64_t)number), print("\n"); }
#else
#include <stdio.h>
static void say(const char* text) { puts(text); }
static void say_number(int number) { printf("%d\n", number); }
#endif
int main(int count, char** words) {
    if (words[count] != 0)
        return 99;
    say_number(count);
    for (int i = 0; i < count; ++i) {
        say(words[i]);
        for (char* at = words[i]; *at != 0; ++at)
            *at = 'x';
    }
    return count;
}
END_OF_PROGRAM
riscv64-unknown-elf-gcc --specs="$sdk/pes.specs" -O2 -Wall -Wextra -Werror words.c -o folder/sdk.elf
riscv64-unknown-elf-gcc --specs="$sdk/pes-supervisor.specs" -O2 -Wall -Wextra -Werror words.c -o supervisor.elf
riscv64-unknown-elf-gcc -march=rv64gc -mabi=lp64d -mcmodel=medany -O2 -ffreestanding -nostdlib -DWITH_RUNTIME \
    -I"$examples" -T "$examples/program.ld" "$examples/start.S" "$examples/runtime.c" words.c -o folder/own.elf
for name in sdk own; do
    program=folder/$name.elf
    expect 3 "$name" run "$program" --quiet -- 5 x
    expect_words "$name" $name.elf 5 x
    expect 5 "$name, unusual words" run --quiet "$program" --set harts=2 -- --quiet 'two words' '' --
    expect_words "$name, unusual words" $name.elf --quiet 'two words' '' --
    expect 1 "$name, no words" run --quiet "$program" --
    expect_words "$name, no words" $name.elf
    expect 1 "$name, no dashes" run --quiet "$program"
    expect_words "$name, no dashes" program
    expect 2 "$name, profiled" profile --quiet "$program" -- 5
    sed -i 4,\$d out # the profile
    expect_words "$name, profiled" $name.elf 5
done

# With a kernel, a2 is OpenSBI's: a program that is the firmware does not take it for words.
expect 1 firmware run --quiet --firmware folder/sdk.elf --kernel supervisor.elf
expect_words firmware program
expect 1 supervisor run --quiet --firmware "$firmware" --kernel supervisor.elf
expect_words supervisor program

# A program that does not look for words runs as without: its cycles, and all it prints.
expect 0 without run "$other" --quiet --stats without.json
mv out without.out
expect 0 with run "$other" --quiet --stats with.json -- some words
cmp out without.out
counts() { # file: what hangs on the program alone
    grep -E '"(cycles|instructions|traps)"' "$1"
}
[[ $(counts with.json) == *cycles* && $(counts with.json) == "$(counts without.json)" ]] || fail "$other: $(diff without.json with.json)"

# A checkpoint is of a run with certain words.
expect 3 checkpoint run folder/sdk.elf --quiet --checkpoint-at main place.ckpt -- 5 x
expect 3 restored run folder/sdk.elf --quiet --restore place.ckpt -- 5 x
expect_words restored sdk.elf 5 x
refused "the words behind -- is \"sdk.elf\" \"5\" \"x\" in the checkpoint and \"sdk.elf\" \"6\" here" \
    run folder/sdk.elf --restore place.ckpt -- 6

refused "run: the words behind -- are for PROGRAM, expected --append TEXT for what --firmware starts" \
    run --firmware "$firmware" --kernel supervisor.elf -- 5
refused "profile: PROGRAM is missing" profile -- folder/sdk.elf
