// SPDX-License-Identifier: Apache-2.0
// Reads a waveform file (value change dump, IEEE 1364-2005 clause 18) back into signals whose time
// is counted in clock cycles. For files of this platform and others like them: two-valued signals
// of at most 64 bits, GTKWave's texts, changes on whole cycles. Everything else is refused with
// file and line.
#pragma once

#include "hw/interface/types.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

enum class Edge : std::uint8_t { Rise, Fall };

class WaveSignal {
  public:
    struct Change {
        Cycle at;
        std::uint64_t value;
    };

    explicit WaveSignal(unsigned width) : width_(width) {}

    unsigned width() const { return width_; } ///< 0: its values are texts
    bool is_text() const { return width_ == 0; }
    /// What a value of a text stands for, as written in the file.
    const std::string& text_of(std::uint64_t value) const { return texts_.at(value); }
    std::span<const Change> changes() const { return changes_; }

    /// Nothing before the first value in the file.
    std::optional<std::uint64_t> at(Cycle cycle) const;

    /// The first cycle from `from` on in which the condition holds.
    std::optional<Cycle> first(Cycle from,
                               const std::function<bool(std::uint64_t value)>& holds) const;

    /// The first cycle from `from` on in which bit `bit` has just changed.
    std::optional<Cycle> edge(Cycle from, unsigned bit, Edge edge) const;

  private:
    friend class VcdParser;

    unsigned width_;
    std::vector<Change> changes_;    ///< ascending, no two of one cycle
    std::vector<std::string> texts_; ///< by value
};

/// "name(index)", as the published figures number their signals.
std::string indexed(std::string_view name, unsigned index);

class VcdFile {
  public:
    /// `period_ps`: one clock cycle. Throws UserError.
    static VcdFile read(const std::filesystem::path& path, std::uint64_t period_ps);

    /// By scoped name, "plic.ip". Throws UserError if there is none.
    const WaveSignal& signal(std::string_view name) const;
    const WaveSignal* find(std::string_view name) const;
    const std::vector<std::string>& names() const { return names_; } ///< in the file's order

    /// The recorded window; `to` is the last time stamp in the file.
    Cycle from() const { return from_; }
    Cycle to() const { return to_; }

  private:
    friend class VcdParser;

    std::string path_;
    std::vector<std::string> names_;
    std::map<std::string, std::size_t, std::less<>> by_name_;
    std::vector<WaveSignal> signals_; ///< several names may stand for one
    Cycle from_ = 0;
    Cycle to_ = 0;
};

} // namespace pes
