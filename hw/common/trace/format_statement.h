// SPDX-License-Identifier: Apache-2.0
// The statement of a stream about its own timestamps: an Ownership message ahead of everything
// else. Neither dialect's specification gives PROCESS of format 1 a meaning, so other readers pass
// over it. A stream without one is in SiFive's dialect, which is what every reader assumes.
//
//   PROCESS  bits 1:0 format = 1, 3:2 dialect (0 SiFive, 1 N-Trace), 9:4 bits of the counter - 1
#pragma once

#include "hw/common/trace/message.h"
#include "hw/common/trace/timestamp.h"

#include <optional>

namespace pes::trace {

inline constexpr std::uint64_t kStatementFormat = 1;
inline constexpr std::uint64_t kStatementFormatMask = 3;
inline constexpr unsigned kStatementDialectShift = 2;
inline constexpr std::uint64_t kStatementDialectMask = 3;
inline constexpr unsigned kStatementBitsShift = 4;
inline constexpr std::uint64_t kStatementBitsMask = 0x3F;

inline TraceMessage format_statement(const TimestampFormat& format) {
    const auto dialect = static_cast<std::uint64_t>(format.dialect);
    return make_message(MessageCode::Ownership)
        .set(Field::Process, kStatementFormat | (dialect << kStatementDialectShift) |
                                 (std::uint64_t{format.bits - 1} << kStatementBitsShift));
}

/// What `message` states; nothing if it is no statement, or one of a dialect or with bits that this
/// reader does not know.
inline std::optional<TimestampFormat> stated_format(const TraceMessage& message) {
    const std::uint64_t process = message.value(Field::Process);
    if (message.code != MessageCode::Ownership ||
        (process & kStatementFormatMask) != kStatementFormat) {
        return std::nullopt;
    }
    const std::uint64_t dialect = (process >> kStatementDialectShift) & kStatementDialectMask;
    const std::uint64_t bits = process >> kStatementBitsShift;
    if (dialect > static_cast<std::uint64_t>(TimestampDialect::NTrace) ||
        bits > kStatementBitsMask) {
        return std::nullopt;
    }
    return TimestampFormat{.dialect = static_cast<TimestampDialect>(dialect),
                           .bits = static_cast<unsigned>(bits) + 1};
}

} // namespace pes::trace
