#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: proxy.sh PES_VP FIRMWARE PROXY SOURCES LINUX_COMPILER QEMU OPENSBI WORK_DIRECTORY
# Statically linked Linux programs on the proxy kernel print, write and return what they do under QEMU's user mode.
# OPENSBI may be empty.
set -euo pipefail
vp=$1 firmware=$2 proxy=$3 sources=$4 compiler=$5 qemu=$6 opensbi=$7 work=$8
rm -rf "$work"
mkdir -p "$work/ours" "$work/theirs"
cd "$work"
fail() {
    echo "proxy: $1" >&2
    exit 1
}
run() { # program arguments options...
    "$vp" run --firmware "$firmware" --kernel "$proxy" --initrd "$1" --append "$2" --quiet "${@:3}"
}

"$compiler" -static -O2 -Wall -Wextra -Werror "$sources/library.c" -o library
printf 'first\nsecond line\nno newline' >input
theirs=0
(cd theirs && "$qemu" ../library one "two" 3 <../input >../theirs.out 2>../theirs.err) || theirs=$?
for path in fast step; do
    ours=0
    run library "../library one two 3" --guest-files ours --console-input input --path $path >ours.out || ours=$?
    [[ $ours == "$theirs" ]] || fail "library: exit code $ours, QEMU: $theirs: $(cat ours.out)"
    diff <(cat theirs.out theirs.err) ours.out >diff.out || fail "library ($path): $(head diff.out)"
    diff -r ours theirs || fail "files of library"
done

# A program that may lie anywhere, and calls as newlib does.
cat >moved.c <<'END'
static long call(long number, long a, long b, long c) {
    register long a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c, a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return a0;
}
void _start(void) {
    static const char here[] = "moved\n";
    static const char file[] = "data.bin", missing[] = "missing";
    static long status[16], seconds;
    call(64, 1, (long)here, 6);
    /* newlib's own: open, access, stat, lstat, time */
    const int good = call(1024, (long)file, 0, 0) >= 4 && call(1024, (long)missing, 0, 0) == -2 &&
                     call(1033, (long)file, 0, 0) == 0 && call(1033, (long)missing, 0, 0) == -2 &&
                     call(1038, (long)file, (long)status, 0) == 0 && status[6] == 300001 + 4100 &&
                     call(1039, (long)missing, (long)status, 0) == -2 && call(1062, (long)&seconds, 0, 0) == seconds;
    call(93, good ? 33 : 34, 0, 0);
}
END
"$compiler" -O1 -fPIE -nostdlib -static -pie -Wl,--no-dynamic-linker,--no-relax moved.c -o moved
ours=0
run moved moved --guest-files ours >ours.out 2>/dev/null || ours=$?
[[ $ours == 33 && $(cat ours.out) == moved ]] || fail "moved: $ours $(cat ours.out)"

# Ends: exit codes as a shell has them, which takes those of the program that QEMU runs.
"$compiler" -static -O1 -Wno-infinite-recursion "$sources/ends.c" -o ends
for way in "" deep abort null constant data illegal privileged stack raise kernel; do
    theirs=0 ours=0
    bash -c "ulimit -c 0; \"$qemu\" ./ends $way; exit \$?" >/dev/null 2>&1 || theirs=$?
    run ends "ends $way" >ours.out 2>&1 || ours=$?
    [[ $ours == "$theirs" ]] || fail "ends $way: exit code $ours, QEMU: $theirs: $(cat ours.out)"
    [[ $(head -n 1 ours.out) == "$way" ]] || fail "ends $way: $(cat ours.out)"
done
run ends "ends null" >ours.out 2>&1 || true
grep -Eq '^proxy kernel: the program stopped: cause 0xf  pc 0x1[0-9a-f]{4}  tval 0x10 ' ours.out || fail "report: $(cat ours.out)"

if command -v "${compiler%gcc}g++" >/dev/null; then
    "${compiler%gcc}g++" -static -O2 -std=c++20 "$sources/thrown.cpp" -o thrown
    run thrown thrown >ours.out || fail "thrown: $?"
    diff <("$qemu" ./thrown) ours.out || fail "thrown"
fi

# What it cannot run.
expect() { # code text command...
    local status=0
    "${@:3}" >out 2>&1 || status=$?
    [[ $status == "$1" ]] && grep -q "$2" out || fail "exit code $status, expected $1 and '$2': $(cat out)"
}
"$compiler" -O1 "$sources/ends.c" -Wno-infinite-recursion -o dynamic
expect 126 'it wants a dynamic loader; link it with -static, or run it by pes-vp exec' run dynamic x
head -c 40 ends >short
expect 126 'it is no ELF file' run short x
head -c 3000 ends >cut
expect 126 'a segment is not in the file' run cut x
cp /bin/true foreign
expect 126 'it is no ELF program for RV64' run foreign x
expect 127 'there is no program: it is expected as --initrd FILE' "$vp" run --firmware "$firmware" --kernel "$proxy" --quiet
printf '#include <stdlib.h>\n#include <string.h>\nint main(void) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }\n' >eater.c
"$compiler" -static -O0 eater.c -o eater
expect 139 'main memory is used up: --set dram.size=N' run eater eater --set dram.size=64MiB
printf '#include <unistd.h>\n#include <sys/syscall.h>\nint main(void) { return syscall(425) != -1 || syscall(425) != -1; }\n' >unknown.c
"$compiler" -static unknown.c -o unknown
expect 0 'there is no system call 425' run unknown unknown
[[ $(grep -c 'no system call' out) == 1 ]] || fail "told twice"

# Its functions by name, in a profile: of memory() that of the program, whose addresses are not main memory's.
"$vp" profile --firmware "$firmware" --kernel "$proxy" --initrd library --append 'library' --guest-files ours --quiet \
    --console-input input --console /dev/null --event instret --period 1009 --csv profile.csv >profile.out 2>&1 || [[ $? == 44 ]] ||
    fail "profile: $(tail -n 3 profile.out)"
grep -q ',main,.*/library,' profile.csv || fail "profile: $(head profile.csv)"

# Another firmware: there are no files.
if [[ -n $opensbi ]]; then
    printf '#include <stdio.h>\nint main(void) { puts("here"); if (fopen("file", "r") == NULL) perror("file"); return 5; }\n' >other.c
    "$compiler" -static other.c -o other
    expect 5 'file: Function not implemented' "$vp" run --firmware "$opensbi/fw_jump.elf" --kernel "$proxy" --initrd other --quiet
fi
