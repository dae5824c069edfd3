// SPDX-License-Identifier: Apache-2.0
// Replaces {fmt}'s header of this name. {fmt} 9 instantiates its formatter in every source that
// formats or logs, which takes more than half of the time to compile such a source. Here the
// formatter comes from the library; PesDependencies.cmake checks that the library exports it.
#pragma once

#include_next <fmt/format.h>

FMT_BEGIN_NAMESPACE
namespace detail {

extern template void vformat_to<char>(buffer<char>&, basic_string_view<char>,
                                      basic_format_args<buffer_context<char>>, locale_ref);

} // namespace detail
FMT_END_NAMESPACE
