// SPDX-License-Identifier: Apache-2.0
// A Verilated counter block (Verilator's --cc output) behind RtlModel.
//
// A cycle is two evaluations, falling and rising edge; the inputs change before the falling one, as
// if just after the rising edge before. Only in a trace do they get a point of time of their own.
#pragma once

#include "hw/hpm/rtl/rtl_coverage.h"
#include "hw/hpm/rtl/verilated_streams.h"
#include "hw/hpm/rtl_model.h"

#include <memory>
#include <type_traits>
#include <verilated.h>
#include <verilated_vcd_c.h>

namespace pes {

/// `Top` has the pins of pes_hpm, with as many pulses as it likes.
template <typename Top>
class VerilatedModel final : public RtlModel {
  public:
    VerilatedModel() {
        if constexpr (!kSavable) {
            RtlCoverage::of_this_process(); // outlives the model
        }
        context_.traceEverOn(true);
        top_.clk_i = 1;
        top_.rst_ni = 1;
        top_.eval();
    }
    ~VerilatedModel() override {
        stop_trace();
        dump_.reset();
        top_.final();
        if constexpr (!kSavable) {
            RtlCoverage::of_this_process().add(*context_.coveragep());
        }
    }

    void reset() override {
        drive({});
        top_.rst_ni = 0;
        top_.eval();
        for (unsigned edge = 0; edge < kResetCycles; ++edge) { // foreign RTL may reset on the clock
            top_.clk_i = 0;
            top_.eval();
            top_.clk_i = 1;
            top_.eval();
        }
        top_.rst_ni = 1;
        top_.eval();
    }

    void cycle(const Inputs& inputs, Outputs& outputs) override {
        drive(inputs);
        if (trace_) [[unlikely]] {
            top_.eval();
            trace_->dump(time_ += kInputDelay);
        }
        top_.clk_i = 0;
        top_.eval();
        if (trace_) [[unlikely]] {
            trace_->dump(time_ += 4);
        }
        top_.clk_i = 1;
        top_.eval();
        if (trace_) [[unlikely]] {
            trace_->dump(time_ += 5);
        }
        sample(outputs);
    }

    std::uint64_t read(std::uint16_t csr) override {
        look_at(csr);
        return top_.csr_rdata_o;
    }

    bool hit(std::uint16_t csr) override {
        look_at(csr);
        return top_.csr_hit_o != 0;
    }

    bool can_save() const override { return kSavable; }
    void save(std::string& state) override {
        if constexpr (kSavable) {
            saver_.begin(state);
            saver_ << top_;
            saver_.flush();
        }
    }
    bool fits(const std::string& state) override {
        std::string own;
        save(own);
        return state.size() == own.size() &&
               state.compare(kCheckAt, kCheckBytes, own, kCheckAt, kCheckBytes) == 0;
    }
    void restore(const std::string& state) override {
        if constexpr (kSavable) {
            StateRestore restorer(state);
            restorer >> top_;
            if (dump_) { // it has the changes since its last one, which was of another state
                open_dump();
            }
        }
    }

    void start_trace(DumpText text, Cycle from) override {
        trace_text_ = std::make_unique<DumpToText>(std::move(text));
        trace_ = std::make_unique<VerilatedVcdC>(trace_text_.get());
        top_.trace(trace_.get(), kAllLevels);
        trace_->set_time_unit("1ns");
        trace_->set_time_resolution("1ns");
        trace_->open("");
        time_ = from * kTracePerCycle;
        trace_->dump(time_);
    }
    void stop_trace() override {
        if (trace_) {
            trace_->close();
            trace_.reset();
        }
    }

    void attach_dump(DumpText text) override {
        dump_text_ = std::make_unique<DumpToText>(std::move(text));
        open_dump();
    }
    void dump(const Inputs& inputs, Cycle cycle) override {
        drive(inputs);
        top_.eval();
        dump_->dump(cycle);
        dump_->flush();
    }

  private:
    /// Verilator has no --savable beside --coverage.
    static constexpr bool kSavable = requires(StateSave & saver, Top& top) { saver << top; };
    /// Behind a byte of activity and one that says that it has begun, Verilator saves a number that
    /// differs from model to model.
    static constexpr std::size_t kCheckAt = 2, kCheckBytes = 8;
    static constexpr unsigned kResetCycles = 4;
    static constexpr std::uint64_t kInputDelay = 1;
    static constexpr int kAllLevels = 99;

