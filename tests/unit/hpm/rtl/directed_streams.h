// SPDX-License-Identifier: Apache-2.0
// Streams that go where random ones seldom come: carries, writes on the cycle of an event, one
// counter inhibited, absent registers, each event by itself.
#pragma once

#include "tests/unit/hpm/rtl/counter_stream.h"

#include <string>
#include <vector>

namespace pes::test {

struct NamedStream {
    std::string name;
    Stream stream;
};

/// For a shape of profile cva6.
std::vector<NamedStream> directed_streams(const CounterConfig& config);

} // namespace pes::test
