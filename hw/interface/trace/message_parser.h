// SPDX-License-Identifier: Apache-2.0
// Bytes -> messages, one at a time and without state: the caller brings the bytes and keeps count.
//
// A message ends at the first slice with MSEO 11, whatever is in it. That is where the parser
// continues behind one that it cannot read, so damage costs the messages that it touches and no
// more.
#pragma once

#include "hw/interface/trace/address.h"
#include "hw/interface/trace/message.h"

#include <cstddef>
#include <span>

namespace pes::trace {

enum class ParseStatus : std::uint8_t {
    Message,
    Idle,          ///< a run of 0xFF
    Incomplete,    ///< good so far; the message goes on behind the last byte
    Stray,         ///< a byte that no message starts with: MSEO is not 00, or all zero
    UnknownCode,   ///< TCODE is not in the table
    IllegalSlice,  ///< MSEO 10
    MissingFields, ///< ended too early: torn, or another width of SRC
    ExtraFields,   ///< more fields than the layout and a timestamp
    TooWide,       ///< a value of more than 64 bits
    TooLong,       ///< more than kMostSlices
};
inline constexpr std::size_t kParseStatuses = 10;

constexpr bool is_damage(ParseStatus status) {
    return status >= ParseStatus::Stray;
}

struct ParseResult {
    ParseStatus status = ParseStatus::Incomplete;
    std::size_t size = 0;  ///< bytes that this took
    bool ended = false;    ///< damage: its last byte has MSEO 11, or it was a stray byte
    bool doubtful = false; ///< message: a value that the format does not assign
};

/// Reads what `bytes` starts with. Unless the status is Message, `message` keeps no meaning but its
/// source, which is that of a message with UnknownCode.
ParseResult parse_message(std::span<const std::uint8_t> bytes, unsigned source_bits,
                          TraceMessage& message, AddressForm addresses = AddressForm::Plain);

/// Bytes up to and including the first slice that ends a message, or all of them.
ParseResult skip_to_end(std::span<const std::uint8_t> bytes);

} // namespace pes::trace
