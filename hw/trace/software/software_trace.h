// SPDX-License-Identifier: Apache-2.0
// Software trace module (STM) of the Open SoC Debug design, one a hart: software writes a number
// into a CSR, and out goes an event of that number, the value of x10 and the time.
//
// Nobody ever waits for the module. A FIFO of eight events drains over a link of one 16-bit word in
// `word_cycles` cycles; an event leaves from the cycle after it on and has its place until its last
// word has gone. What finds no place is missed. Once something is, everything is until half of the
// FIFO is free; then one overflow packet with the number takes the next place. (A packet as soon as
// there is one free place would fill that place, and the next miss would ask for another packet.)
//
// Since nothing comes back from the link, there is no process: the past is worked out when the
// next event or register access comes.
#pragma once

#include "hw/common/csr_owner.h"
#include "hw/common/register_block.h"
#include "hw/interface/trace/osd_packet.h"
#include "hw/trace/sink_ports.h"

#include <array>
#include <functional>
#include <string>

namespace pes::trace {

struct SoftwareTraceConfig {
    std::string name = "software_trace";
    std::uint16_t source = 1; ///< address in the debug network
    unsigned value_bits = 64; ///< VALWIDTH: 16, 32 or 64
    Cycle word_cycles = 1;
};

struct SoftwareTraceCounts {
    std::uint64_t events = 0;    ///< that found a place
    std::uint64_t missed = 0;    ///< that found none
    std::uint64_t overflows = 0; ///< overflow packets
    std::uint64_t words = 0;     ///< that left over the link

    bool operator==(const SoftwareTraceCounts&) const = default;
};

class SoftwareTrace final : public CsrOwner {
  public:
    static constexpr std::size_t kFifoEvents = 8;
    static constexpr std::size_t kRoomAfterOverflow = kFifoEvents / 2;

    /// `link` gets each packet as a file holds it, when it begins to leave.
    SoftwareTrace(const SoftwareTraceConfig& config, ProbeOutput& link);

    RegisterBlock& registers() { return registers_; }

    /// An event: the low 16 bits of `id`, and the value. Discarded while the module is stalled. Id
    /// 0 is no event, because the specification does not use it.
    std::uint64_t read(std::uint16_t) const override { return 0; }
    /// id = what is written, value = x10.
    void write(const CsrWrite& write) override { written(write.value, write.argument, write.at); }
    void written(std::uint64_t id, std::uint64_t value, Cycle at);
    /// An event THREAD_SWITCH, from the observer of the thread pointer.
    void thread_switched(std::uint64_t thread_pointer, Cycle at);

    /// Active, and the thread pointer is asked for.
    bool tracks_threads() const { return tracks_threads_; }
    void on_tracking(std::function<void()> changed) { tracking_changed_ = std::move(changed); }

    /// The run has ended: everything on its way leaves.
    void drain() { advance(kNever); }

    const SoftwareTraceCounts& counts() const { return counts_; }

    /// Of a checkpoint. Whoever watches the thread pointer asks tracks_threads() after it.
    void state(Archive& archive);

  private:
    struct Entry {
        osd::EventKind kind = osd::EventKind::Event;
        osd::Event event{};
        std::uint16_t missed = 0;
        Cycle ready = 0; ///< first cycle in which it may leave
        void state(Archive& archive);
    };

    std::vector<Register> describe(unsigned value_bits);
    void controlled(std::uint16_t value, Cycle at);
    void set_destination(std::uint16_t value, Cycle at);
    Cycle now(Cycle at);
    void accept(std::uint16_t id, std::uint64_t value, Cycle at);
    void push(const Entry& entry);
    void advance(Cycle at);
    void release_head();
    void send(const Entry& entry);

    const std::size_t value_words_;
    const Cycle word_cycles_;
    const std::uint16_t source_;
    std::uint16_t destination_ = 0; ///< MOD_EVENT_DEST
    ProbeOutput& link_;
    RegisterBlock registers_;
    std::function<void()> tracking_changed_;
    bool active_ = false;
    bool tracks_threads_ = false;

    std::array<Entry, kFifoEvents> fifo_{}; ///< ring
    std::size_t first_ = 0;
    std::size_t count_ = 0;
    bool leaving_ = false;     ///< the oldest is on the link ...
    Cycle link_free_ = 0;      ///< ... up to here
    std::uint16_t missed_ = 0; ///< not yet reported
    Cycle last_ = 0;
    std::string packet_; ///< reused
    SoftwareTraceCounts counts_;
};

} // namespace pes::trace
