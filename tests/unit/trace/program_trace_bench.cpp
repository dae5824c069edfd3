// SPDX-License-Identifier: Apache-2.0
// How fast a hart runs while its instructions are traced into packed messages in memory, and how
// many bits an instruction takes. A report for people; nothing asserts host time.
#include "hw/interface/trace/etrace/frame.h"
#include "hw/interface/trace/message_packer.h"
#include "hw/interface/trace/timestamp.h"
#include "hw/trace/program/program_tracer.h"
#include "tests/unit/trace/traced_guest.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <vector>

namespace pes::trace {
namespace {

struct Packing {
    bool timed = true; ///< messages and packets of format 3 carry the time
    AddressForm addresses = AddressForm::Plain;
};

/// Packs into a buffer that it fills over and over.
class PackingPort : public MessagePort, public PacketPort {
  public:
    explicit PackingPort(const Packing& packing = {}) : packing_(packing) {}

    SendResult send(const TraceMessage& message, Cycle at) override {
        Stamp stamp;
        if (packing_.timed) {
            stamp.timestamp = times_.compress(at, layout_of(message.code).timestamp);
        }
        put(pack_message(message, 0, stamp, packing_.addresses));
        return SendResult::Sent;
    }
    SendResult send(std::span<const etrace::Packet> packets, Cycle time, Cycle /*at*/) override {
        for (const etrace::Packet& packet : packets) {
            etrace::Frame frame{.source = 0, .timestamp = {}, .packet = packet};
            if (packing_.timed && packet.format == etrace::Format::Sync) {
                frame.timestamp = time;
            }
            put(etrace::pack_frame(frame,
                                   {.source_bits = 0, .timestamp_bytes = packing_.timed ? 5U : 0U},
                                   parameters_));
        }
        return SendResult::Sent;
    }
    const etrace::Parameters& parameters() const override { return parameters_; }

    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;

  private:
    void put(const PackedMessage& packed) {
        if (place_ + packed.size > buffer_.size()) {
            place_ = 0;
        }
        std::copy_n(packed.bytes.begin(), packed.size,
                    buffer_.begin() + static_cast<std::ptrdiff_t>(place_));
        place_ += packed.size;
        bytes += packed.size;
        ++messages;
    }

