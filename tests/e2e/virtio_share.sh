#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: virtio_share.sh PES_VP PROGRAM WORK_DIRECTORY
# A guest that reads a file of the shared folder twice: the same bytes in the same cycles on both
# paths; checkpoints before, between and behind the mounts, and none while it is mounted.
set -euo pipefail
vp=$1 program=$2 work=$3
rm -rf "$work"
mkdir -p "$work/share/folder"
cd "$work"

fail() {
    echo "$*" >&2
    exit 1
}

seq 1 1000 >share/file
cat share/file share/file >expected

run() { # name options...
    "$vp" run "$program" --quiet --max-cycles 100000000 --stats "$1.stats" --console "$1.out" \
        --share share "${@:2}" || fail "$1: exit code $?"
    sed -E '/"(host_seconds|mips)"/d; /"host_path"/,$d' "$1.stats" >"$1.json"
}

for harts in 1 2; do
    for path in step fast; do
        run $path.$harts --path $path --set harts=$harts
        cmp expected $path.$harts.out || fail "$path.$harts: other bytes"
        cmp step.$harts.json $path.$harts.json || fail "$path.$harts: other counts"
    done
done

for when in 100 closed; do
    rm -f saved
    run first --checkpoint-at $when saved
    [[ -s saved ]] || fail "no checkpoint at $when"
    run restored --restore saved
    cmp restored.json step.1.json || fail "other counts behind $when"
    tail -c "$(stat -c %s restored.out)" expected | cmp - restored.out || fail "other bytes behind $when"
done

refused() { # part of the message, options...
    local code=0
    "$vp" run "$program" --quiet "${@:2}" >/dev/null 2>message.txt || code=$?
    [[ $code == 2 && $(wc -l <message.txt) == 1 ]] || fail "exit code $code: $(cat message.txt)"
    grep -qF -- "$1" message.txt || fail "$(cat message.txt)"
}
rm -f saved
refused "unmounts 'host' first" --share share --checkpoint-at 100000 saved
[[ ! -e saved ]] || fail "a checkpoint that is refused leaves a file"
run first --checkpoint-at 100 saved
refused '--share is given in the checkpoint and not given here' --restore saved
refused "--share 'none' cannot be opened: No such file or directory" --share none
refused "--share 'share/file' cannot be opened: Not a directory" --share share/file
refused '--share-write needs --share DIR' --share-write
refused 'the address map overlaps' --share share --set share.base=0x10000000

"$vp" run "$program" --dump-dtb with --share share
grep -qa 'virtio_mmio@10002000' with || fail "the device tree has no node of the device"
