// SPDX-License-Identifier: Apache-2.0
// What a message means only after those before it: its time and its program address, for each
// source.
#pragma once

#include "decoder/trace/messages/trace_reader.h"
#include "hw/interface/trace/address.h"
#include "hw/interface/trace/timestamp.h"

#include <map>
#include <optional>

namespace pes::trace {

struct MessageContext {
    std::optional<std::uint64_t> time = {};
    std::optional<std::uint64_t> address = {};     ///< what its U-ADDR or F-ADDR stands for
    std::optional<std::uint64_t> destination = {}; ///< of a call or return event that says it
    /// Its U-ADDR or F-ADDR with the sign that the encoder left out, if that makes a difference.
    std::optional<std::uint64_t> extended_field = {};
};

/// The address that stands for one that was sent in fewer bits: the highest of `bits` is its sign.
/// Without a width, an address is extended if only a kernel's can look like it: its bits from 32 up
/// are all set, and there are as many in all as virtual addresses have (Sv39, Sv48, Sv57), or one
/// more. (A user's are one shorter.)
std::uint64_t extend_address(std::uint64_t address, std::optional<unsigned> bits);

class ContextTracker {
  public:
    explicit ContextTracker(TimestampFormat format,
                            std::optional<unsigned> address_bits = std::nullopt)
        : format_(format), address_bits_(address_bits) {}

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
    void follow_address(const TraceMessage& message, AddressReference& reference,
                        MessageContext& context) const;

    TimestampFormat format_;
    std::optional<unsigned> address_bits_;
    std::map<std::uint16_t, Source> sources_;
    std::map<std::uint16_t, Source>::iterator recent_ = sources_.end();
};

} // namespace pes::trace
