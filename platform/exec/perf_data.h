// SPDX-License-Identifier: Apache-2.0
// What the guest's perf has recorded, for a perf of the host that may be older.
#pragma once

#include <cstddef>
#include <vector>

namespace pes {

/// perf reads attributes of events that are shorter than its own, and refuses longer ones. The
/// bytes at their ends that are all zero are taken off, down to the length that they had from Linux
/// 5.13 to 6.2. A file of another form is left as it is.
/// [Linux, tools/perf/Documentation/perf.data-file-format.txt]
void shorten_attributes(std::vector<std::byte>& file);

} // namespace pes
