#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: sdk_language.sh PES_VP SDK FIRMWARE WORK_DIRECTORY
# C++ programs that are built with the SDK: memory, statics of functions, thread-local objects, virtual functions, and
# what the end of a program does, in both modes. No option of the compiler but the specs.
set -euo pipefail
vp=$1 sdk=$2 firmware=$3 work=$4
rm -rf "$work"
mkdir -p "$work"
cd "$work"
fail() {
    echo "sdk_language: $1" >&2
    exit 1
}
build() { # name mode compiler
    "riscv64-unknown-elf-$3" --specs="$sdk/$2.specs" -std=gnu++20 -O2 -g -Wall -Wextra -Werror "$1.cpp" -o "$1.$2.elf"
}
expect() { # code name mode options...
    local code=0 program=("$2.$3.elf")
    [[ $3 == pes ]] || program=(--firmware "$firmware" --kernel "$2.$3.elf")
    "$vp" run "${program[@]}" --quiet "${@:4}" >out 2>err || code=$?
    [[ $code == "$1" ]] || fail "$2, $3: exit code $code, expected $1: $(cat out err)"
}

# Every form of new and delete, with its constructors and destructors, and the order of what happens at the end.
cat >objects.cpp <<'END_OF_PROGRAM'
#include <initializer_list>
#include <new>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int living;
struct Thing {
    int value = 7;
    Thing() { ++living; }
    ~Thing() { --living; }
};
struct alignas(256) Wide {
    char bytes[300];
    Wide() { ++living; }
    ~Wide() { --living; }
};
struct Shape {
    virtual ~Shape() { ++living; }
    virtual int area() const = 0;
};
struct Square final : Shape {
    explicit Square(int length) : length_(length) {}
    int area() const override { return length_ * length_; }
    int length_;
};
struct Global {
    const char* name;
    explicit Global(const char* text) : name(text) { printf("made %s\n", name); }
    ~Global() { printf("gone %s\n", name); }
};
static Global first("first"), second("second");
static Global& local() {
    static Global made("local");
    return made;
}
static int sum(std::initializer_list<int> numbers) {
    int total = 0;
    for (int number : numbers)
        total += number;
    return total;
}
template <typename Kind> static bool aligned(const Kind* thing) {
    return reinterpret_cast<uintptr_t>(thing) % alignof(Kind) == 0;
}
static void* reserve;
static void give_back() {
    free(reserve);
    std::set_new_handler(nullptr);
}

int main() {
    enum { kTooMuch = 1 << 30, kNearlyAll = 40 << 20 };
    Thing* volatile one = new Thing;
    Thing* volatile many = new Thing[3];
    Wide* volatile wide = new Wide;
    Wide* volatile wides = new (std::nothrow) Wide[2];
    if (living != 7 || one->value != 7 || many[2].value != 7 || !aligned(wide) || !aligned(wides))
        return 1;
    delete one;
    delete[] many;
    delete wide;
    delete[] wides;
    if (living != 0)
        return 2;
    alignas(Thing) char place[sizeof(Thing)];
    Thing* const here = new (place) Thing;
    if (static_cast<void*>(here) != place || living != 1)
        return 3;
    here->~Thing();
    Shape* volatile shape = new Square(4);
    if (shape->area() != 16)
        return 4;
    delete shape;
    if (living != 1)
        return 5;
    char* volatile none = new (std::nothrow) char[kTooMuch];
    void* volatile empty = ::operator new(0);
    if (none != nullptr || empty == nullptr)
        return 6;
    ::operator delete(empty);
    reserve = malloc(kNearlyAll);
    std::set_new_handler(give_back);
    delete[] new char[kNearlyAll];
    if (&local() != &local() || sum({1, 2, 39}) != 42)
        return 7;
    atexit([] { printf("at exit\n"); });
    return 42;
}
END_OF_PROGRAM
ending=$'made first\nmade second\nmade local\nat exit\ngone local\ngone second\ngone first'
for mode in pes pes-supervisor; do
    for compiler in gcc g++; do
        build objects "$mode" "$compiler"
        expect 42 objects "$mode"
        [[ $(cat out) == "$ending" ]] || fail "objects, $mode: $(cat out)"
    done
done

# A static of a function that four harts reach together is made once, and what a hart has of its own is gone with it.
cat >harts.cpp <<'END_OF_PROGRAM'
#include <pes.h>
#include <stdio.h>

static volatile int made, gone, ready;
struct Slow {
    int value = 0;
    Slow() {
        __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
        for (int turn = 0; turn < 2000; ++turn)
            asm volatile("");
        value = 5;
    }
};
struct Own {
    unsigned hart = pes_hart_id();
    ~Own() {
        if (hart == pes_hart_id())
            __atomic_fetch_add(&gone, 1, __ATOMIC_RELAXED);
    }
};
static thread_local Own own, another;
static int value() {
    static Slow slow;
    return slow.value;
}
static void work(void* result) {
    __atomic_fetch_add(&ready, 1, __ATOMIC_RELAXED);
    while (ready != 4) {
    }
    *static_cast<int*>(result) = value() + (own.hart == pes_hart_id() && another.hart == own.hart);
}
int main() {
    int results[4] = {};
    const unsigned self = pes_hart_id();
    for (unsigned hart = 0; hart < 4; ++hart)
        if (hart != self && pes_hart_start(hart, work, &results[hart]) != 0)
            return 1;
    work(&results[self]);
    for (unsigned hart = 0; hart < 4; ++hart)
        while (hart != self && pes_hart_runs(hart)) {
        }
    int sum = 0;
    for (int result : results)
        sum += result;
    printf("%d made, %d, %d gone\n", made, sum, gone);
    return 0;
}
END_OF_PROGRAM
for mode in pes pes-supervisor; do
    build harts "$mode" gcc
    expect 0 harts "$mode" --set harts=4
    [[ $(cat out) == "1 made, 24, 6 gone" ]] || fail "harts, $mode: $(cat out)"
done

# What the language leaves undefined, or would throw for, says so and ends the run as abort() would.
cat >pure.cpp <<'END_OF_PROGRAM'
struct Base {
    Base() { call(); }
    [[gnu::noinline]] void call() { asked(); }
    virtual void asked() = 0;
};
struct Derived : Base {
    void asked() override {}
};
int main() { Derived derived; }
END_OF_PROGRAM
printf 'int main() { return *new char[1UL << 40]; }\n' >memory.cpp
cat >itself.cpp <<'END_OF_PROGRAM'
static int depth;
static int value();
static int next() { return depth++ < 3 ? value() : 1; }
static int value() {
    static int made = next();
    return made;
}
int main() { return value(); }
END_OF_PROGRAM
expect_end() { # name sentence
    build "$1" pes gcc
    expect 134 "$1" pes
    [[ $(cat out) == "$2" ]] || fail "$1: $(cat out)"
}
expect_end pure 'a pure virtual function was called'
expect_end memory 'operator new: no memory for 1099511627776 bytes'
expect_end itself 'a static of a function needs itself for its own initialisation'
printf 'int main() { throw 1; }\n' >throws.cpp
! build throws pes gcc 2>err || fail "a program that throws"
grep -q 'exception handling disabled' err || fail "throws: $(cat err)"