    /// Pin n = Event n. Verilator has integers for up to 64 pins, arrays of 32-bit words beyond.
    template <typename Pins>
    static void drive_mask(Pins& pins, EventMask events) {
        if constexpr (std::is_integral_v<Pins>) {
            pins = static_cast<Pins>(events.word(0));
        } else {
            for (std::size_t word = 0; word < sizeof(Pins) / sizeof(IData); ++word) {
                pins[word] = static_cast<IData>(events.word(word / 2) >> (32 * (word % 2)));
            }
        }
    }

    void drive(const Inputs& inputs) {
        top_.csr_addr_i = inputs.csr;
        top_.csr_we_i = inputs.write;
        top_.csr_wdata_i = inputs.write_data;
        drive_mask(top_.pulses_i, inputs.pulses);
        top_.retire_valid_i = static_cast<CData>((1U << inputs.retired) - 1);
        for (unsigned port = 0; port < inputs.retire_pc.size(); ++port) {
            top_.retire_pc_i[2 * port] = static_cast<IData>(inputs.retire_pc[port]);
            top_.retire_pc_i[2 * port + 1] = static_cast<IData>(inputs.retire_pc[port] >> 32);
        }
        drive_mask(top_.retire_events_i, inputs.retire_events[0]);
        const auto both = [](auto pins, unsigned bits) {
            return static_cast<SData>(unsigned(pins[0]) | unsigned(pins[1]) << bits);
        };
        top_.retire_class_i = both(inputs.retire_class, kRetireClassBits);
        top_.retire_rd_i = both(inputs.retire_register, kRetireRegisterBits);
        top_.priv_lvl_i = static_cast<CData>(inputs.privilege);
        top_.debug_mode_i = inputs.debug;
        drive_samples(inputs);
    }

    void drive_samples(const Inputs& inputs) {
        top_.lcofip_i = inputs.overflow_pending;
        top_.sampled_i = inputs.sampled_counters;
        const SampleCause overflow = inputs.overflow_cause.value_or(SampleCause());
        const SampleCause threshold = inputs.threshold_cause.value_or(SampleCause());
        top_.overflow_valid_i = inputs.overflow_cause.has_value();
        top_.overflow_counter_i = static_cast<CData>(overflow.counter);
        top_.overflow_pc_i = overflow.pc;
        top_.threshold_valid_i = inputs.threshold_cause.has_value();
        top_.threshold_counter_i = static_cast<CData>(threshold.counter);
        top_.threshold_pc_i = threshold.pc;
        top_.threshold_addr_i = threshold.data;
    }

    void sample(Outputs& outputs) const {
        outputs.read_data = top_.csr_rdata_o;
        outputs.hit = top_.csr_hit_o != 0;
        outputs.threshold_irq = top_.threshold_irq_o != 0;
        outputs.buffer_full_irq = top_.buffer_full_irq_o != 0;
        outputs.overflow_irq = top_.overflow_irq_o != 0;
        outputs.reached = top_.reached_o;
        outputs.sample_reached = top_.sample_reached_o;
        outputs.sample_cycle = top_.sample_cycle_o;
        outputs.sample_pc = top_.sample_pc_o;
        outputs.sample_privilege = top_.sample_priv_o;
        outputs.overflowed = top_.overflowed_o;
        outputs.overflow = {.asked = top_.overflow_ask_o != 0,
                            .counted = true,
                            .younger = top_.overflow_younger_o != 0,
                            .counter = top_.overflow_counter_o,
                            .selector = top_.overflow_selector_o};
        outputs.threshold = {.asked = top_.threshold_ask_o != 0,
                             .counted = top_.threshold_counted_o != 0,
                             .younger = top_.threshold_younger_o != 0,
                             .counter = top_.threshold_counter_o,
                             .selector = top_.threshold_selector_o};
    }

    /// The declarations come at once, all values with the next dump().
    void open_dump() {
        dump_ = std::make_unique<VerilatedVcdC>(dump_text_.get());
        top_.trace(dump_.get(), kAllLevels);
        dump_->open("");
    }

    void look_at(std::uint16_t csr) {
        top_.csr_we_i = 0;
        top_.csr_addr_i = csr;
        top_.eval();
        if (trace_) [[unlikely]] {
            trace_->dump(time_ += kInputDelay);
        }
    }

    VerilatedContext context_;
    Top top_{&context_, "rtl"};
    StateSave saver_;
    std::unique_ptr<DumpToText> trace_text_;
    std::unique_ptr<VerilatedVcdC> trace_;
    std::uint64_t time_ = 0;
    std::unique_ptr<DumpToText> dump_text_;
    std::unique_ptr<VerilatedVcdC> dump_;
};

/// For tables of models.
template <typename Top>
std::unique_ptr<RtlModel> make_verilated() {
    return std::make_unique<VerilatedModel<Top>>();
}

} // namespace pes
