// SPDX-License-Identifier: Apache-2.0
// The registers of filters and comparators in the Trace Control Interface 1.0: bits of
// trTeInstFilters, trTeFilter.. and trTeComp.. to settings and back. Reserved codes, and what the
// encoder does not have, become legal values. Internal to hw/trace/encoder.
#pragma once

#include "hw/common/register_block.h"
#include "hw/trace/filter_settings.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace pes::trace {

class FilterRegisters {
  public:
    struct Counts {
        unsigned filters = 0;
        unsigned comparators = 0;
    };
    /// `changed` is called behind each write.
    FilterRegisters(Counts counts, std::function<void(Cycle)> changed)
        : counts_(counts), changed_(std::move(changed)) {}

    const TraceFilters& settings() const { return settings_; }
    void reset() { settings_ = {}; }
    /// Once; the registers refer to this object.
    std::vector<Register> describe();

    void state(class Archive& archive); ///< of a checkpoint

  private:
    using Half = unsigned; ///< of 64 bits: 0 low, 1 high
    enum class Side : std::uint8_t { Primary, Secondary };

    std::vector<Register> describe_filter(unsigned index);
    std::vector<Register> describe_comparator(unsigned index);

    std::uint32_t read_selected() const { return settings_.selected; }
    std::uint32_t read_filter(unsigned index) const;
    std::uint32_t read_match(unsigned index) const;
    std::uint32_t read_causes(unsigned index, Half half) const;
    std::uint32_t read_comparator(unsigned index) const;
    std::uint32_t read_value(unsigned index, Side side, Half half) const;
    void write_selected(std::uint32_t value, Cycle at);
    void write_filter(unsigned index, std::uint32_t value, Cycle at);
    void write_match(unsigned index, std::uint32_t value, Cycle at);
    void write_causes(unsigned index, Half half, std::uint32_t value, Cycle at);
    void write_comparator(unsigned index, std::uint32_t value, Cycle at);
    void write_value(unsigned index, Side side, Half half, std::uint32_t value, Cycle at);

    FilterSettings::Ask legal_ask(std::uint32_t value) const;
    Comparison& comparison(unsigned index, Side side);
    const Comparison& comparison(unsigned index, Side side) const;

    const Counts counts_;
    const std::function<void(Cycle)> changed_;
    TraceFilters settings_;
};

} // namespace pes::trace
