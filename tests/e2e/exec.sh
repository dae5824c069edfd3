#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: exec.sh PES_VP WORK_DIRECTORY [C_COMPILER]
# `pes-vp exec` on Debian's kernel: streams, exit codes, the shared folder, and the counts of a program
# beside QEMU's. Exit code 77: Debian's packages cannot be fetched.
set -euo pipefail
vp=$1 work=$2 compiler=${3:-}
cache=$work/linux
tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
rm -rf "$work/here"
mkdir -p "$work/here/inside"
cd "$work/here"

fail() {
    echo "exec: $1" >&2
    exit 1
}

if ! "$vp" exec --prepare --cache "$cache" --quiet >"$work/prepare.log" 2>&1; then
    cat "$work/prepare.log" >&2
    ! grep -q 'cannot be fetched' "$work/prepare.log" || exit 77
    fail "no Linux could be prepared"
fi
run() { "$vp" exec --cache "$cache" "$@"; }

# A module that is none, or of another kernel, is refused in one sentence, and the Linux that is there stays; one that
# the kernel refuses leaves none.
refused_module() { # cache module sentence
    local status=0
    "$vp" exec --prepare --cache "$1" --module "$2" --quiet >"$work/out" 2>"$work/err" || status=$?
    sed -i '/ kernel and programs are in /d' "$work/err"
    [[ $status == 2 && ! -s $work/out && $(wc -l <"$work/err") == 1 ]] && grep -q "$3" "$work/err" ||
        fail "--module $2: $status, $(cat "$work/out" "$work/err")"
}
module=$cache/root/modules/9p.ko
kernel=$(readelf -p .modinfo "$module" | sed -n 's/.*vermagic=\([^ ]*\).*/\1/p')
echo text >"$work/text.ko"
head -c 1000 "$module" >"$work/short.ko"
sed 's/vermagic=[0-9]/vermagic=1/' "$module" >"$work/old.ko"
for file in text short; do
    refused_module "$cache" "$work/$file.ko" \
        "^pes-vp exec: --module: '$work/$file.ko' is no module, expected .* for .* kernel, $kernel$"
done
refused_module "$cache" "$work/old.ko" \
    "^pes-vp exec: --module: '$work/old.ko' is for kernel 1${kernel:1}, expected .* for .* kernel, $kernel$"
rm -rf "$work/refused"
mkdir "$work/refused"
cp -rl "$(dirname "$(dirname "$(find "$cache" -path '*/packages/with-modules')")")" "$work/refused"
refused_module "$work/refused" "$module" \
    "^pes-vp exec: --module: the kernel does not load '$module' (File exists), expected .* $work/refused/console.log "
[[ ! -e $work/refused/checkpoint && ! -e $work/refused/kernel.elf ]] || fail "half a Linux in $work/refused"

# shellcheck disable=SC2016 # the guest's shell
# Streams, arguments, environment, folder, exit code.
printf 'from the input\nand a last line' >"$work/in"
status=0
run --quiet --env GREETING=hello -- busybox sh -c \
    'echo "$GREETING $1"; cat; pwd; ls; echo loud >&2; exit 42' name 'two words' \
    <"$work/in" >"$work/out" 2>"$work/err" || status=$?
[[ $status == 42 ]] || fail "exit code $status, expected 42"
printf 'hello two words\nfrom the input\nand a last line%s\ninside\n' "$PWD" >"$work/expected"
cmp "$work/out" "$work/expected"
echo loud | cmp - "$work/err"

# Each variable once, with the value that is given last.
run --quiet --env X=1 --env HOME=/here --env LANG=C --env X=2 --env TERM=vt100 --env PATH=/bin -- /bin/busybox env \
    >"$work/out" </dev/null
sort "$work/out" | cmp - <(printf '%s\n' HOME=/here LANG=C PATH=/bin TERM=vt100 X=2) || fail "--env: $(cat "$work/out")"

# A program that is not there, one that cannot be started, one that a signal ends.
expect_code() { # code program...
    local code=$1 status=0
    shift
    run --quiet -- "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    [[ $status == "$code" ]] || fail "exit code $status of $*, expected $code: $(cat "$work/err")"
}
expect_code 127 ./nothing
grep -qx "pes-vp exec: './nothing': No such file or directory" "$work/err" || fail "$(cat "$work/err")"
echo text >inside/text
chmod 644 inside/text
expect_code 126 ./inside/text
expect_code 143 busybox sh -c 'kill -TERM $$'

