// SPDX-License-Identifier: Apache-2.0
// A Verilated counter block (Verilator's --cc output) behind RtlModel.
//
// A cycle is two evaluations, falling and rising edge; the inputs change before the falling one, as
// if just after the rising edge before. Only in a trace do they get a point of time of their own.
#pragma once

#include "hw/hpm/rtl_model.h"

#include <cstring>
#include <verilated.h>
#include <verilated_save.h>
#include <verilated_vcd_c.h>

namespace pes {

/// Verilator's save and restore streams, on a string. A model's state is far smaller than the
/// stream's own buffer (256 KB), which is filled and emptied in one go.
class StateSave final : public VerilatedSerialize {
  public:
    void rewind() { m_cp = m_bufp; }
    void take(std::string& state) const {
        state.assign(reinterpret_cast<const char*>(m_bufp),
                     static_cast<std::size_t>(m_cp - m_bufp));
    }
};

class StateRestore final : public VerilatedDeserialize {
  public:
    explicit StateRestore(const std::string& state) {
        std::memcpy(m_bufp, state.data(), state.size());
        m_endp = m_bufp + bufferSize(); // so that it never asks for more
    }

  private:
    void fill() override {}
};

/// `Top` has the pins of pes_hpm.
template <typename Top>
class VerilatedModel final : public RtlModel {
  public:
    VerilatedModel() {
        context_.traceEverOn(true);
        top_.clk_i = 1;
        top_.rst_ni = 1;
        top_.eval();
    }
    ~VerilatedModel() override {
        stop_trace();
        top_.final();
    }

    void reset() override {
        drive({});
        top_.rst_ni = 0;
        top_.eval();
        top_.rst_ni = 1;
        top_.eval();
    }

    void cycle(const Inputs& inputs, Outputs& outputs) override {
        drive(inputs);
        if (trace_) [[unlikely]] {
            top_.eval();
            trace_->dump(time_ += 1);
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

    void save(std::string& state) override {
        saver_.rewind();
        saver_ << top_;
        saver_.take(state);
    }
    void restore(const std::string& state) override {
        StateRestore restorer(state);
        restorer >> top_;
    }

    bool start_trace(const std::string& file, Cycle from) override {
        trace_ = std::make_unique<VerilatedVcdC>();
        top_.trace(trace_.get(), kAllLevels);
        trace_->set_time_unit("1ns");
        trace_->set_time_resolution("1ns");
        trace_->open(file.c_str());
        if (!trace_->isOpen()) {
            trace_.reset();
            return false;
        }
        time_ = from * kTimePerCycle;
        trace_->dump(time_);
        return true;
    }
    void stop_trace() override {
        if (trace_) {
            trace_->close();
            trace_.reset();
        }
    }

  private:
    static constexpr std::uint64_t kTimePerCycle = 10;
    static constexpr int kAllLevels = 99;

    void drive(const Inputs& inputs) {
        top_.csr_addr_i = inputs.csr;
        top_.csr_we_i = inputs.write;
        top_.csr_wdata_i = inputs.write_data;
        top_.pulses_i = static_cast<IData>(inputs.pulses);
        top_.retire_valid_i = static_cast<CData>((1U << inputs.retired) - 1);
        for (unsigned port = 0; port < inputs.retire_pc.size(); ++port) {
            top_.retire_pc_i[2 * port] = static_cast<IData>(inputs.retire_pc[port]);
            top_.retire_pc_i[2 * port + 1] = static_cast<IData>(inputs.retire_pc[port] >> 32);
        }
        top_.priv_lvl_i = static_cast<CData>(inputs.privilege);
        top_.debug_mode_i = inputs.debug;
    }

    void sample(Outputs& outputs) const {
        outputs.read_data = top_.csr_rdata_o;
        outputs.threshold_irq = top_.threshold_irq_o != 0;
        outputs.buffer_full_irq = top_.buffer_full_irq_o != 0;
        outputs.reached = top_.reached_o;
        outputs.sample_reached = top_.sample_reached_o;
        outputs.sample_cycle = top_.sample_cycle_o;
        outputs.sample_pc = top_.sample_pc_o;
        outputs.sample_privilege = top_.sample_priv_o;
    }

    void look_at(std::uint16_t csr) {
        top_.csr_we_i = 0;
        top_.csr_addr_i = csr;
        top_.eval();
    }

    VerilatedContext context_;
    Top top_{&context_, "rtl"};
    StateSave saver_;
    std::unique_ptr<VerilatedVcdC> trace_;
    std::uint64_t time_ = 0;
};

} // namespace pes
