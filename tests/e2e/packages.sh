#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: packages.sh CPACK BUILD_DIRECTORY WORK_DIRECTORY [clean-root]
# The Debian packages: what they have in them works where they are unpacked. With clean-root they are installed
# by apt in a new Debian 12, and a program is profiled there; exit code 77: that Debian cannot be fetched.
set -euo pipefail
cpack=$1 build=$2 work=$3 where=${4:-here}
fail() {
    echo "packages: $1" >&2
    exit 1
}

mkdir -p "$work"
work=$(cd "$work" && pwd)
rm -rf "$work/packages" "$work/here"
(cd "$build" && "$cpack" -B "$work/packages") >"$work/cpack.log" 2>&1 || fail "$(tail -n 5 "$work/cpack.log")"
program=$(echo "$work"/packages/pes-vp_*.deb) doc=$(echo "$work"/packages/pes-vp-doc_*_all.deb)
dev=$(echo "$work"/packages/pes-vp-dev_*_all.deb) hpm=$(echo "$work"/packages/libpes-hpm-dev_*.deb)
systemc=$(echo "$work"/packages/pes-vp-systemc-dev_*.deb)
[[ -f $program && -f $doc && -f $dev && -f $hpm && -f $systemc ]] || fail "packages: $(ls "$work/packages")"

# What a person does first, in the root $1; behind it what runs a command there.
try_programs() {
    local root=$1
    "${@:2}" pes-vp run "$root/usr/share/pes-vp/pes_test.elf" --quiet --console /dev/null --samples "$work_there/samples"
    "${@:2}" pes-decode samples "$work_there/samples" --elf "$root/usr/share/pes-vp/pes_test.elf" >"$work/samples.txt"
    grep -q 'floating-point' "$work/samples.txt" || fail "samples: $(cat "$work/samples.txt")"
    "${@:2}" pes-vp profile "$root/usr/share/pes-vp/workload.elf" --quiet --console /dev/null \
        --csv "$work_there/profile.csv" --report "$work_there/report.html" >/dev/null
    grep -q 'sort' "$work/profile.csv" || fail "profile: $(head "$work/profile.csv")"
    grep -q '</html>' "$work/report.html" || fail "no report"
    # The command of docs/lab.md, with one method.
    "${@:2}" sed '/^methods/,/^]/c methods = ["exact"]' "$root/usr/share/pes-vp/examples/lab/matrix.toml" >"$work/matrix.toml"
    "${@:2}" pes-lab "$work_there/matrix.toml" --programs "$root/usr/share/pes-vp" --out "$work_there/lab" --quiet >"$work/lab.txt"
    grep -q ': 6 points' "$work/lab.txt" || fail "pes-lab: $(cat "$work/lab.txt")"
}