    const Packing packing_;
    const etrace::Parameters parameters_{};
    TimestampCompressor times_{TimestampFormat{}};
    std::vector<std::uint8_t> buffer_ = std::vector<std::uint8_t>(1 << 20);
    std::size_t place_ = 0;
};

enum class Attached : std::uint8_t { No, Yes };

struct Row {
    const char* name;
    Attached attached;
    InstructionMode mode;
    Cycle times; ///< as long as the others
    Protocol protocol = Protocol::Nexus;
    etrace::Options etrace = {};
    TimestampDialect dialect = TimestampDialect::SiFive;
    FlowOptions options = {};
    AddressForm addresses = AddressForm::Plain;
};

constexpr Row kRows[] = {
    {"no encoder", Attached::No, InstructionMode::None, 10},
    {"stepping, no trace", Attached::Yes, InstructionMode::None, 1},
    {"PC samples", Attached::Yes, InstructionMode::Events, 1},
    {"branch trace", Attached::Yes, InstructionMode::Branches, 1},
    {"history trace", Attached::Yes, InstructionMode::History, 1},
    {"history trace, optimised", Attached::Yes, InstructionMode::OptimisedHistory, 1},
    {"E-Trace", Attached::Yes, InstructionMode::OptimisedHistory, 1, Protocol::ETrace},
    {"E-Trace, implicit returns",
     Attached::Yes,
     InstructionMode::OptimisedHistory,
     1,
     Protocol::ETrace,
     {.implicit_return = true}},
};

constexpr FlowOptions kLeftOut{.implicit_returns = true, .repeats = true};

/// What is compared without time, of the three protocols.
constexpr Row kCompared[] = {
    {"SiFive, branch trace", Attached::Yes, InstructionMode::Branches, 1},
    {"SiFive, history trace", Attached::Yes, InstructionMode::History, 1},
    {"SiFive, history trace, optimised", Attached::Yes, InstructionMode::OptimisedHistory, 1},
    {"N-Trace, BTM",
     Attached::Yes,
     InstructionMode::Branches,
     1,
     Protocol::Nexus,
     {},
     TimestampDialect::NTrace},
    {"N-Trace, BTM, all features",
     Attached::Yes,
     InstructionMode::Branches,
     1,
     Protocol::Nexus,
     {},
     TimestampDialect::NTrace,
     kLeftOut,
     AddressForm::Extended},
    {"N-Trace, HTM",
     Attached::Yes,
     InstructionMode::History,
     1,
     Protocol::Nexus,
     {},
     TimestampDialect::NTrace},
    {"N-Trace, HTM, all features",
     Attached::Yes,
     InstructionMode::History,
     1,
     Protocol::Nexus,
     {},
     TimestampDialect::NTrace,
     kLeftOut,
     AddressForm::Extended},
    {"E-Trace, full addresses",
     Attached::Yes,
     InstructionMode::History,
     1,
     Protocol::ETrace,
     {.full_address = true}},
    {"E-Trace", Attached::Yes, InstructionMode::History, 1, Protocol::ETrace},
    {"E-Trace, implicit returns",
     Attached::Yes,
     InstructionMode::History,
     1,
     Protocol::ETrace,
     {.implicit_return = true}},
    {"E-Trace, jump target cache",
     Attached::Yes,
     InstructionMode::History,
     1,
     Protocol::ETrace,
     {.jump_target_cache = true}},
    {"E-Trace, branch prediction",
     Attached::Yes,
     InstructionMode::History,
     1,
     Protocol::ETrace,
     {.branch_prediction = true}},
    {"E-Trace, all three",
     Attached::Yes,
     InstructionMode::History,
     1,
     Protocol::ETrace,
     {.implicit_return = true, .jump_target_cache = true, .branch_prediction = true}},
};

InstructionTraceSettings settings_of(const Row& row) {
    return {.protocol = row.protocol,
            .mode = row.mode,
            .sync_units = 65'536,
            .options = row.options,
            .dialect = row.dialect,
            .etrace = row.etrace};
}

double bits_without_time(const char* elf, const Row& row, Cycle cycles) {
    test::TracedGuest guest(elf);
    PackingPort port({.timed = false, .addresses = row.addresses});
    ProgramTracer tracer(port, nullptr, &port);
    tracer.configure(settings_of(row));
    tracer.start(SyncReason::TraceEnable, 0);
    guest.hart().add_observer(tracer);
    guest.run_to(cycles);
    tracer.stop(CorrelationEvent::TraceDisabled, guest.hart().reached());
    return 8.0 * static_cast<double>(port.bytes) / static_cast<double>(guest.hart().instret());
}

/// A table in Markdown: the first `cycles` of each program.
void compare(const std::vector<const char*>& programs, Cycle cycles) {
    std::printf("| Trace |");
    for (const char* program : programs) {
        std::printf(" %s |", std::filesystem::path(program).stem().c_str());
    }
    std::printf("\n| --- |");
    for (std::size_t count = 0; count < programs.size(); ++count) {
        std::printf(" ---: |");
    }
    std::printf("\n");
    for (const Row& row : kCompared) {
        std::printf("| %s |", row.name);
        for (const char* program : programs) {
            std::printf(" %.3f |", bits_without_time(program, row, cycles));
        }
        std::printf("\n");
    }
}

void measure(const char* elf, const Row& row, Cycle cycles) {
    constexpr Cycle kStart = 100'000; // start-up and warm tables
    test::TracedGuest guest(elf);
    guest.run_to(kStart);
    PackingPort port;
    ProgramTracer tracer(port, nullptr, &port);
    tracer.configure(settings_of(row));
    tracer.start(SyncReason::TraceEnable, 0);
    if (row.attached == Attached::Yes) {
        guest.hart().add_observer(tracer);
    }
    const std::uint64_t before = guest.hart().instret();
    const std::clock_t start = std::clock(); // processor time: other programs do not count
    guest.run_to(kStart + row.times * cycles);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    const auto instructions = static_cast<double>(guest.hart().instret() - before);
    std::printf("%-28s %7.1f MIPS %10llu messages %6.3f bits per instruction\n", row.name,
                instructions / seconds / 1e6, static_cast<unsigned long long>(port.messages),
                8.0 * static_cast<double>(port.bytes) / instructions);
}

} // namespace
} // namespace pes::trace

int main(int argc, char** argv) {
    using namespace pes::trace;
    constexpr unsigned long long kCycles = 30'000'000;
    if (argc > 2 && std::string_view(argv[1]) == "compare") {
        compare({argv + 2, argv + argc}, kCycles / 10);
        return 0;
    }
    const unsigned long long cycles = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : kCycles;
    const unsigned long row = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : std::size(kRows);
    if (argc < 2 || argc > 4 || cycles == 0) {
        std::fprintf(stderr, "usage: program_trace_bench PROGRAM.elf [CYCLES [ROW]]\n"
                             "       program_trace_bench compare PROGRAM.elf...\n");
        return 2;
    }
    for (std::size_t index = 0; index < std::size(kRows); ++index) {
        if (row == std::size(kRows) || row == index) {
            measure(argv[1], kRows[index], cycles);
        }
    }
    return 0;
}