# Threads: each by its thread pointer, and a child by its address space; all of them are the program.
if [[ -n $compiler ]]; then
    cat >threads.c <<'END'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static void* work(void* argument) {
    volatile long sum = 0;
    for (long i = 0; i < (long)argument * 100000; i++)
        sum += i;
    return 0;
}
int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, work, (void*)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    if (fork() == 0) {
        work((void*)5);
        _exit(0);
    }
    wait(0);
    return 0;
}
END
    "$compiler" -O1 -static -pthread threads.c -o threads
    run --threads threads.csv -- ./threads 2>"$work/err" </dev/null
    awk -F, -v program="$(awk '/^ instructions/ { gsub(",", "", $2); print $2 }' "$work/err")" '
        NR > 1 { sum += $8; if (!($1 in processes)) ++count; processes[$1] = 1; loops[NR] = int($8 / 100000 + 0.5) }
        END {
            for (row in loops) ++of[loops[row]]
            exit !(sum == program && count == 2 && of[5] == 1 && of[10] == 1 && of[15] == 1 && of[25] == 1)
        }' threads.csv || fail "threads: $(cat threads.csv "$work/err")"
fi

# The folder is read-only unless the user says otherwise, and nothing outside of it is there.
expect_code 1 busybox sh -c 'echo x >inside/new'
[[ ! -e inside/new ]] || fail "a read-only folder was written"
run --quiet --write -- busybox sh -c 'echo new >inside/new && busybox mv inside/new inside/moved' </dev/null
[[ $(cat inside/moved) == new ]] || fail "inside/moved"
expect_code 1 busybox sh -c "ls '$work/linux'"
# Nor what the agent talks to the host with.
expect_code 1 busybox sh -c 'cat /pes/command'
run --quiet -- busybox ls /pes >"$work/out" </dev/null
[[ ! -s $work/out ]] || fail "/pes: $(cat "$work/out")"

# A pipe that nobody reads ends who writes, as a shell would see it, or is an error of who ignores that.
status=0
run --quiet -- busybox yes 2>"$work/err" </dev/null | head -n 1 >"$work/out" || status=$?
[[ $status == 141 && $(cat "$work/out") == y && ! -s $work/err ]] || fail "SIGPIPE: $status, $(cat "$work/err")"
status=0
run --quiet -- sh -c 'trap "" PIPE; busybox yes; echo "ended with $?" >&2; exit 3' 2>"$work/err" </dev/null |
    head -n 1 >/dev/null || status=$?
[[ $status == 3 ]] && grep -q 'ended with 1' "$work/err" || fail "EPIPE: $status, $(cat "$work/err")"

# A full disk is an error of each program that writes.
status=0
run --quiet -- sh -c 'for i in 1 2 3; do busybox echo $i && exit 9; done; exit 4' >/dev/full 2>"$work/err" </dev/null ||
    status=$?
[[ $status == 4 && $(grep -c 'No space left' "$work/err") == 3 ]] || fail "ENOSPC: $status, $(cat "$work/err")"

# A shell is there for programs that start one; it outlives one that nobody reads.
status=0
run --quiet -- sh -c 'yes; echo "yes has ended" >&2' 2>"$work/err" </dev/null | head -n 1 >"$work/out" || status=$?
[[ $(cat "$work/out") == y ]] && grep -q 'yes has ended' "$work/err" || fail "pipe: $(cat "$work/err")"

# Two processes, and where their files were.
run --quiet --maps "$work/maps" -- busybox sh -c 'busybox true; busybox true; exit 0' </dev/null
[[ $(grep -c '^process ' "$work/maps") == 3 ]] || fail "processes of $work/maps"
[[ $(grep -c ' r-xp .*/bin/busybox$' "$work/maps") == 3 ]] || fail "mappings of $work/maps"

