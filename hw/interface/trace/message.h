// SPDX-License-Identifier: Apache-2.0
// A trace message as values: what an encoder packs and a decoder gets back.
#pragma once

#include "hw/interface/trace/message_layout.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <type_traits>

namespace pes::trace {

/// Whether the message of these (earlier) values has this field.
inline bool is_present(const FieldLayout& field,
                       const std::array<std::uint64_t, kMostFields>& values) {
    return field.selector < 0 ||
           values[static_cast<unsigned char>(field.selector)] == field.selected_by;
}

struct TraceMessage {
    MessageCode code = MessageCode::Ownership;
    std::uint16_t source = 0;
    std::optional<std::uint64_t> timestamp; ///< the field as sent: absolute, XOR or difference
    std::array<std::uint64_t, kMostFields> values{}; ///< in the order of the layout

    bool operator==(const TraceMessage&) const = default;

    /// 0 if the message does not have the field.
    std::uint64_t value(Field field) const {
        const std::size_t index = field_index(code, field);
        return index == kMostFields ? 0 : values[index];
    }
    bool has(Field field) const {
        const std::size_t index = field_index(code, field);
        return index != kMostFields && is_present(layout_of(code).fields[index], values);
    }

    /// Aborts if no message of this code has the field.
    TraceMessage& set(Field field, std::uint64_t value) {
        const std::size_t index = field_index(code, field);
        if (index == kMostFields) {
            std::abort();
        }
        values[index] = value;
        return *this;
    }
    template <typename Meaning>
    requires std::is_enum_v<Meaning> TraceMessage& set(Field field, Meaning meaning) {
        return set(field, static_cast<std::uint64_t>(meaning));
    }
};

inline TraceMessage make_message(MessageCode code) {
    TraceMessage message;
    message.code = code;
    return message;
}

} // namespace pes::trace
