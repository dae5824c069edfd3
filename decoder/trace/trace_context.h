// SPDX-License-Identifier: Apache-2.0
// What a message means only after those before it: its time and its program address, for each
// source.
#pragma once

#include "decoder/trace/trace_reader.h"
#include "hw/common/trace/address.h"
#include "hw/common/trace/timestamp.h"

#include <map>
#include <optional>

namespace pes::trace {

struct MessageContext {
    std::optional<std::uint64_t> time;
    std::optional<std::uint64_t> address; ///< what its U-ADDR or F-ADDR stands for
};

class ContextTracker {
  public:
    explicit ContextTracker(TimestampFormat format) : format_(format) {}

    /// To be told everything that the reader finds, in its order.
    MessageContext next(const TraceItem& item);

  private:
    struct Source {
        explicit Source(TimestampFormat format) : clock(format) {}
        TimestampExpander clock;
        AddressReference reference;
    };

    Source& source(std::uint16_t number);
    void lose(const TraceItem& item);

    TimestampFormat format_;
    std::map<std::uint16_t, Source> sources_;
    std::map<std::uint16_t, Source>::iterator recent_ = sources_.end();
};

} // namespace pes::trace