if [[ $where == here ]]; then
    # To make them builds nothing that only tests need.
    if [[ -f $build/build.ninja ]] && command -v ninja >/dev/null; then
        ninja -C "$build" -t commands packages >"$work/commands.txt"
        grep -q cpack "$work/commands.txt" || fail "no target packages"
        ! grep -E -- '-o tests/|gtest' "$work/commands.txt" >"$work/tests.txt" || fail "tests: $(head -n 1 "$work/tests.txt")"
        all=$(ninja -C "$build" -t commands all | wc -l)
        (($(wc -l <"$work/commands.txt") * 2 < all)) || fail "$(wc -l <"$work/commands.txt") of $all steps of a build"
    fi
    dpkg-deb -x "$program" "$work/here"
    dpkg-deb -x "$doc" "$work/here"
    dpkg-deb -x "$dev" "$work/here"
    dpkg-deb -x "$systemc" "$work/here"
    for file in include/pes-vp/hart.h lib/libpes-vp.a lib/cmake/pes-vp/pes-vp-config.cmake; do
        [[ -s $work/here/usr/$file ]] || fail "pes-vp-systemc-dev has no $file"
    done
    grep -q '^/usr/share/pes-vp/sdk/lib/crt0.o$' "$work/here/usr/share/pes-vp/sdk/pes.specs" || fail "paths of the specs"
    [[ $(PKG_CONFIG_PATH=$work/here/usr/share/pkgconfig pkg-config --cflags pes-sdk) == --specs=/usr/share/pes-vp/sdk/pes.specs* ]] ||
        fail "pkg-config"
    dpkg-deb -x "$hpm" "$work/here"
    pc=$(find "$work/here" -name pes-hpm.pc)
    [[ $(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --libs pes-hpm) == *-lpes_hpm* ]] || fail "pkg-config pes-hpm"
    [[ -s $work/here/usr/include/pes_hpm.h && -s $(dirname "$pc")/../libpes_hpm.so ]] || fail "libpes-hpm-dev"
    work_there=$work
    try_programs "$work/here" env PATH="$work/here/usr/bin:/usr/bin:/bin"
    for page in docs/tutorial.md html/tutorial.html; do
        [[ -s $work/here/usr/share/doc/pes-vp/$page ]] || fail "no $page"
    done

    # Manual pages as groff wants them, with every option.
    for name in pes-vp pes-decode pes-lab; do
        page=$work/here/usr/share/man/man1/$name.1
        groff -man -ww -Tutf8 -rLL=110n -P-cbou "$page" >"$work/$name.txt" 2>"$work/groff.log"
        [[ ! -s $work/groff.log ]] || fail "$page: $(head -n 3 "$work/groff.log")"
    done
    for option in $("$work/here/usr/bin/pes-vp" run --help | grep -o '^  --[a-z-]*'); do
        grep -q -e "^ *$option\b" "$work/pes-vp.txt" || fail "$option is not in the manual page"
    done

    # bash: words of the last argument.
    complete_bash() {
        bash -c 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _${1/-/_}; echo "${COMPREPLY[*]}"' \
            "$work/here/usr/share/bash-completion/completions/$1" "$@"
    }
    cd "$work/here"
    [[ $(complete_bash pes-vp ru) == run ]] || fail "bash: a command"
    [[ $(complete_bash pes-vp run --lo) == "--log-level --lockstep-vcd" ]] || fail "bash: an option"
    [[ $(complete_bash pes-vp run --log-level "") == "trace debug info warn error off" ]] || fail "bash: a word"
    [[ $(complete_bash pes-vp run --vcd u) == usr ]] || fail "bash: a file"
    [[ $(complete_bash pes-vp exec ./u) == ./usr ]] || fail "bash: a program"

    # The words of the tables that parse the options.
    for command in run profile exec; do
        [[ $(complete_bash pes-vp $command --set counters.mo) == counters.model= ]] || fail "bash: $command: a setting"
        [[ $(complete_bash pes-vp $command --set counters.model =) == "tlm rtl lockstep" ]] || fail "bash: $command: values"
        [[ $(complete_bash pes-vp $command --set counters.model = l) == lockstep ]] || fail "bash: $command: a value"
        [[ $(complete_bash pes-vp $command --set counters.model=l) == counters.model=lockstep ]] ||
            fail "bash: $command: a value where = breaks no words"
        [[ -z $(complete_bash pes-vp $command --set harts =) ]] || fail "bash: $command: a number"
    done
    complete_bash pes-vp run --set "" | xargs -n 1 | sort >"$work/keys"
    "$work/here/usr/bin/pes-vp" run --show-config |
        awk '/^\[/ { table = substr($1, 2, length($1) - 2) "." } /^[a-z]/ { print table $1 "=" }' | sort |
        comm -23 - "$work/keys" >"$work/missing"
    [[ -s $work/keys && ! -s $work/missing ]] || fail "bash: no settings $(cat "$work/missing")"
    for command in profile exec; do
        [[ $(complete_bash pes-vp $command --method pd) == "pdis pdis-oldest" ]] || fail "bash: $command: a method"
        [[ $(complete_bash pes-vp $command --event branch-m) == branch-mispredict ]] || fail "bash: $command: an event"
    done
    [[ $(complete_bash pes-vp profile --events cycle,branch-m) == cycle,branch-mispredict ]] || fail "bash: events"
    for command in run profile; do
        [[ $(complete_bash pes-vp $command --path "") == "auto step fast" ]] || fail "bash: $command: a path"
        [[ $(complete_bash pes-vp $command --path = f) == fast ]] || fail "bash: $command: a word behind ="
        [[ $(complete_bash pes-vp $command --counters "") == "tlm rtl lockstep" ]] || fail "bash: $command: counters"
        [[ $(complete_bash pes-vp $command --vcd-groups hpm,co) == hpm,commit ]] || fail "bash: $command: wave groups"
    done
    for command in events pmu-events; do
        [[ $(complete_bash pes-vp $command --profile u) == "u74 usr" ]] || fail "bash: $command: a profile or a file"
    done
    for command in samples compare skid export report; do
        [[ $(complete_bash pes-decode $command --event branch-m) == branch-mispredict ]] || fail "bash: pes-decode: an event"
        [[ $(complete_bash pes-decode $command --profile u) == "u74 usr" ]] || fail "bash: pes-decode: a profile or a file"
    done
    groups=$("$work/here/usr/bin/pes-vp" run "$work/here/usr/share/pes-vp/pes_test.elf" --vcd "$work/none.vcd" \
        --vcd-groups none 2>&1 | sed -n "s/.*expected one of //p" | tr -d ,) || true
    [[ $groups == *plic* ]] || fail "wave groups: $groups"
    for group in $groups; do
        [[ " $(complete_bash pes-vp run --vcd-groups "") " == *" $group "* ]] || fail "bash: wave group $group"
    done

    # zsh, which completes in a terminal only: the line gets its end.
    cat >"$work/tab.zsh" <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; echo re''ady"
