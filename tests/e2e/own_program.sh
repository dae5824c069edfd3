#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: own_program.sh BUILD_DIRECTORY SOURCE_DIRECTORY WORK_DIRECTORY
# The commands of README's "Your own program", taken from the page, do what the page shows, numbers
# apart. They run in a copy of what they use, with this build in the place of build/release.
set -euo pipefail
build=$1 source=$2 work=$3
rm -rf "$work"
mkdir -p "$work/clone/build"
cp -r "$source/examples" "$work/clone/examples"
ln -s "$build" "$work/clone/build/release"

# The fenced blocks of the section: commands first, then what they print.
awk -v work="$work" '
    /^## / { inside = $0 == "## Your own program" }
    inside && /^```/ { fence = !fence; blocks += fence; next }
    inside && fence { print > (work "/" (blocks == 1 ? "commands.sh" : "expected.txt")) }
' "$source/README.md"
[[ $(grep -c '^riscv64-unknown-elf-gcc .*-march=rv64gc -mabi=lp64d -mcmodel=medany' "$work/commands.sh") == 1 ]] ||
    { echo "README.md: expected one compile line in 'Your own program'"; exit 1; }

cd "$work/clone"
bash -euo pipefail "$work/commands.sh" >"$work/printed.txt" 2>&1 ||
    { cat "$work/printed.txt"; exit 1; }
without_numbers() { # nor blank lines at the end
    printf '%s\n' "$(tr -d '\r' <"$1" | sed -E 's/[0-9][0-9,.]*/N/g; s/ +/ /g')"
}
diff <(without_numbers "$work/expected.txt") <(without_numbers "$work/printed.txt") ||
    { echo "README.md shows something else than 'Your own program' prints"; exit 1; }

# A value that main() returns, and a trap, become the exit code.
cd my-program
status() { # body of main
    printf 'int main(void) { %s }\n' "$1" >end.c
    riscv64-unknown-elf-gcc -march=rv64gc -mabi=lp64d -mcmodel=medany -ffreestanding -nostdlib \
        -T program.ld start.S end.c -o end.elf
    "$build/platform/pes-vp" run end.elf --quiet "${@:2}" && echo 0 || echo $?
}
[[ $(status 'return 7;') == 7 ]] || { echo "the value of main() is not the exit code"; exit 1; }
[[ $(status '__asm__ volatile("ebreak"); return 0;') == 131 ]] || # 128 + breakpoint
    { echo "a trap is not the exit code"; exit 1; }
[[ $(status 'static volatile double x = 1.5; return x * 2 == 3.0 ? 0 : 1;' --set harts=2) == 0 ]] ||
    { echo "floating point, or a second hart"; exit 1; }
