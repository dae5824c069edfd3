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

/// What to do with a stream's own statement about its timestamps (format_statement.h).
enum class FormatStatements : std::uint8_t { Follow, Ignore };

class ContextTracker {
  public:
    explicit ContextTracker(TimestampFormat format,
                            FormatStatements statements = FormatStatements::Follow)
        : format_(format), statements_(statements) {}

    /// To be told everything that the reader finds, in its order.
    MessageContext next(const TraceItem& item);

  private:
    struct Source {
        explicit Source(TimestampFormat format) : format(format), clock(format) {}
        TimestampFormat format;
        TimestampExpander clock;
        AddressReference reference;
    };

    Source& source(std::uint16_t number);
    void lose(const TraceItem& item);
    void follow_statement(Source& source, const TraceMessage& message) const;

    TimestampFormat format_;
    FormatStatements statements_;
    std::map<std::uint16_t, Source> sources_;
    std::map<std::uint16_t, Source>::iterator recent_ = sources_.end();
};

} // namespace pes::trace
