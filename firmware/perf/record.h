// SPDX-License-Identifier: Apache-2.0
// Headers and records of one hart. The caller has masked interrupts.
#pragma once

#include "firmware/perf/hart_state.h"

namespace pes::perf {

struct RecordAddresses {
    uint64_t address = 0;
    uint64_t caller = 0; ///< only of records of functions: its start, or the call site
};

/// A header; what follows is relative to it. Error: the buffer is full.
Status write_header(HartState& hart);

/// A record of the counters as they are now. Error: the buffer is full, the record is counted as
/// lost.
Status write_record(HartState& hart, perf_record::RecordKind kind, RecordAddresses addresses);

} // namespace pes::perf