# The same bytes and cycles each time.
run --stats "$work/one.json" -- busybox sha256sum <"$vp" >"$work/sum" 2>"$work/counts"
[[ $(cut -d' ' -f1 "$work/sum") == $(sha256sum <"$vp" | cut -d' ' -f1) ]] || fail "sha256sum"
run --stats "$work/two.json" -- busybox sha256sum <"$vp" >/dev/null 2>"$work/again"
cmp "$work/counts" "$work/again"
# Counting begins at the checkpoint: the boot takes the kernel 1,000 million instructions.
read -r program kernel < <(sed -n 's/,//g; s/^ instructions *\([0-9]*\) *\([0-9]*\) .*/\1 \2/p' "$work/counts")
((program > 10000000 && kernel > 1000000 && kernel < 500000000)) || fail "instructions $program and $kernel"
[[ $(grep '"cycles"' "$work/one.json") == $(grep '"cycles"' "$work/two.json") ]] || fail "cycles differ"

# Interrupted, it prints the same table.
rm -f "$work/begun"
"$vp" exec --cache "$cache" -- busybox sh -c 'echo begun; while :; do :; done' >"$work/begun" 2>"$work/err" </dev/null &
until [[ -s $work/begun ]]; do
    kill -0 $! 2>/dev/null || fail "an endless program has ended: $(cat "$work/err")"
    sleep 0.2
done
kill -TERM $!
status=0
wait $! || status=$?
[[ $status == 130 ]] && grep -q "^ 'busybox': interrupted" "$work/err" &&
    grep -Eq '^ instructions( +[0-9,]+){4}$' "$work/err" || fail "interrupted: $status, $(cat "$work/err")"

# A compiled program, static and dynamic.
if [[ -n $compiler ]]; then
    cat >program.c <<'END'
#include <stdio.h>
int main(int count, char** words) {
    double sum = 0;
    for (int i = 1; i < 100000; ++i)
        sum += 1.0 / i;
    printf("%s %.6f\n", words[count - 1], sum);
    return count;
}
END
    "$compiler" -O2 -static program.c -o static
    "$compiler" -O2 program.c -o dynamic
    mkdir -p "$work/root"/{bin,tmp}
    cp static "$work/root/bin/inside"
    run --quiet --root "$work/root" -- inside word >"$work/out" </dev/null || true
    [[ $(cat "$work/out") == "word 12.090136" ]] || fail "--root: $(cat "$work/out")"
    # A root as `debootstrap --foreign` may leave it: /proc is a link, and a package is not unpacked.
    ln -sfn /proc "$work/root/proc"
    mkdir -p "$work/root/debootstrap"
    echo bc >"$work/root/debootstrap/base"
    printf '#include <stdio.h>\nint main(void) { return fopen("/proc/self/stat", "r") == 0; }\n' >stat.c
    "$compiler" -static stat.c -o "$work/root/bin/stat"
    run --quiet --root "$work/root" -- stat 2>"$work/err" </dev/null || fail "/proc of a root that has a link"
    grep -q "'bc' among them" "$work/err" || fail "foreign root: $(cat "$work/err")"
    rm -rf "$work/root/debootstrap"
    for kind in static dynamic; do
        status=0
        run --quiet -- "./$kind" word >"$work/out" </dev/null || status=$?
        [[ $status == 2 && $(cat "$work/out") == "word 12.090136" ]] || fail "$kind: $status, $(cat "$work/out")"
    done

    # The kernel names the extensions, and a function in two versions is the better one.
    cat >chosen.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

struct pair {
    int64_t key;
    uint64_t value;
};
static uint64_t extensions(void) { // asm/hwprobe.h: RISCV_HWPROBE_KEY_IMA_EXT_0
    register long a0 __asm__("a0");
    struct pair pair = {4, 0};
    a0 = (long)&pair;
    register long a1 __asm__("a1") = 1;
    register long a2 __asm__("a2") = 0;
    register long a3 __asm__("a3") = 0;
    register long a4 __asm__("a4") = 0;
    register long a7 __asm__("a7") = 258;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a7) : "memory");
    return a0 == 0 ? pair.value : 0;
}

static const char* how = "by one bit after the other";
static long plain(unsigned long value) {
    long ones = 0;
    for (; value != 0; value &= value - 1)
        ++ones;
    return ones;
}
static long better(unsigned long value) {
    long ones;
    how = "by cpop";
    __asm__(".option push\n.option arch,+zbb\ncpop %0,%1\n.option pop" : "=r"(ones) : "r"(value));
    return ones;
}
static void* resolve(void) { return extensions() >> 4 & 1 ? (void*)better : (void*)plain; }
long ones(unsigned long value) __attribute__((ifunc("resolve")));

