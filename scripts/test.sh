#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: scripts/test.sh [ctest options]
# From a fresh Debian 12 machine to a passed regression: installs, builds, checks the formatting and
# runs every test except those labelled "slow".
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh
scripts/build.sh release
scripts/lint.sh format
ctest --preset release -j "$(nproc)" "$@"
