// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/stimulus_writer.h"

#include "hw/hpm/counter_names.h"

#include <charconv>
#include <utility>

namespace pes {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16; ///< bytes that are handed over together
constexpr unsigned kVersion = 1;

/// Event::None has a pin, which nothing counts.
EventMask counted(EventMask events) {
    return events - event_bit(Event::None);
}

} // namespace

void StimulusWriter::begin(const CounterConfig& config, std::span<const std::uint16_t> registers) {
    const auto digit = [](bool value) { return value ? "1 " : "0 "; };
    text_ += "pes-counter-stimulus " + std::to_string(kVersion) + "\nshape " +
             std::string(config.profile->name) + ' ' + std::to_string(config.programmable) + ' ' +
             std::to_string(config.width) + ' ' + digit(config.write_freezes) +
             digit(config.sscofpmf) + digit(config.smcntrpmf) +
             std::to_string(pulse_pins(*config.profile)) + '\n';
    for (const std::uint16_t csr : registers) {
        if (const std::string name = counter_csr_name(csr); !name.empty()) {
            begin_record('x');
            number(csr);
            text_ += ' ' + name;
            end_record();
        }
    }
}

void StimulusWriter::shows(char kind, std::uint16_t csr, std::uint64_t value) {
    flush_idle();
    begin_record(kind);
    number(csr);
    number(value);
    end_record();
}

void StimulusWriter::cycle(const RtlModel::Inputs& inputs) {
    ++cycles_;
    write_mode(inputs);
    write_samples(inputs);
    if (inputs.write) {
        flush_idle();
        begin_record('w');
        number(inputs.csr);
        number(inputs.write_data);
        end_record();
    }
    const bool pulses = counted(inputs.pulses).any();
    if (inputs.retired != 0) {
        write_retirements(inputs);
    } else if (pulses || inputs.write || inputs.overflow_cause || inputs.threshold_cause) {
        flush_idle();
        begin_record('p');
        write_mask(inputs.pulses);
        end_record();
    } else {
        ++idle_;
    }
}

/// Levels, in front of the first cycle that has them.
void StimulusWriter::write_mode(const RtlModel::Inputs& inputs) {
    if (inputs.privilege != last_.privilege || inputs.debug != last_.debug) {
        flush_idle();
        begin_record('m');
        number(static_cast<std::uint64_t>(inputs.privilege));
        number(inputs.debug ? 1 : 0);
        end_record();
        last_.privilege = inputs.privilege;
        last_.debug = inputs.debug;
    }
}

void StimulusWriter::write_samples(const RtlModel::Inputs& inputs) {
    if (inputs.overflow_pending != last_.overflow_pending ||
        inputs.sampled_counters != last_.sampled_counters) {
        flush_idle();
        begin_record('s');
        number(inputs.overflow_pending ? 1 : 0);
        number(inputs.sampled_counters);
        end_record();
        last_.overflow_pending = inputs.overflow_pending;
        last_.sampled_counters = inputs.sampled_counters;
    }
    for (const auto& cause : {inputs.overflow_cause, inputs.threshold_cause}) {
        if (cause) {
            flush_idle();
            begin_record(cause->kind == Crossing::Kind::Overflow ? 'o' : 't');
            number(cause->counter);
            number(cause->pc);
            number(cause->data);
            end_record();
        }
    }
}

void StimulusWriter::write_retirements(const RtlModel::Inputs& inputs) {
    flush_idle();
    begin_record(static_cast<char>('0' + inputs.retired));
    write_mask(inputs.pulses);
    write_mask(inputs.retire_events[0]);
    for (unsigned port = 0; port < inputs.retired; ++port) {
        number(inputs.retire_pc[port]);
        number(static_cast<std::uint64_t>(inputs.retire_class[port]));
        number(inputs.retire_register[port]);
    }
    end_record();
}

void StimulusWriter::lines(const Lines& lines) {
    if (lines == lines_) {
        return;
    }
    lines_ = lines;
    flush_idle();
    begin_record('l');
    for (const bool line : lines) {
        number(line ? 1 : 0);
    }
    end_record();
}

void StimulusWriter::end() {
    flush_idle();
    text_ += "e " + std::to_string(cycles_) + '\n';
    sink_(text_);
    text_.clear();
}

void StimulusWriter::flush_idle() {
    if (idle_ != 0) {
        text_ += "n " + std::to_string(std::exchange(idle_, 0)) + '\n';
    }
}

void StimulusWriter::write_mask(EventMask events) {
    number(counted(events).word(0)); // no block has more than 64 pulse pins
}

void StimulusWriter::begin_record(char kind) {
    text_ += kind;
}

void StimulusWriter::number(std::uint64_t value) {
    constexpr std::size_t kDigits = 16;
    constexpr int kHexadecimal = 16;
    std::array<char, kDigits> digits{};
    const auto result =
        std::to_chars(digits.data(), digits.data() + digits.size(), value, kHexadecimal);
    text_ += ' ';
    text_.append(digits.data(), result.ptr);
}

void StimulusWriter::end_record() {
    text_ += '\n';
    if (text_.size() >= kChunk) {
        sink_(text_);
        text_.clear();
    }
}

} // namespace pes
