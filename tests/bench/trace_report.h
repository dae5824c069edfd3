// SPDX-License-Identifier: Apache-2.0
// The part of the report that is about trace.
#pragma once

#include "tests/bench/measurement.h"
#include "tests/bench/table.h"

#include <nlohmann/json_fwd.hpp>

namespace pes::bench {

Table trace_table(const TraceResults& results);
nlohmann::ordered_json trace_json(const TraceResults& results);

} // namespace pes::bench
