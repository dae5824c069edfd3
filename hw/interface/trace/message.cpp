// SPDX-License-Identifier: Apache-2.0
#include "hw/interface/trace/message.h"

#include <cstdlib>

namespace pes::trace {

std::uint64_t TraceMessage::value(Field field) const {
    const std::size_t index = field_index(code, field);
    return index == kMostFields ? 0 : values[index];
}

bool TraceMessage::has(Field field) const {
    const std::size_t index = field_index(code, field);
    return index != kMostFields && is_present(layout_of(code).fields[index], values);
}

TraceMessage& TraceMessage::set(Field field, std::uint64_t value) {
    const std::size_t index = field_index(code, field);
    if (index == kMostFields) {
        std::abort();
    }
    values[index] = value;
    return *this;
}

} // namespace pes::trace
