#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: scripts/test.sh [ctest options]
# From a fresh Debian 12 machine to a passed regression: installs, checks the formatting and the links, builds and
# runs every test except those labelled "slow".
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh
scripts/lint.sh format
scripts/lint.sh docs
scripts/build.sh release
ctest --preset release -j "$(nproc)" "$@"
