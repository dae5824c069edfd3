// SPDX-License-Identifier: Apache-2.0
// The sampling methods that the host offers, at no cost to the guest. A method is a trigger, the
// instruction that is captured, and the delay after the trigger: one row of the table that `pes-vp
// profile --method` and pes-lab enumerate.
#pragma once

#include "hw/core/truth/instruction_window.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pes {

/// From the tick of mtime to the first decode that sees it: mip is a register.
inline constexpr Cycle kTimerToDecode = 1;

struct SamplingMethod {
    enum class Trigger : std::uint8_t {
        Events,    ///< every so many events
        Cycles,    ///< every so many cycles; a sample stands for the events since the last one
        HalfWords, ///< every so many half-words of retired code; likewise
        Decoded,   ///< every so many decoded instructions of a kind (decode_sampler.h)
        Draw,      ///< none: instructions are drawn at random, in proportion to what they caused
    };

    const char* name;
    Trigger trigger;
    Sight capture;      ///< of the instruction; of HalfWords: the one that completes the period
    Cycle delay;        ///< from the cycle of the trigger to the one that the capture is about
    const char* title;  ///< a few words for a table
    const char* source; ///< who samples so
    /// Of Decoded: the latency in the record that is the weight of a sample of cycles, by the
    /// numbers of spdisfilter.LATSEL.
    unsigned latency = 0;
};

std::span<const SamplingMethod> sampling_methods();
/// Null if there is no method of this name.
const SamplingMethod* find_method(std::string_view name);
/// Separated by ", ".
std::string method_names();

} // namespace pes
