// SPDX-License-Identifier: Apache-2.0
// A store to an instrumentation stimulus as a DataAcquisition message. IDTAG is four times the
// stimulus plus the byte offset of the store, and stores of 4, 2 and 1 bytes go to offset 0, 2 and
// 3: the tag tells the size, because DQDATA leaves out leading zeros.
#pragma once

#include "hw/interface/trace/message.h"

namespace pes::trace {

inline constexpr unsigned kStimuli = 32;

struct StimulusWrite {
    unsigned stimulus = 0;
    unsigned bytes = 4; ///< 4, 2 or 1
    std::uint32_t value = 0;

    bool operator==(const StimulusWrite&) const = default;
};

inline TraceMessage to_message(const StimulusWrite& write) {
    const unsigned offset = write.bytes == 4 ? 0 : 4 - write.bytes; // 2 -> 2, 1 -> 3
    return make_message(MessageCode::DataAcquisition)
        .set(Field::IdTag, 4 * write.stimulus + offset)
        .set(Field::Data, write.value);
}

/// `message` is a DataAcquisition. Offset 1 is not sent by stores; it counts as a whole word.
inline StimulusWrite to_stimulus_write(const TraceMessage& message) {
    const std::uint64_t tag = message.value(Field::IdTag);
    const auto offset = static_cast<unsigned>(tag % 4);
    return {.stimulus = static_cast<unsigned>(tag / 4),
            .bytes = offset < 2 ? 4 : 4 - offset,
            .value = static_cast<std::uint32_t>(message.value(Field::Data))};
}

} // namespace pes::trace
