// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/sinks/trace_sink.h"

#include "hw/common/module_logger.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

namespace pes::trace {
namespace {

namespace sink = trace_map::sink;
namespace probe = trace_map::probe;

constexpr unsigned kModeOneBit = 8; // pibMode 8 to 11: 1, 2, 4, 8 data bits a reference clock
constexpr unsigned kModeEightBits = 11;
constexpr std::uint32_t kDividerMask = 0x1FFF;
constexpr unsigned kBitsPerByte = 8;

constexpr std::uint32_t bit(std::uint32_t code) {
    return std::uint32_t{1} << code;
}

const SinkConfig& checked(const SinkConfig& config) {
    constexpr std::uint32_t known =
        bit(sink::kSram) | bit(sink::kProbe) | bit(sink::kMemory) | bit(sink::kFunnel);
    if (config.sinks == 0 || (config.sinks & ~known) != 0) {
        throw std::invalid_argument("trace sink: connects SRAM, probe, memory, funnel or several");
    }
    if (config.burst_bytes == 0 || config.burst_bytes % config.word_bytes != 0 ||
        config.burst_bytes > TraceSink::kMostBurst) {
        throw std::invalid_argument("trace sink: a burst is whole words, at most 1024 bytes");
    }
    return config;
}

bool stops(SinkWindow::Filled filled, SinkUnit::OnWrap action) {
    switch (action) {
    case SinkUnit::OnWrap::GoOn:
        return false;
    case SinkUnit::OnWrap::Stop:
        return filled == SinkWindow::Filled::First;
    case SinkUnit::OnWrap::StopEachTime:
        return filled != SinkWindow::Filled::No;
    }
    return false;
}

std::uint32_t sram_bytes(const SinkConfig& config) {
    return (config.sinks & bit(sink::kSram)) != 0 ? config.sram_bytes : 0;
}

} // namespace

TraceSink::TraceSink(const std::string& name, const SinkConfig& config, SinkClock& clock,
                     MemoryPort* memory, ProbeOutput* probe_output)
    : config_(checked(config)), clock_(clock), memory_(memory), probe_(probe_output),
      log_(module_logger(name)),
      window_(config.word_bytes, sram_bytes(config), config.address_bits) {
    const bool leaves = is_present(sink::kProbe) || config.port.size != 0;
    if ((is_present(sink::kMemory) && memory == nullptr) || (leaves && probe_output == nullptr)) {
        throw std::invalid_argument("trace sink: memory and probe need their ports");
    }
    code_ = default_sink();
    selected_ = code_;
    show_buffer();
}

void TraceSink::connect(MessageSource& source, SinkOwner& owner) {
    source_ = &source;
    owner_ = &owner;
    source.set_listener(selected_ == sink::kFunnel ? funnel_ : this);
}

void TraceSink::set_funnel(MessageListener& input) {
    funnel_ = &input;
    if (source_ != nullptr && selected_ == sink::kFunnel) {
        source_->set_listener(funnel_);
    }
}

void TraceSink::attach_wave(WaveSink& wave, std::string_view scope) {
    if (!wave.wants(kWaveGroup)) {
        return;
    }
    wave_ = {.sink = &wave,
             .waiting = wave.declare(kWaveGroup, scope, "fifo_bytes_q", 32, 0),
             .write_pointer = wave.declare(kWaveGroup, scope, "sink_wp_q", 64, 0),
             .wrapped = wave.declare(kWaveGroup, scope, "sink_wrapped_q", 1, 0)};
}

void TraceSink::show_wave(Cycle at) {
    wave_.sink->change(wave_.waiting, at, waiting_);
    wave_.sink->change(wave_.write_pointer, at, window_.write_address());
    wave_.sink->change(wave_.wrapped, at, window_.wrapped() ? 1 : 0);
}

// --- Control -------------------------------------------------------------------------------------

/// The sink with the lowest code.
std::uint32_t TraceSink::default_sink() const {
    return static_cast<std::uint32_t>(std::countr_zero(config_.sinks));
}

/// The buffer registers belong to the selected sink; if that has no buffer, to the sink that has
/// one, so that software may program it before selecting it.
void TraceSink::show_buffer() {
    BufferKind kind = BufferKind::None;
    if (selected_ == sink::kSram || !is_present(sink::kMemory)) {
        kind = is_present(sink::kSram) ? BufferKind::Sram : BufferKind::None;
    } else {
        kind = BufferKind::Memory;
    }
    window_.show(kind);
}

std::uint32_t TraceSink::select(std::uint32_t code, Cycle at) {
    const bool only = std::has_single_bit(config_.sinks);
    if (code == sink::kOnly && !only) {
        code = default_sink();
    }
    const bool legal = code == sink::kOnly || (code <= sink::kFunnel && is_present(code));
    if (!legal) {
        return code_; // WARL: an unconnected sink leaves the one in force
    }
    const std::uint32_t meant = code == sink::kOnly ? default_sink() : code;
    if (meant != selected_) {
        drain(at);
        selected_ = meant;
        open();
        show_buffer();
        if (source_ != nullptr) {
            source_->set_listener(selected_ == sink::kFunnel ? funnel_ : this);
        }
    }
    code_ = code;
    return code_;
}

void TraceSink::reset(Cycle at) {
    drain(at);
    window_.reset();
    probe_settings_ = 0;
    error_ = false;
    open();
    words_ = 0;
    on_wrap_ = OnWrap::GoOn;
    code_ = std::has_single_bit(config_.sinks) ? sink::kOnly : default_sink();
    select(code_, at);
}

std::uint32_t TraceSink::probe_control() const {
    const bool quiet = selected_ != sink::kProbe || empty();
    return probe_settings_ | (quiet ? probe::kEmpty : 0);
}

/// Modes other than the parallel ones are not built; they become 0, off.
void TraceSink::set_probe_control(std::uint32_t value) {
    std::uint32_t mode = value >> probe::kModeShift & probe::kModeMask;
    mode = mode >= kModeOneBit && mode <= kModeEightBits ? mode : 0;
    const std::uint32_t divider = value >> probe::kDividerShift & kDividerMask;
    probe_settings_ = (value & probe::kActive) == 0
                          ? 0
                          : (value & (probe::kActive | probe::kEnable)) |
                                mode << probe::kModeShift | divider << probe::kDividerShift;
}

// --- Time ----------------------------------------------------------------------------------------

void TraceSink::wake(Cycle at) {
    if (at < wake_) {
        wake_ = at;
        clock_.wake_at(at);
    }
}

bool TraceSink::can_lag() const {
    if (wave_.sink != nullptr) {
        return false;
    }
    const MemoryRange written = window_.written();
    return selected_ == sink::kSram || selected_ == sink::kProbe ||
           (selected_ == sink::kMemory && in_port(written.base, written.size));
}

void TraceSink::message_ready(std::size_t bytes, Cycle at) {
    if (closed_) { // at once: none of it may be left when the sink opens
        throw_away();
        return;
    }
    waiting_ += bytes;
    show(at);
    const bool burst = held_ + waiting_ >= config_.burst_bytes;
    wake(std::max(burst ? at : at + config_.gather_cycles, busy_until_));
}

void TraceSink::flush(Cycle at) {
    if (closed_) {
        return;
    }
    flush_at_ = flush_at_ == kNever ? at : std::max(flush_at_, at);
    wake(std::max(flush_at_, busy_until_));
}

void TraceSink::serve(Cycle at) {
    wake_ = kNever;
    if (selected_ == sink::kFunnel) {
        return; // asked for by another sink before
    }
    if (at < busy_until_) {
        wake(busy_until_);
        return;
    }
    const bool taken = gather(at);
    if (source_->empty()) {
        waiting_ = 0; // what was announced may have been thrown away
    }
    if (taken && flush_at_ <= at) {
        pad();
        flush_at_ = kNever;
    }
    busy_until_ = at + write_words(at);
    if (closing_ && flush_at_ == kNever) {
        close_at_once();
    }
    show(at);
    if (flush_at_ != kNever) {
        wake(std::max({flush_at_, busy_until_, at + 1}));
    } else if (waiting_ != 0) {
        const bool burst = held_ + waiting_ >= config_.burst_bytes;
        wake(std::max(busy_until_, at + (burst && !taken ? 1 : config_.gather_cycles)));
    }
}

void TraceSink::drain(Cycle at) {
    if (source_ == nullptr || selected_ == sink::kFunnel) {
        return;
    }
    while (!gather(kNever)) {
        write_words(at);
    }
    pad();
    write_words(at);
    flush_at_ = kNever;
    busy_until_ = at;
    if (closing_) {
        close_at_once();
    }
}

void TraceSink::close(Cycle at) {
    if (closed_ || closing_) {
        return;
    }
    closing_ = true;
    flush(at);
}

void TraceSink::close_at_once() {
    closing_ = false;
    closed_ = true;
    held_ = 0;
    flush_at_ = kNever;
    throw_away();
}

/// True if everything that is ready has been taken; false if a burst is full before that.
bool TraceSink::gather(Cycle at) {
    while (held_ < config_.burst_bytes) {
        if (!source_->pull(message_, at)) {
            return true;
        }
        std::memcpy(bytes_.data() + held_, message_.bytes.data(), kMostSlices); // in one go
        held_ += message_.size;
        waiting_ -= std::min<std::uint64_t>(waiting_, message_.size);
    }
    return false;
}

void TraceSink::pad() {
    const std::size_t missing = padding(held_, config_.word_bytes);
    std::memset(bytes_.data() + held_, config_.idle_byte, missing);
    held_ += missing;
}

// --- Bytes ---------------------------------------------------------------------------------------

/// Writes the complete words; returns the cycles that they take.
Cycle TraceSink::write_words(Cycle at) {
    const std::size_t size = held_ - held_ % config_.word_bytes;
    if (size == 0) {
        return 0;
    }
    const std::span<const std::uint8_t> words(bytes_.data(), size);
    const Cycle cycles = selected_ == sink::kProbe ? write_probe(words) : write_buffer(words, at);
    if (closed_) { // the end of a message without its beginning is of no use
        held_ = 0;
        return cycles;
    }
    std::memmove(bytes_.data(), bytes_.data() + size, held_ - size);
    held_ -= size;
    return cycles;
}

Cycle TraceSink::write_probe(std::span<const std::uint8_t> words) {
    const std::uint32_t mode = probe_settings_ >> probe::kModeShift & probe::kModeMask;
    if ((probe_settings_ & probe::kEnable) == 0 || mode == 0) {
        statistics_.discarded += words.size();
        return 0;
    }
    probe_->send(words);
    statistics_.written += words.size();
    words_ += words.size() / config_.word_bytes;
    const Cycle clocks = words.size() * (kBitsPerByte >> (mode - kModeOneBit));
    return clocks * ((probe_settings_ >> probe::kDividerShift) + 1);
}

Cycle TraceSink::write_buffer(std::span<const std::uint8_t> words, Cycle at) {
    Cycle cycles = 0;
    while (!words.empty() && !closed_) {
        const auto size = static_cast<std::size_t>(
            std::min<std::uint64_t>(words.size(), window_.bytes_to_wrap()));
        cycles += write_piece(words.first(size));
        words_ += size / config_.word_bytes;
        words = words.subspan(size);
        if (stops(window_.advance(size), on_wrap_)) {
            statistics_.discarded += words.size() + held_ % config_.word_bytes;
            stop(at);
        }
    }
    return cycles;
}

/// The bytes that fit from the write pointer on without a wrap.
Cycle TraceSink::write_piece(std::span<const std::uint8_t> words) {
    const Address address = window_.write_address();
    Cycle cycles = words.size() / config_.word_bytes;
    if (selected_ == sink::kMemory && error_) { // stays away from the bus until it is cleared
        statistics_.refused += words.size();
        return cycles;
    }
    if (selected_ == sink::kMemory && in_port(address, words.size())) { // keeps nothing
        probe_->send(words);
        statistics_.written += words.size();
        return cycles + config_.memory_latency + words.size() * (config_.port_divider + 1);
    }
    if (selected_ == sink::kSram) {
        std::memcpy(window_.sram().data() + address, words.data(), words.size());
    } else {
        const MemoryPort::Answer answer = memory_->write(address, words);
        cycles += config_.memory_latency + answer.latency;
        if (!answer.accepted) {
            refuse(address, words.size());
            return cycles;
        }
    }
    statistics_.written += words.size();
    statistics_.overwritten += window_.wrapped() ? words.size() : 0;
    return cycles;
}

bool TraceSink::in_port(Address address, std::size_t bytes) const {
    const MemoryRange& port = config_.port;
    return bytes <= port.size && address >= port.base && address - port.base <= port.size - bytes;
}

void TraceSink::refuse(Address address, std::size_t bytes) {
    statistics_.refused += bytes;
    if (!error_) {
        error_ = true;
        log_->warn("the bus refuses {} bytes of trace at {:#x}: SinkError is set, they are lost",
                   bytes, address);
    }
}

/// The buffer is full. The remaining bytes, and those still in the FIFO of the block or sent at its
/// end, would overwrite the oldest words.
void TraceSink::stop(Cycle at) {
    closed_ = true;
    closing_ = false;
    owner_->stop_on_wrap(at);
    throw_away();
    flush_at_ = kNever;
}

/// Everything that the source has, ready or not.
void TraceSink::throw_away() {
    while (source_->pull(message_, kNever)) {
        statistics_.discarded += message_.size;
    }
    waiting_ = 0;
}

} // namespace pes::trace
