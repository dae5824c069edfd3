// SPDX-License-Identifier: Apache-2.0
// The sinks of an encoder or a funnel: SRAM, system memory (SBA), probe (PIB), or on to a funnel.
//
//   messages --> bytes --> whole words --+--> SRAM     one word a cycle
//                                        +--> memory   a burst: latency + one cycle a word
//                                        +--> probe    as pibControl says
//
// Timing. The sink sleeps until a burst of bytes is ready in its source, or, if they come slowly,
// some cycles after the first of them; then it takes them out, which makes room in the source, and
// writes the whole words. It does not take more before their transfer has ended. Software sees the
// words of a burst in memory from the start of its transfer. What does not fill a word waits for
// more, or for the flush, which pads it with idle bytes.
//
// Stop on wrap. A full buffer closes the sink: whatever comes after that, at once or much later, is
// thrown away and counted, until software writes the write pointer, enables the block, selects
// another sink or resets the block.
#pragma once

#include "hw/common/logger.h"
#include "hw/common/wave.h"
#include "hw/interface/maps/trace.h"
#include "hw/trace/sink_ports.h"
#include "hw/trace/sink_unit.h"
#include "hw/trace/sinks/sink_window.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace pes::trace {

struct SinkConfig {
    std::uint32_t sinks = 0;            ///< bit n = trace_map::sink code n is connected
    std::uint32_t word_bytes = 8;       ///< 4, 8, 16 or 32
    std::uint32_t sram_bytes = 65536;   ///< power of two
    std::uint32_t burst_bytes = 64;     ///< multiple of word_bytes, at most kMostBurst
    Cycle gather_cycles = 256;          ///< longest wait for a whole burst
    Cycle memory_latency = 10;          ///< of a memory burst, without its beats
    unsigned address_bits = 56;         ///< of physical addresses
    std::uint8_t idle_byte = kIdleByte; ///< fills up the last word
    bool lazy_memory = false;           ///< bursts to memory may be late: one hart uses it
    /// Addresses of a port through which the memory sink's bursts leave the chip, a byte every
    /// `port_divider` + 1 cycles; size 0: none. The bus has nothing there.
    MemoryRange port{};
    std::uint32_t port_divider = 0;
};

/// All in bytes, since the start.
struct SinkStatistics {
    std::uint64_t written = 0;
    std::uint64_t overwritten = 0; ///< lost in a circular buffer that has wrapped
    std::uint64_t refused = 0;     ///< by the bus
    std::uint64_t discarded = 0;   ///< probe off, or closed by a full buffer with StopOnWrap
};

class TraceSink final : public SinkUnit, private MessageListener {
  public:
    static constexpr std::uint32_t kMostBurst = 1024;
    static constexpr const char* kWaveGroup = "trace";

    /// `memory` may be null if that sink is not connected, `probe` if there is neither a probe nor
    /// a port. `name` is for the log.
    TraceSink(const std::string& name, const SinkConfig& config, SinkClock& clock,
              MemoryPort* memory, ProbeOutput* probe);

    /// Who is told of a full buffer instead of the block whose messages these are. Before the
    /// start.
    void set_owner(SinkOwner& owner) { owner_ = &owner; }

    /// Where messages go with trace_map::sink::kFunnel: the funnel's input. Before the start.
    void set_funnel(MessageListener& input);

    /// Offers group "trace": bytes that wait in the source, write pointer, wrap flag. Before the
    /// run.
    void attach_wave(WaveSink& wave, std::string_view scope);

    /// Called by the clock's owner at a cycle asked for with SinkClock::wake_at().
    void serve(Cycle at);
    /// End of a run: everything that is ready, whatever it takes, and the padding.
    void drain(Cycle at);
    /// The cycle last asked of the clock and not served yet, or kNever.
    Cycle next_wake() const { return wake_; }
    /// What it does is seen through the registers of its block, or leaves the chip, and so need not
    /// happen in its cycle, only before the next access to them.
    bool can_lag() const;
    /// The same if buffer() is a lazy range of the memory.
    bool can_lag_in_memory() const {
        return config_.lazy_memory && selected_ == trace_map::sink::kMemory &&
               wave_.sink == nullptr;
    }
    /// It stops when its buffer is full, which its source has to know in that cycle.
    bool stops_when_full() const { return on_wrap_ != OnWrap::GoOn; }
    /// In memory; only if the sink writes there.
    MemoryRange buffer() const { return window_.written(); }
    /// Another number once the answers to these may have changed.
    unsigned buffer_changes() const { return window_.changes(); }

