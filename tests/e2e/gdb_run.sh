# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: Apache-2.0
# Runs under gdb, for tests that source this and have set $vp and $work, where they are then.
gdb=$(command -v gdb-multiarch) || { echo "gdb-multiarch is missing"; exit 77; }
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
    echo "$*" >&2
    exit 1
}

serve() { # name, program, options: begins a run that waits for gdb on the socket NAME.sock
    local name=$1 program=$2
    shift 2
    "$vp" run "$program" --quiet --gdb "unix:$name.sock" --stats "$name.stats" "$@" \
        >"$name.shown" 2>"$name.err" &
    run=$!
    for _ in $(seq 100); do
        [[ -S $name.sock ]] && return
        sleep 0.05
    done
    fail "$name: nobody listens"
}

debug() { # name, program; commands on stdin: the answers are in NAME.out
    {
        echo "set pagination off"
        echo "set confirm off"
        echo "target remote $1.sock"
        cat
    } >"$1.gdb"
    timeout 60 "$gdb" -batch -nx -x "$1.gdb" "$2" >"$1.out" 2>&1 || { cat "$1.out"; fail "$1: gdb failed"; }
}

tells() { # name, lines that must appear in this order
    local name=$1 line=0 next
    shift
    for pattern in "$@"; do
        next=$(grep -nE -m 1 -e "$pattern" < <(tail -n +$((line + 1)) "$name.out") | cut -d: -f1) ||
            { cat "$name.out"; fail "$name: '$pattern' is missing behind line $line"; }
        line=$((line + next))
    done
}

results() { # what does not depend on the host
    sed -E '/"(host_seconds|mips)"/d; /"host_path"/,$d' "$1.stats"
}
