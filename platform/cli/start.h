// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pes {

/// What main() of every platform does: runs a program on it, as its command line says. The exit
/// code.
int start(int argc, char** argv);

} // namespace pes
