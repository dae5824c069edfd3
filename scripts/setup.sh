#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the packages of scripts/packages.txt that are missing. Quick when nothing is.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

mapfile -t packages < <(grep -vE '^[[:space:]]*(#|$)' "$here/packages.txt")
missing=()
for package in "${packages[@]}"; do
    status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
    [[ $status == "install ok installed" ]] || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
    exit 0
fi

run_as_root=()
if [[ $(id -u) -ne 0 ]]; then
    if ! command -v sudo >/dev/null; then
        echo "setup: these packages are missing and need root to install: ${missing[*]}" >&2
        exit 1
    fi
    run_as_root=(sudo)
fi
echo "setup: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${run_as_root[@]}" apt-get update -q
"${run_as_root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"
