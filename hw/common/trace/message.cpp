// SPDX-License-Identifier: Apache-2.0
#include "hw/common/trace/message.h"

#include <cstdlib>

namespace pes::trace {
namespace {

constexpr std::size_t kNotThere = kMostFields;

std::size_t index_of(MessageCode code, Field field) {
    const MessageLayout& layout = layout_of(code);
    for (std::size_t index = 0; index < layout.field_count; ++index) {
        if (layout.fields[index].field == field) {
            return index;
        }
    }
    return kNotThere;
}

} // namespace

std::uint64_t TraceMessage::value(Field field) const {
    const std::size_t index = index_of(code, field);
    return index == kNotThere ? 0 : values[index];
}

bool TraceMessage::has(Field field) const {
    const std::size_t index = index_of(code, field);
    return index != kNotThere && is_present(layout_of(code).fields[index], values);
}

TraceMessage& TraceMessage::set(Field field, std::uint64_t value) {
    const std::size_t index = index_of(code, field);
    if (index == kNotThere) {
        std::abort();
    }
    values[index] = value;
    return *this;
}

} // namespace pes::trace
