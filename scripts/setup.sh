#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: scripts/setup.sh [build]
# Installs what is missing: the packages of scripts/packages.txt (build: its first part, without what only tests need),
# and the libraries of the report page from npm. Quick when nothing is.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

case ${1:-} in
"") part='$' ;;
build) part='/^\[tests\]/' ;;
*)
    echo "setup: unknown part '$1', expected build or nothing" >&2
    exit 2
    ;;
esac
mapfile -t packages < <(sed -n "1,${part}p" "$here/packages.txt" | grep -vE '^[[:space:]]*([#[]|$)')
missing=()
for package in "${packages[@]}"; do
    status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
    [[ $status == "install ok installed" ]] || missing+=("$package")
done
command -v npm >/dev/null || missing+=(nodejs npm) # a Node.js from elsewhere brings its own npm

if [[ ${#missing[@]} -ne 0 ]]; then
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
fi

# The marker is what npm itself leaves behind a complete installation.
web=$here/../platform/report/web
if [[ ! $web/node_modules/.package-lock.json -nt $web/package-lock.json ]]; then
    echo "setup: fetching the libraries of the report page"
    npm ci --prefix "$web" --silent ||
        echo "setup: npm cannot fetch them: this build writes no report pages" >&2
fi
