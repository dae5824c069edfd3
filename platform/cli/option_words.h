// SPDX-License-Identifier: Apache-2.0
// What completions offer for options whose words are tables of the platform.
#pragma once

#include "platform/manual/command_facts.h"

#include <vector>

namespace pes {

std::vector<OptionWords> option_words();

} // namespace pes
