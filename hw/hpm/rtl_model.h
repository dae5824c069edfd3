// SPDX-License-Identifier: Apache-2.0
// A counter block in RTL as its pins: what RtlCounterBank drives. Verilated models implement it
// (hw/hpm/rtl/verilated_model.h); docs/rtl-counters.md has the pins with their timing.
#pragma once

#include "hw/common/event.h"
#include "hw/common/sample_host.h"
#include "hw/interface/riscv/retire_class.h"
#include "hw/interface/types.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace pes {

class RtlModel {
  public:
    /// The input pins of one cycle. Without a write, `csr` says which register `read_data` shows.
    struct Inputs {
        EventMask pulses{};
        std::array<Address, 2> retire_pc{}; ///< in program order
        /// The pulses of each port's own retirement; 0 for a port on which nothing retires.
        std::array<EventMask, 2> retire_events{};
        /// Class and destination register (hw/interface/riscv/retire_class.h) of each port; 0 for a
        /// port on which nothing retires.
        std::array<RetireClass, 2> retire_class{};
        std::array<std::uint8_t, 2> retire_register{};
        std::uint64_t write_data = 0;
        std::uint16_t csr = 0;
        bool write = false;
        bool debug = false;
        std::uint8_t retired = 0; ///< 0..2, ports from 0 on
        Privilege privilege = Privilege::Machine;
        bool overflow_pending = false; ///< Sspesa, as SampleHost says, and the causes it has named
        std::uint32_t sampled_counters = 0;
        std::optional<SampleCause> overflow_cause{}, threshold_cause{};
        void state(class Archive& archive); ///< of a checkpoint
    };

    /// A question of Sspesa about a counter that has overflowed, or reached its threshold.
    struct Question {
        bool asked = false;
        bool counted = false; ///< not by a write
        bool younger = false; ///< of two instructions the younger one came after that
        std::uint8_t counter = 0;
        std::uint64_t selector = 0;
        void state(class Archive& archive);
    };

    /// The output pins after the clock edge, that is, in the next cycle.
    struct Outputs {
        std::uint64_t read_data = 0; ///< of Inputs::csr, with its new value
        std::uint64_t sample_cycle = 0;
        Address sample_pc = 0;
        std::uint32_t reached = 0; ///< comparators, bit = counter index
        std::uint32_t sample_reached = 0;
        bool hit = false; ///< Inputs::csr is one of the block's
        bool threshold_irq = false;
        bool buffer_full_irq = false;
        bool overflow_irq = false;
        std::uint8_t sample_privilege = 0;
        std::uint32_t overflowed = 0; ///< bit = counter index
        Question overflow, threshold;
        void state(class Archive& archive);
    };

    /// True for the block's module, as dumps call it.
    static constexpr bool is_top(std::string_view module) {
        return module == "pes_hpm" || module == "pes_pcer";
    }
    using DumpText = std::function<void(std::string_view)>;

    RtlModel() = default;
    RtlModel(const RtlModel&) = delete;
    RtlModel& operator=(const RtlModel&) = delete;
    virtual ~RtlModel() = default;

    /// Asserts the reset pin for a few clock edges, which puts the model into its reset state.
    virtual void reset() = 0;
    virtual void cycle(const Inputs& inputs, Outputs& outputs) = 0;

    /// The read port: combinational, no clock edge. A trace shows it.
    virtual std::uint64_t read(std::uint16_t csr) = 0;
    /// True if the block implements the CSR number.
    virtual bool hit(std::uint16_t csr) = 0;

    /// The whole state as bytes, for this model only, if the model can_save().
    virtual bool can_save() const = 0;
    virtual void save(std::string& state) = 0;
    /// A model of the same kind has saved it: restore() takes no other.
    virtual bool fits(const std::string& state) = 0;
    /// A dump declares everything once more, and then has all values.
    virtual void restore(const std::string& state) = 0;

    static constexpr std::uint64_t kTracePerCycle = 10; ///< ns, in a trace
    /// `text` receives a value change dump of every signal from the next cycle on, which is cycle
    /// `from`.
    virtual void start_trace(DumpText text, Cycle from) = 0;
    virtual void stop_trace() = 0;

    /// Call at most once, instead of a trace: `text` receives a value change dump of every signal,
    /// the declarations at once, values with dump().
    virtual void attach_dump(DumpText text) = 0;
    /// Drives the pins without a clock edge and dumps the changes, at time `cycle`.
    virtual void dump(const Inputs& inputs, Cycle cycle) = 0;
};

using RtlFactory = std::function<std::unique_ptr<RtlModel>()>;

} // namespace pes
