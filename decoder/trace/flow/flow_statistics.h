// SPDX-License-Identifier: Apache-2.0
// What a trace is made of, counted for each source: its messages, and the instruction flow if the
// program is at hand.
#pragma once

#include "decoder/trace/etrace/packet_quality.h"
#include "decoder/trace/flow/flow_sink.h"
#include "decoder/trace/messages/trace_context.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace pes::trace {

/// Least, most and mean of a number.
struct Spread {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t most = 0;

    void add(std::uint64_t value) {
        ++count;
        sum += value;
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    double mean() const { return static_cast<double>(sum) / static_cast<double>(count); }
};

struct MessageCounts {
    std::array<std::uint64_t, 1U << kCodeBits> by_code{};
    Spread bytes;            ///< a message
    Spread full_addresses;   ///< significant bits of F-ADDR
    Spread unique_addresses; ///< and of U-ADDR
    std::uint64_t timestamps = 0;
    std::uint64_t timestamp_bytes = 0;
};

/// The same of a trace of E-Trace packets.
struct PacketCounts {
    std::array<std::uint64_t, etrace::kPacketKinds> by_kind{};
    Spread bytes; ///< a packet, with its encapsulation
    std::uint64_t timestamps = 0;
};

class MessageStatistics {
  public:
    void add(const TraceItem& item);
    void add(const etrace::PacketItem& item);

    bool empty() const { return sources_.empty() && packet_sources_.empty(); }
    const std::map<std::uint16_t, MessageCounts>& sources() const { return sources_; }
    const std::map<std::uint16_t, PacketCounts>& packet_sources() const { return packet_sources_; }

  private:
    std::map<std::uint16_t, MessageCounts> sources_;
    std::map<std::uint16_t, PacketCounts> packet_sources_;
};

struct FlowCounts {
    std::uint64_t instructions = 0;
    std::array<std::uint64_t, kRunEnds> ends{}; ///< runs, by RunEnd
    std::array<std::uint64_t, 3> traps{};       ///< by TrapKind
    std::array<std::uint64_t, kGapReasons> gaps{};
    std::uint64_t starts = 0;
    std::uint64_t stops = 0;

    std::uint64_t runs(RunEnd end) const { return ends[static_cast<std::size_t>(end)]; }
    std::uint64_t gaps_for(GapReason reason) const {
        return gaps[static_cast<std::size_t>(reason)];
    }
};

class FlowStatistics : public FlowSink {
  public:
    static constexpr std::size_t kMostPlaces = 20;

    void started(const FlowStart& start) override { ++counts(start.source).starts; }
    void ran(const InstructionRun& run) override;
    void trapped(const FlowTrap& trap) override;
    void gap(const FlowGap& gap) override;
    void stopped(const FlowStop& stop) override { ++counts(stop.source).stops; }

    const std::map<std::uint16_t, FlowCounts>& sources() const { return sources_; }
    FlowCounts total() const;

    /// Where trace and program do not agree: the first kMostPlaces.
    const std::vector<FlowGap>& disagreements() const { return disagreements_; }

  private:
    FlowCounts& counts(std::uint16_t source);

    std::map<std::uint16_t, FlowCounts> sources_;
    FlowCounts* recent_ = nullptr;
    std::uint16_t recent_source_ = 0;
    std::vector<FlowGap> disagreements_;
};

/// "no code of the program", "Error message": why the flow was lost.
const char* describe(GapReason reason);

/// The report of --statistics.
std::string statistics_text(const MessageStatistics& messages, const FlowStatistics* flow);

} // namespace pes::trace
