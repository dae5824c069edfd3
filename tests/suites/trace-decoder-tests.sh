#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: trace-decoder-tests.sh PES_DECODE WORK_DIRECTORY
# The traces of real encoders that SiFive published with the tests of its decoder. Each has its
# output (reference/*.zip): the instructions have to be the same, in order, and so do the lines of
# messages as far as docs/trace.md does not name a difference.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=suite.sh
source "$(dirname "$0")/suite.sh"
decode=$1 work=$2
find_suite trace-decoder-tests
suite=$(realpath "$suite")
rm -rf "$work"
mkdir -p "$work"
if ! command -v unzip >/dev/null; then
    echo "skipped: unzip is absent, which opens the reference output"
    exit 77
fi

# "source address" for each instruction that the published decoder prints, without the one in front of
# an event message: that is where the event was, not one more instruction.
reference_instructions() {
    awk '/^(\[[^]]*\])? +[0-9a-f]+: +[0-9a-f]/ { if (line != "") print line; line = $0 }
         /TCode: / { if (line != "" && !/INCIRCUITTRACE/) print line; line = "" }
         END { if (line != "") print line }' "$1" |
        grep -aE '^(\[[^]]*\])? +[0-9a-f]+: +[0-9a-f]{4}' |
        sed -E 's/^\[([0-9]+)[^]]*\]/\1/; t; s/^/0/' | sed -E 's/^([0-9]+) +0*([0-9a-f]+):.*/\1 \2/'
}
our_instructions() {
    grep -v '^#' "$1" | sed -E 's/^\[([0-9]+)\] [^ ]+ /\1 /; t; s/^[^ ]+ /0 /' |
        sed -E 's/^([0-9]+) 0x0*([0-9a-f]+) .*/\1 \2/'
}
# Without what docs/trace.md lists: a column that other versions have, and places.
plain_messages() {
    grep -aoE '(Msg # [0-9]+,.*)' | sed -E \
        's/ (process: 0x[0-9a-f]+|Src: [0-9]+,)//; s/NxtAddr: ([0-9a-f]+|<unknown>), //; s/Tics: \?, //;
         s/Tics: 0, //; s/(Invalid|Bad) prv/prv/; s/ +$//'
}

# Lines of messages that differ for a cause that docs/verification.md names.
differing() { # name
    case $1 in
    dv-uaddr1.test) echo 11 ;; # U-ADDR behind a ProgTraceCorrelation
    *) echo 0 ;;
    esac
}

settings() { # trace: the options that the settings of its test stand for
    local folder=${1%/*} name=${1##*/}
    options=()
    case $name in
    gtod.rtd)
        local pid
        pid=$(sed -nE 's/^pids = ([0-9]+)$/\1/p' "$folder/gtod.settings")
        options=(--src-bits 2 --context-map "$pid=$folder/gtod.map" --memory "$folder/kmem")
        ;;
    *)
        local bits
        bits=$(sed -nE 's/.*-srcbits=([0-9]+).*/\1/p' "$folder/Makefile" | head -n 1)
        options=(--elf "$(echo "$folder"/*.elf)" --src-bits "${bits:-0}")
        ;;
    esac
}

for trace in "$suite"/*.test/*.rtd; do
    folder=${trace%/*}
    name=${folder##*/}
    archive=$(echo "$folder"/reference/*.stdout.zip)
    [[ -e $archive ]] || continue
    out=$work/${name%.test}
    file=${trace##*/}
    unzip -p "$archive" "${file%.rtd}.stdout" | tr -d '\r' >"$out.reference"
    settings "$trace"
    if ! "$decode" trace "$trace" "${options[@]}" --messages "$out.messages" \
        --instructions "$out.instructions" >"$out.summary" 2>"$out.errors"; then
        fail "$name" "$(head -n 1 "$out.errors")"
        continue
    fi
    : >"$out.expected"
    : >"$out.actual"
    if [[ $name != event-* && $name != pc-sample* ]]; then # events are not instruction flow
        reference_instructions "$out.reference" >"$out.expected" || true
        our_instructions "$out.instructions" >"$out.actual" || true
    fi
    plain_messages <"$out.reference" >"$out.expected.messages" || true
    plain_messages <"$out.messages" >"$out.actual.messages" || true
    missing=$(diff "$out.expected" "$out.actual" | grep -c '^<' || true)
    lines=$(diff "$out.expected.messages" "$out.actual.messages" | grep -c '^<' || true)
    if ((missing == 0 && lines == $(differing "$name"))); then
        pass
        echo "$name: $(wc -l <"$out.expected") instructions and $(wc -l <"$out.expected.messages") messages"
    else
        fail "$name" "$missing instructions and $lines message lines of $(wc -l <"$out.expected") and $(wc -l <"$out.expected.messages") are missing"
    fi
done
finish trace-decoder-tests "NAME.test/NAME.rtd"
