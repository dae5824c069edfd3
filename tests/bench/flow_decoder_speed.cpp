// SPDX-License-Identifier: Apache-2.0
// Reconstruction from a history trace: bytes -> messages -> flow; and a plain walk that looks at
// each instruction word on the way. The trace is that of a loop that calls a function with an inner
// loop and a branch in it: about 100 instructions and two messages a call.
#include "decoder/trace/flow/flow.h"
#include "decoder/trace/flow/flow_statistics.h"
#include "hw/interface/trace/message_packer.h"
#include "hw/interface/trace/timestamp.h"
#include "tests/bench/decoder_speed.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <sstream>

namespace {

using namespace pes;
using namespace pes::trace;

constexpr Address kBase = 0x80000000;
constexpr unsigned kTurns = 16;
constexpr unsigned kCalls = 200000;
constexpr int kRounds = 5;

constexpr std::uint32_t kNop = 0x00000013;
constexpr std::uint32_t kCompressedNop = 0x0001;

class Program {
  public:
    Program() {
        word(0x010000EF); // +0  outer: jal ra, +16
        half(kCompressedNop);
        half(kCompressedNop);
        word(0xFF9FF06F); // +8  jal x0, outer
        word(kNop);
        word(kNop); // +16 function
        word(kNop); // +20 inner:
        half(kCompressedNop);
        word(0x00000563); // +26 beq x0, x0, +10
        word(kNop);
        half(kCompressedNop);
        word(kNop);       // +36
        word(0xFE0006E3); // +40 beq x0, x0, inner
        word(0x00008067); // +44 ret
    }
    const std::vector<std::uint8_t>& bytes() const { return bytes_; }

  private:
    void half(std::uint32_t value) {
        bytes_.push_back(static_cast<std::uint8_t>(value));
        bytes_.push_back(static_cast<std::uint8_t>(value >> 8));
    }
    void word(std::uint32_t value) {
        half(value & 0xFFFF);
        half(value >> 16);
    }
    std::vector<std::uint8_t> bytes_;
};

/// Even turns take the inner branch, all but the last go round again.
constexpr bool taken(unsigned branch) {
    return branch % 2 == 0 ? branch / 2 % 2 == 0 : branch / 2 + 1 < kTurns;
}

/// Half-words of one call from `outer` to the return, with it.
std::uint64_t call_units() {
    std::uint64_t units = 2 + 2;
    for (unsigned turn = 0; turn < kTurns; ++turn) {
        units += 2 + 1 + 2 + (taken(2 * turn) ? 0 : 3) + 2 + 2;
    }
    return units + 2;
}

class Encoder {
  public:
    std::string encode() {
        send(make_message(MessageCode::ProgramTraceSync)
                 .set(Field::SyncReason, SyncReason::TraceEnable)
                 .set(Field::Address, kBase >> 1));
        std::uint64_t history = 1;
        std::uint64_t jump_units = 0; // of the way from the return to `outer`
        Address reference = kBase;
        for (unsigned call = 0; call < kCalls; ++call) {
            for (unsigned branch = 0; branch < 2 * kTurns; ++branch) {
                history = history << 1 | (taken(branch) ? 1 : 0);
                if (branch == 30) { // 31 bits and the stop bit
                    send(make_message(MessageCode::ResourceFull)
                             .set(Field::ResourceCode, Resource::History)
                             .set(Field::ResourceData, history));
                    history = 1;
                }
            }
            send(make_message(MessageCode::IndirectBranchHistory)
                     .set(Field::BranchType, BranchType::Indirect)
                     .set(Field::InstructionCount, jump_units + call_units())
                     .set(Field::Address, ((kBase + 4) ^ reference) >> 1)
                     .set(Field::History, history));
            reference = kBase + 4;
            history = 1;
            jump_units = 4;
        }
        return std::move(bytes_);
    }

  private:
    void send(TraceMessage message) {
        time_ += 70;
        message.timestamp = clock_.compress(time_, layout_of(message.code).timestamp);
        const PackedMessage packed = pack_message(message, 0);
        bytes_.append(packed.bytes.begin(), packed.bytes.begin() + packed.size);
    }

    std::string bytes_;
    std::uint64_t time_ = 0;
    TimestampCompressor clock_{TimestampFormat{}};
};

std::uint64_t reconstruct(const std::string& bytes, const ProgramImage& image) {
    std::istringstream input(bytes);
    TraceReader reader(input, 0);
    ContextTracker contexts{TimestampFormat{}};
    Flow flow(image);
    FlowStatistics statistics;
    flow.add_sink(statistics);
    TraceItem item;
    while (reader.next(item)) {
        flow.add(item, contexts.next(item));
    }
    const FlowCounts total = statistics.total();
    if (total.gaps_for(GapReason::Contradiction) != 0) {
        std::fprintf(stderr, "the trace contradicts its program\n");
        std::exit(1);
    }
    return total.instructions;
}

/// The same instructions one by one, with the outcome of branches at hand.
std::uint64_t walk(const std::vector<std::uint8_t>& code, std::uint64_t instructions) {
    Address pc = 0;
    unsigned branch = 0;
    for (std::uint64_t i = 0; i < instructions; ++i) {
        std::uint32_t raw = 0;
        std::memcpy(&raw, code.data() + pc, std::min<std::size_t>(4, code.size() - pc));
        const InstructionFlow flow = classify_flow(raw);
        const bool goes =
            flow.kind == FlowKind::DirectJump || (flow.kind == FlowKind::Branch && taken(branch));
        branch = flow.kind == FlowKind::Branch ? (branch + 1) % (2 * kTurns) : branch;
        pc = flow.kind == FlowKind::IndirectJump ? 4 : goes ? flow.target(pc) : pc + flow.length;
    }
    return pc;
}

template <typename Work>
double best_seconds(Work work) {
    double best = 1e9;
    for (int round = 0; round < kRounds; ++round) {
        const double begin = bench::processor_seconds();
        work();
        best = std::min(best, bench::processor_seconds() - begin);
    }
    return best;
}

} // namespace

namespace pes::bench {

FlowDecoderSpeed measure_flow_decoder() {
    const Program program;
    ProgramImage image;
    image.add(kBase, program.bytes());
    const std::string bytes = Encoder().encode();

    std::uint64_t instructions = 0;
    const double flow = best_seconds([&] { instructions = reconstruct(bytes, image); });
    volatile std::uint64_t end = 0;
    const double plain = best_seconds([&] { end = walk(program.bytes(), instructions); });

    const auto millions = static_cast<double>(instructions) / 1e6;
    return {.bytes = bytes.size(),
            .instructions = instructions,
            .flow = millions / flow,
            .walk = millions / plain};
}

} // namespace pes::bench
