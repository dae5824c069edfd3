// SPDX-License-Identifier: Apache-2.0
// How a block offers its signals to a waveform. Blocks hold a WaveSink pointer that is null if no
// waveform is recorded; the recorder (platform/) implements it.
#pragma once

#include "hw/interface/types.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace pes {

enum class SignalId : std::uint32_t {};

/// What the values of a signal are called, if it shows texts.
class WaveTexts {
  public:
    WaveTexts() = default;
    WaveTexts(const WaveTexts&) = delete;
    WaveTexts& operator=(const WaveTexts&) = delete;
    virtual ~WaveTexts() = default;

    /// Any text but the empty one.
    virtual std::string_view text_of(std::uint64_t value) const = 0;
};

class WaveSink {
  public:
    WaveSink() = default;
    WaveSink(const WaveSink&) = delete;
    WaveSink& operator=(const WaveSink&) = delete;
    virtual ~WaveSink() = default;

    /// True if signals of this group ("hpm", "plic", "commit", ...) are wanted.
    virtual bool wants(std::string_view group) const = 0;

    /// Declares a signal before the run starts. `scope` is a dotted path ("hart0.hpm"), `name` as
    /// the published figures print it ("generic_counter_q(1)"), `width` in bits (1..64).
    virtual SignalId declare(std::string_view group, std::string_view scope, std::string_view name,
                             unsigned width, std::uint64_t initial) = 0;

    /// The same for a signal that shows a text instead of each value. A sink that has no texts
    /// shows the values.
    virtual SignalId declare_text(std::string_view group, std::string_view scope,
                                  std::string_view name,
                                  const std::shared_ptr<const WaveTexts>& /*texts*/,
                                  std::uint64_t initial) {
        constexpr unsigned kWholeValue = 64;
        return declare(group, scope, name, kWholeValue, initial);
    }

    /// The signal has `value` from cycle `at` on. Changes may come out of order by a few cycles.
    virtual void change(SignalId signal, Cycle at, std::uint64_t value) = 0;

    /// The recorded window [from, to). Inside it a block reports every change with its own cycle;
    /// outside it, only the latest value is needed.
    virtual Cycle window_from() const = 0;
    virtual Cycle window_to() const = 0;
};

} // namespace pes
