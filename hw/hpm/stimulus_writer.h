// SPDX-License-Identifier: Apache-2.0
// The stimulus file: the input pins of a counter block, cycle by cycle, and the values that it must
// show, as text that a testbench in plain Verilog reads with $fscanf. docs/rtl-replay.md has the
// format; it is written only here.
#pragma once

#include "hw/hpm/counter_config.h"
#include "hw/hpm/rtl_model.h"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace pes {

class StimulusWriter {
  public:
    using Sink = std::function<void(std::string_view text)>;
    /// Threshold, buffer full, overflow: by BankLine.
    using Lines = std::array<bool, 3>;

    explicit StimulusWriter(Sink sink) : sink_(std::move(sink)) {}

    /// The head of the file: the shape of the block and the names of its registers.
    void begin(const CounterConfig& config, std::span<const std::uint16_t> registers);

    /// The value that the register must show on the read port before the next cycle is driven:
    /// software reads it, or the recorder looks at it.
    void software_reads(std::uint16_t csr, std::uint64_t value) { shows('r', csr, value); }
    void must_hold(std::uint16_t csr, std::uint64_t value) { shows('d', csr, value); }

    /// One cycle. Of the CSR port only writes are pins.
    void cycle(const RtlModel::Inputs& inputs);
    /// The outputs behind that cycle's edge.
    void lines(const Lines& lines);

    void end();

  private:
    void shows(char kind, std::uint16_t csr, std::uint64_t value);
    void write_mode(const RtlModel::Inputs& inputs);
    void write_samples(const RtlModel::Inputs& inputs);
    void write_retirements(const RtlModel::Inputs& inputs);
    void write_mask(EventMask events);
    void flush_idle();
    void begin_record(char kind);
    void number(std::uint64_t value); ///< hexadecimal, behind a blank
    void end_record();

    Sink sink_;
    std::string text_; ///< not handed over yet
    std::uint64_t cycles_ = 0;
    std::uint64_t idle_ = 0; ///< cycles that are not written yet
    RtlModel::Inputs last_;  ///< levels as written
    Lines lines_{};
};

} // namespace pes
