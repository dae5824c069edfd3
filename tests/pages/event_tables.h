// SPDX-License-Identifier: Apache-2.0
// Tables of events and pulse sources as Markdown.
#pragma once

#include <string>

namespace pes::pages {

std::string cva6_events();
std::string pdis_events();
std::string u74_events();
std::string cv32e40p_events();
std::string pulse_sources();

} // namespace pes::pages