int main(void) {
    const long count = ones(0x123456789);
    printf("%ld %s\n", count, how);
    static const struct {
        const char* name;
        int bit;
    } known[] = {{"zba", 3},   {"zbb", 4},   {"zbs", 5},     {"zbc", 7},   {"zbkb", 8}, {"zbkc", 9}, {"zbkx", 10},
                 {"zknd", 11}, {"zkne", 12}, {"zicond", 35}, {"zcb", 44}};
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; ++i)
        if (extensions() >> known[i].bit & 1)
            printf("%s ", known[i].name);
}
END
    "$compiler" -O2 -static chosen.c -o chosen
    run --quiet -- ./chosen >"$work/out" </dev/null || fail "chosen: $(cat "$work/out")"
    [[ $(cat "$work/out") == $'15 by cpop\nzba zbb zbs zbc zbkb zicond zcb ' ]] || fail "chosen: $(cat "$work/out")"

    # C++ with its library: of the prepared system.
    if command -v "${compiler%gcc}g++" >/dev/null; then
        cat >words.cpp <<'END'
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
int main() {
    std::map<std::string, int> count;
    for (std::string word; std::cin >> word;)
        ++count[word];
    for (const auto& [word, times] : count)
        std::cout << word << ' ' << times << '\n';
    try {
        throw std::runtime_error("thrown");
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
    }
    return static_cast<int>(count.size());
}
END
        "${compiler%gcc}g++" -std=c++17 -O2 words.cpp -o words
        status=0
        echo 'one two one' | run --quiet --csv "$work/words.csv" --by function -- ./words >"$work/out" 2>"$work/err" || status=$?
        [[ $status == 2 && $(cat "$work/out") == $'one 2\ntwo 1' && $(cat "$work/err") == thrown ]] ||
            fail "C++: $status, $(cat "$work/out" "$work/err")"
        grep -q 'libstdc++.so.6' "$work/words.csv" || fail "profile of C++: $(head "$work/words.csv")"
    fi

    # A profile of two at the same addresses, and of the kernel; the paths of the hart agree.
    cat >hot.c <<'END'
#include <stdint.h>
volatile uint64_t g_sum;
__attribute__((noinline)) void NAME(uint64_t count) {
    for (uint64_t i = 0; i < count; ++i)
        g_sum += i * i;
}
int main(void) {
    NAME(COUNT);
    return 0;
}
END
    "$compiler" -O1 -static -DNAME=first_loop -DCOUNT=300000 hot.c -o first
    "$compiler" -O1 -static -DNAME=second_loop -DCOUNT=100000 hot.c -o second
    run --quiet --profile "$work/page.html" --csv "$work/program.csv" --by function --period 1000 \
        -- sh -c './first; ./second' </dev/null
    samples_of() { # function samples: 10 cycles an iteration, of which a sample stands for 1000
        awk -F, -v name="$1" -v samples="$2" \
            '$7 == name { found = $4 >= samples - 10 && $4 <= samples + 10 } END { exit !found }' \
            "$work/program.csv" || fail "$1: $(cat "$work/program.csv")"
        grep -q "$1" "$work/page.html" || fail "page without $1"
    }
    samples_of first_loop 3000
    samples_of second_loop 1000
    # Call stacks through a shared library, and of two processes.
    cat >sorted.c <<'END'