zpty -r shell output '*ready*'
zpty -w -n shell "$2"$'\t'
zpty -r shell output "*$3*"
END
    complete_zsh() { # line what-it-becomes
        timeout 60 zsh -f "$work/tab.zsh" "$work/here/usr/share/zsh/vendor-completions" "$1" "$2" || fail "zsh: $1"
    }
    complete_zsh 'pes-vp prof' profile
    complete_zsh 'pes-vp run --log-l' --log-level
    complete_zsh 'pes-vp run --log-level wa' warn
    complete_zsh 'pes-lab --gen' --generate
    complete_zsh 'pes-vp exec --set counters.mo' 'counters.model='
    complete_zsh 'pes-vp run --set counters.model=lo' 'counters.model=lockstep'
    complete_zsh 'pes-vp profile --method pdis-' pdis-oldest
    complete_zsh 'pes-vp exec --event branch-m' branch-mispredict
    complete_zsh 'pes-vp run --path st' step
    complete_zsh 'pes-vp profile --counters lo' lockstep
    complete_zsh 'pes-vp run --vcd-groups hpm,com' hpm,commit
    complete_zsh 'pes-vp events --profile u7' u74
    complete_zsh 'pes-decode samples --event branch-m' branch-mispredict
    complete_zsh 'pes-decode compare --profile u7' u74
    complete_zsh 'pes-vp pmu-events --profile us' usr
    exit 0
fi

command -v debootstrap >/dev/null && [[ $(id -u) == 0 ]] || { echo "packages: no debootstrap, or not root" >&2; exit 77; }
mirror=$(apt-get indextargets --format '$(ORIGIN) $(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
    awk '$1 == "Debian" && $2 !~ /security/ { print $3; exit }')
if [[ ! -e $work/debian.tar ]]; then
    debootstrap --variant=minbase --make-tarball="$work/debian.tar" bookworm "$work/fetched" "$mirror" >"$work/debootstrap.log" ||
        { rm -f "$work/debian.tar"; exit 77; }
fi
root=$work/root
rm -rf "$root"
debootstrap --variant=minbase --unpack-tarball="$work/debian.tar" bookworm "$root" "$mirror" >>"$work/debootstrap.log"
trap 'rm -rf "$root"' EXIT
cp "$program" "$doc" "$dev" "$root/root/"
# As the container does it.
command=$(sed -n 's/^RUN //p' "$(dirname "${BASH_SOURCE[0]}")/../../scripts/Containerfile")
chroot "$root" sh -c "$command" >"$work/apt.log" 2>&1 || fail "apt: $(tail -n 5 "$work/apt.log")"
mkdir "$root/out"
mount --bind "$work" "$root/out"
trap 'umount "$root/out"; rm -rf "$root"' EXIT
work_there=/out
try_programs "" chroot "$root" env -i PATH=/usr/bin:/bin HOME=/root

# Programs of one's own, from the source to the profile, and each example by the commands that it says itself.
chroot "$root" sh -e -c 'cp /usr/share/pes-vp/examples/sdk/*.c /root && cd /root
    riscv64-unknown-elf-gcc --specs=/usr/share/pes-vp/sdk/pes.specs -O2 -g hello.c -o hello.elf
    pes-vp run hello.elf --guest-files . --quiet
    pes-vp profile hello.elf --guest-files . --report /out/hello.html --console /dev/null
    for example in *.c; do
        sed -n "2,/^ \\*\\//s/^ \\*   //p" $example >run.sh
        sh -ex run.sh 2>&1 || { echo "$example failed"; exit 1; }
    done' >"$work/hello.txt" || fail "$(tail -n 5 "$work/hello.txt")"
grep -q 'sum_of_inverses' "$work/hello.txt" && grep -q '</html>' "$work/hello.html" || fail "$(cat "$work/hello.txt")"