    /// Takes nothing more once all that is ready has been written, padded; until open(). Messages
    /// that come later are thrown away and counted.
    void close(Cycle at);
    /// The same without the rest of the messages.
    void close_at_once();
    bool closed() const { return closed_ || closing_; }
    SinkWindow& window() { return window_; }
    const SinkWindow& window() const { return window_; }
    std::uint32_t words() const { return static_cast<std::uint32_t>(words_); }

    const SinkStatistics& statistics() const { return statistics_; }
    std::uint32_t selected() const { return selected_; }
    Address write_address() const { return window_.write_address(); }
    std::span<const std::uint8_t> sram() { return window_.sram(); }

    /// Of a checkpoint. The clock's owner asks next_wake() after it.
    void state(class Archive& archive);

    // SinkUnit
    void connect(MessageSource& source, SinkOwner& owner) override;
    std::vector<Register> registers() override;
    std::uint32_t present() const override { return config_.sinks; }
    std::uint32_t word_bytes() const override { return config_.word_bytes; }
    std::uint32_t select(std::uint32_t code, Cycle at) override;
    void on_wrap(OnWrap action) override { on_wrap_ = action; }
    void open() override { closed_ = closing_ = false; }
    bool empty() const override { return held_ == 0 && flush_at_ == kNever; }
    bool error() const override { return error_; }
    void clear_error() override { error_ = false; }
    void reset(Cycle at) override;

  private:
    void message_ready(std::size_t bytes, Cycle at) override;
    void flush(Cycle at) override;

    bool is_present(std::uint32_t code) const { return (config_.sinks >> code & 1U) != 0; }
    std::uint32_t default_sink() const;
    void show_buffer();
    void wake(Cycle at);
    bool gather(Cycle at);
    void pad();
    Cycle write_words(Cycle at);
    Cycle write_buffer(std::span<const std::uint8_t> words, Cycle at);
    Cycle write_probe(std::span<const std::uint8_t> words);
    Cycle write_piece(std::span<const std::uint8_t> words);
    void refuse(Address address, std::size_t bytes);
    void stop(Cycle at);
    void throw_away();
    bool in_port(Address address, std::size_t bytes) const;
    void show(Cycle at) {
        if (wave_.sink != nullptr) {
            show_wave(at);
        }
    }
    void show_wave(Cycle at);
    std::uint32_t write_pointer() const { return window_.pointer_register(); }
    void set_write_pointer(std::uint32_t value);
    std::uint32_t probe_control() const;
    void set_probe_control(std::uint32_t value);

    const SinkConfig config_;
    SinkClock& clock_;
    MemoryPort* memory_;
    ProbeOutput* probe_;
    MessageListener* funnel_ = nullptr;
    MessageSource* source_ = nullptr;
    SinkOwner* owner_ = nullptr;
    Logger log_;

    SinkWindow window_;
    std::uint32_t code_ = 0;     ///< as software reads it
    std::uint32_t selected_ = 0; ///< what it stands for
    OnWrap on_wrap_ = OnWrap::GoOn;
    std::uint32_t probe_settings_ = 0; ///< pibControl without Empty
    bool error_ = false;
    bool closed_ = false;  ///< by a full buffer, or by close()
    bool closing_ = false; ///< the rest is on its way

    std::array<std::uint8_t, kMostBurst + kMostSlices> bytes_{};
    std::size_t held_ = 0;      ///< of them
    std::uint64_t waiting_ = 0; ///< bytes in the source
    Cycle wake_ = kNever;       ///< asked of the clock
    Cycle busy_until_ = 0;      ///< of the transfer in hand
    Cycle flush_at_ = kNever;   ///< wanted then
    PackedMessage message_;
    std::uint64_t words_ = 0; ///< teWordCount
    SinkStatistics statistics_;

    struct {
        WaveSink* sink = nullptr;
        SignalId waiting{};
        SignalId write_pointer{};
        SignalId wrapped{};
    } wave_;
};

} // namespace pes::trace
