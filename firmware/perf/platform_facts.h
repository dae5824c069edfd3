// SPDX-License-Identifier: Apache-2.0
// What the library knows of the platform that it runs on: what the program has said
// (perfSetPlatform), and else what the platform says itself.
#pragma once

#include "hw/interface/maps/host_platform.h"

namespace pes::perf {

/// Asks the platform for what the program has not said. Once, at perfInit.
void learn_platform();

const host_platform::Facts& platform_facts(); ///< 0 in it: nobody knows
/// Lines of the file beside a trace that only the platform knows; empty if there are none.
const char* platform_text();
void forget_platform(); ///< for tests

} // namespace pes::perf