#include <stdlib.h>
static unsigned numbers[20000];
__attribute__((noinline)) static int compare(const void* left, const void* right) {
    const unsigned a = *(const unsigned*)left, b = *(const unsigned*)right;
    return (a > b) - (a < b);
}
__attribute__((noinline)) static void sort_all(void) {
    qsort(numbers, sizeof numbers / sizeof numbers[0], sizeof numbers[0], compare);
}
int main(void) {
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
        numbers[i] = i * 2654435761u;
    sort_all();
    return numbers[0] > numbers[1];
}
END
    "$compiler" -O2 -g sorted.c -o sorted
    run --quiet --profile "$work/stacks.html" -- sh -c './sorted; ./first' </dev/null
    # The names of each stack of a page, outermost first.
    sed -n 's/.*"calls":{"names":\[\(.*\)\],"stacks":\[\[\(.*\)\]\],"of_samples".*/\1\n\2/p' "$work/stacks.html" |
        awk '{ gsub(/^"|"$/, "") }
            NR == 1 { split($0, name, "\",\"") }
            NR == 2 {
                count = split($0, stack, "],\\[")
                for (i = 1; i <= count; ++i) {
                    depth = split(stack[i], frame, ",")
                    for (j = 1; j <= depth; ++j) printf "%s ", name[frame[j] + 1]
                    print ""
                }
            }' >"$work/stacks"
    grep -Eq "__libc_start_main .* main .*\[?libc.* compare " "$work/stacks" || fail "stacks: $(cat "$work/stacks")"
    grep -q '\bmain first_loop ' "$work/stacks" || fail "stacks of the second process: $(cat "$work/stacks")"

    run --quiet --csv "$work/kernel.csv" --by function --profile-of kernel -- ./first </dev/null
    grep -q 'memset' "$work/kernel.csv" || fail "kernel: $(head "$work/kernel.csv")"
    ! grep -q first_loop "$work/kernel.csv" || fail "the program in the kernel's profile"
    for path in step fast; do
        run --quiet --set hart.path=$path --csv "$work/$path.csv" --by address --event l1d-miss --period 97 \
            --profile-of program,kernel,firmware -- ./first </dev/null
    done
    cmp "$work/step.csv" "$work/fast.csv"

    # Under perf in the guest; perf here reads what it has recorded. 10,007 instructions a sample.
    run --quiet --perf 'stat -e instructions:u' -- ./first 2>"$work/stat" </dev/null
    counted=$(awk '/instructions/ { gsub(",", "", $1); print $1 }' "$work/stat")
    ((counted > 1500000 && counted < 2500000)) || fail "perf stat: $(cat "$work/stat")"
    run --quiet --perf 'record -q -e instructions:u -c 10007' --perf-data "$work/perf.data" -- ./first \
        </dev/null >/dev/null 2>"$work/record"
    [[ -s $work/perf.data ]] || fail "no perf.data: $(cat "$work/record")"
    if command -v perf >/dev/null; then
        perf report -i "$work/perf.data" --symfs "$work/perf.data.symbols" \
            --kallsyms "$work/perf.data.symbols/kallsyms" --stdio --sort symbol >"$work/report" 2>"$work/err" ||
            fail "perf report: $(cat "$work/err")"
        grep -Eq '^ *(9[5-9]|100)\.[0-9]+% .*first_loop' "$work/report" || fail "perf report: $(cat "$work/report")"
    fi

    # gdb finds the kernel's functions where they run.
    if command -v gdb-multiarch >/dev/null; then
        run --quiet --gdb "unix:$work/socket" -- ./first >/dev/null 2>"$work/waits" </dev/null &
        until [[ -S $work/socket ]]; do
            kill -0 $! 2>/dev/null || fail "gdb is not waited for: $(cat "$work/waits")"
            sleep 0.2
        done
        timeout 120 gdb-multiarch -batch -nx "$cache/kernel.elf" -ex "target remote $work/socket" \
            -ex 'break do_exit' -ex continue -ex 'info symbol $pc' -ex 'kill' >"$work/gdb" 2>&1 || true
        wait || true
        grep -q '^do_exit\b.* in section' "$work/gdb" || fail "gdb: $(cat "$work/gdb")"
    fi
fi

# A Debian as the root: Python out of its packages, on the kernel that is booted already.
# shellcheck disable=SC2034 # for debian.sh
name=exec mirror='' packages_of=$cache
# shellcheck source=linux/debian.sh
source "$tree/linux/debian.sh"
# shellcheck disable=SC2034
suite=$(basename "$(dirname "$(dirname "$(find "$cache" -path '*/packages/with-modules')")")")
if [[ -x $work/debian/usr/bin/python3 ]] || make_root "$work/debian" python3-minimal; then
    printf 'import sys\nprint(sys.argv[1], sum(i * i for i in range(1000)), sys.stdin.read().strip())\n' >sum.py
    status=0
    echo input | run --quiet --root "$work/debian" --csv "$work/python.csv" --by function --top 5 \
        -- python3 sum.py word >"$work/out" 2>"$work/err" || status=$?
    [[ $status == 0 && $(cat "$work/out") == "word 332833500 input" ]] ||
        fail "Python: $status, $(cat "$work/out" "$work/err")"
    grep -q '/usr/bin/python3' "$work/python.csv" || fail "profile of Python: $(cat "$work/python.csv")"
else
    echo "exec: the packages of Python cannot be fetched" >&2
fi
