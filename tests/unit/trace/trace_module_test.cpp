// SPDX-License-Identifier: Apache-2.0
// Encoder and funnel in kernel time: accesses by TLM, bursts on the bus, a full FIFO that holds the
// hart, and no wake-up in vain.
#include "hw/bus/memory_module.h"
#include "hw/bus/router.h"
#include "hw/common/systemc/lazy_dmi.h"
#include "hw/interface/maps/software_trace.h"
#include "hw/interface/maps/trace.h"
#include "hw/interface/trace/message_parser.h"
#include "hw/trace/systemc/software_trace_module.h"
#include "hw/trace/systemc/trace_encoder_module.h"
#include "hw/trace/systemc/trace_funnel_module.h"
#include "tests/unit/common/test_initiator.h"

#include <gtest/gtest.h>

#include <functional>
#include <utility>

namespace pes::trace {
namespace {

namespace control = trace_map::control;
namespace probe = trace_map::probe;
namespace sink = trace_map::sink;

constexpr Address kRam = 0x8000'0000;
constexpr std::uint64_t kRamBytes = 0x1000;
constexpr Address kEncoder = 0x1100'0000;
constexpr Address kSecond = 0x1100'1000;
constexpr Address kLate = 0x1100'2000; ///< writes memory late
constexpr Address kFunnel = 0x1101'8000;
constexpr Address kSoftware = 0x1102'0000;
constexpr Cycle kLatency = 2;
constexpr Cycle kRamLatency = 3;

constexpr std::uint32_t stimuli_on(std::uint32_t code, std::uint32_t more = 0) {
    return control::kActive | control::kEnable | control::kTracing |
           trace_map::instrumentation::kStimuli << control::kInstrumentationShift |
           control::kSyncNever << control::kSyncMaxMessagesShift |
           control::kSyncNever << control::kSyncMaxUnitsShift | code << control::kSinkShift | more;
}

class FakeHart : public HartControl {
  public:
    explicit FakeHart(const ClockDomain& clock) : clock_(clock) {}
    void wait_until(Cycle at) override {
        if (at > clock_.now()) {
            sc_core::wait(clock_.time_of(at) - sc_core::sc_time_stamp());
        }
    }
    void let_sinks_run(Cycle at) override { wait_until(at); }
    void go_on() override { ++resumptions; }
    Address pc() const override { return 0x1234; }
    std::array<std::uint64_t, kEventCounters> counters(Cycle) override { return {}; }
    void hold_until(Cycle at) override { holds.push_back(at); }
    void attach(HartObserver& observer) override {
        ++observers;
        last_observer = &observer;
    }
    void detach(HartObserver&) override { --observers; }
    std::vector<Cycle> holds;
    unsigned resumptions = 0;
    int observers = 0;
    HartObserver* last_observer = nullptr;

  private:
    const ClockDomain clock_;
};

class FakeSoftwareHart : public SoftwareTracedHart {
  public:
    std::uint64_t thread_pointer() const override { return 0x8000'1234; }
    void attach(HartObserver& observer) override { observers.push_back(&observer); }
    void detach(HartObserver& observer) override { std::erase(observers, &observer); }
    std::vector<HartObserver*> observers;
};

class Bytes : public ProbeOutput {
  public:
    void send(std::span<const std::uint8_t> bytes) override {
        content.insert(content.end(), bytes.begin(), bytes.end());
    }
    std::vector<std::uint8_t> content;
};

/// Where a hart would be: a thread that does what a test tells it.
class Thread : public sc_core::sc_module {
  public:
    explicit Thread(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
        SC_HAS_PROCESS(Thread);
        SC_THREAD(run);
    }
    void start(std::function<void()> work) {
        work_ = std::move(work);
        go_.notify(sc_core::SC_ZERO_TIME);
    }

  private:
    void run() {
        for (;;) {
            sc_core::wait(go_);
            work_();
        }
    }
    std::function<void()> work_;
    sc_core::sc_event go_;
};

SinkConfig own_sinks() {
    return {.sinks = 1U << sink::kSram | 1U << sink::kProbe | 1U << sink::kMemory,
            .sram_bytes = 256,
            .gather_cycles = 100};
}

SinkConfig late_sinks() {
    SinkConfig config = own_sinks();
    config.lazy_memory = true;
    return config;
}

struct Bench {
    ClockDomain clock{50'000'000};
    Router router{"router"};
    MemoryModule ram{"ram", kRamBytes, clock, kRamLatency};
    test::TestInitiator cpu{"cpu", clock};
    Thread thread{"thread"};
    FakeHart hart{clock};
    FakeHart second_hart{clock};
    Bytes pins, funnel_pins;
    PullNotice notice;
    unsigned kernel_changes = 0;
    std::function<void()> changed = [this] { ++kernel_changes; };
    TraceFunnelModule funnel{
        "funnel",
        FunnelConfig{},
        own_sinks(),
        {.clock = clock, .notice = notice, .kernel_changed = changed, .probe = &funnel_pins}};
    TraceEncoderModule encoder{"encoder",
                               EncoderConfig{.fifo_bytes = 128},
                               own_sinks(),
                               {.clock = clock,
                                .hart = hart,
                                .notice = notice,
                                .kernel_changed = changed,
                                .probe = &pins,
                                .latency = kLatency}};
    TraceEncoderModule late{"late",
                            {},
                            late_sinks(),
                            {.clock = clock,
                             .hart = hart,
                             .notice = notice,
                             .kernel_changed = changed,
                             .probe = &pins}};
    TraceEncoderModule second{"second",
                              EncoderConfig{.name = "second",
                                            .hart = 1,
                                            .source = 1,
                                            .source_bits = 1,
                                            .timestamp_type = TimestampType::Slave},
                              {.sinks = 1U << sink::kFunnel},
                              {.clock = clock,
                               .hart = second_hart,
                               .notice = notice,
                               .kernel_changed = changed,
                               .master = &funnel.funnel().timestamps()}};

    FakeSoftwareHart software_hart;
    Bytes packets;
    SoftwareTraceModule software{"software", {}, clock, software_hart, packets, kLatency};

    Bench() {
        cpu.socket.bind(router.initiators);
        encoder.bus().bind(router.initiators);
        second.bus().bind(router.initiators);
        late.bus().bind(router.initiators);
        funnel.bus().bind(router.initiators);
        second.sink().set_funnel(funnel.funnel().add_input(second.encoder().messages()));
        router.map("ram", kRam, kRamBytes, ram.socket);
        router.map("encoder", kEncoder, trace_map::kBlockBytes, encoder.socket());
        router.map("second", kSecond, trace_map::kBlockBytes, second.socket());
        router.map("late", kLate, trace_map::kBlockBytes, late.socket());
        router.map("funnel", kFunnel, trace_map::kBlockBytes, funnel.socket());
        router.map("software", kSoftware, software_trace_map::kBlockBytes, software.socket());
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }

    std::uint32_t read(Address offset, Address block = kEncoder) {
        return cpu.read<std::uint32_t>(block + offset);
    }
    void write(Address offset, std::uint32_t value, Address block = kEncoder) {
        cpu.write<std::uint32_t>(block + offset, value);
    }
    /// Off, as after reset, and everything that was pending has happened.
    void rest() {
        write(trace_map::kControl, 0);
        write(trace_map::kControl, 0, kSecond);
        write(trace_map::kControl, 0, kLate);
        write(trace_map::kControl, 0, kFunnel);
        test::run_to(clock, clock.now() + 10'000);
        hart.holds.clear();
        hart.resumptions = 0;
        pins.content.clear();
    }
    void into_memory(Address base, std::uint32_t bytes, Address block = kEncoder) {
        write(trace_map::kControl, control::kActive, block);
        write(trace_map::kSinkBase, static_cast<std::uint32_t>(base), block);
        write(trace_map::kSinkLimit, static_cast<std::uint32_t>(base + bytes - 1), block);
        write(trace_map::kSinkWritePointer, static_cast<std::uint32_t>(base), block);
        write(trace_map::kItcTraceEnable, ~0U, block);
        write(trace_map::kControl, stimuli_on(sink::kMemory), block);
    }
    bool is_lazy(Address address) {
        tlm::tlm_generic_payload payload;
        test::TestInitiator::fill(payload, tlm::TLM_READ_COMMAND, kRam, nullptr, 0);
        tlm::tlm_dmi region;
        LazyRange* range = nullptr;
        EXPECT_TRUE(request_direct_access(cpu.socket, payload, region, range));
        return range->overlaps(ram.memory().data() + (address - kRam), 1);
    }
    void stimulate(std::uint32_t value, Address block = kEncoder) {
        write(trace_map::kItcStimulus, value, block);
    }
};

Bench& bench() {
    static Bench instance;
    return instance;
}

/// The values that the data-acquisition messages of a stream carry.
std::vector<std::uint32_t> values_in(std::span<const std::uint8_t> bytes,
                                     unsigned source_bits = 0) {
    std::vector<std::uint32_t> values;
    TraceMessage message;
    while (!bytes.empty()) {
        const ParseResult result = parse_message(bytes, source_bits, message);
        EXPECT_FALSE(is_damage(result.status));
        if (result.size == 0) {
            ADD_FAILURE() << "the stream ends inside a message";
            break;
        }
        if (result.status == ParseStatus::Message && message.code == MessageCode::DataAcquisition) {
            values.push_back(static_cast<std::uint32_t>(message.value(Field::Data)));
        }
        bytes = bytes.subspan(result.size);
    }
    return values;
}

TEST(TraceModules, AnAccessCostsItsLatency) {
    auto& b = bench();
    b.read(trace_map::kImplementation);
    EXPECT_EQ(b.cpu.latency, kLatency);
}

TEST(TraceModules, AnIdleEncoderWakesNobody) {
    auto& b = bench();
    b.rest();
    b.into_memory(kRam, 0x100);
    EXPECT_FALSE(sc_core::sc_pending_activity());
}

TEST(TraceModules, AStoreToAStimulusReachesMemoryOverTheBus) {
    auto& b = bench();
    b.rest();
    b.into_memory(kRam + 0x40, 0x100);
    const unsigned before = b.kernel_changes;
    const Cycle start = b.clock.now();
    for (std::uint32_t i = 0; i < 3; ++i) { // TCODE, tag, 32 bits of data: 1 + 1 + 6 slices
        b.stimulate(0xFFFF'FF00U + i);
    }
    b.stimulate(0);                          // three slices
    EXPECT_EQ(b.kernel_changes, before + 1); // one wake-up for all of them
    EXPECT_EQ(b.clock.cycle_of(sc_core::sc_time_to_pending_activity()), 100U);
    test::run_to(b.clock, start + 99);
    EXPECT_EQ(b.read(trace_map::kSinkWritePointer), kRam + 0x40);
    test::run_to(b.clock, start + 101);
    EXPECT_EQ(b.read(trace_map::kSinkWritePointer), kRam + 0x40 + 24); // three whole words
    b.write(trace_map::kControl, stimuli_on(sink::kMemory) & ~control::kEnable);
    test::run_to(b.clock, start + 1000);
    EXPECT_NE(b.read(trace_map::kControl) & control::kEmpty, 0U);
    const std::size_t size = b.read(trace_map::kSinkWritePointer) - (kRam + 0x40);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(b.ram.memory().data()) + 0x40;
    EXPECT_EQ(values_in({bytes, size}),
              (std::vector<std::uint32_t>{0xFFFF'FF00, 0xFFFF'FF01, 0xFFFF'FF02, 0}));
}

/// What comes then is written late.
void begin_late_write(Bench& b) {
    b.rest();
    b.into_memory(kRam + 0x40, 0x100, kLate);
    EXPECT_TRUE(b.is_lazy(kRam + 0x40));
}

TEST(TraceModules, ASinkWithALazyRangeWakesNobody) {
    auto& b = bench();
    begin_late_write(b);
    const Cycle start = b.clock.now();
    for (std::uint32_t i = 0; i < 4; ++i) {
        b.stimulate(0xFFFF'FF00U + i, kLate);
    }
    EXPECT_FALSE(sc_core::sc_pending_activity());
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(b.ram.memory().data()) + 0x40;
    const std::vector<std::uint8_t> before(bytes, bytes + 0x20);
    b.cpu.ahead = 99; // not due
    b.cpu.read<std::uint32_t>(kRam + 0x40);
    EXPECT_TRUE(std::equal(before.begin(), before.end(), bytes));
    b.cpu.ahead = 100;
    b.cpu.read<std::uint32_t>(kRam + 0x140); // behind the buffer
    EXPECT_TRUE(std::equal(before.begin(), before.end(), bytes));
    b.cpu.read<std::uint32_t>(kRam + 0x40);
    b.cpu.ahead = 0;
    EXPECT_EQ(values_in({bytes, 16}), (std::vector<std::uint32_t>{0xFFFF'FF00, 0xFFFF'FF01}));
    b.stimulate(0xFFFF'FF04, kLate);
    b.write(trace_map::kControl, stimuli_on(sink::kMemory) & ~control::kEnable, kLate);
    EXPECT_TRUE(b.is_lazy(kRam + 0x40)); // the rest is still to be written
    test::run_to(b.clock, start + 1000);
    EXPECT_NE(b.read(trace_map::kControl, kLate) & control::kEmpty, 0U);
    EXPECT_FALSE(b.is_lazy(kRam + 0x40));
    const std::size_t size = b.read(trace_map::kSinkWritePointer, kLate) - (kRam + 0x40);
    EXPECT_EQ(values_in({bytes, size}).size(), 5U);
}

TEST(TraceModules, ALateBurstTakesAsLongAsOneOverTheBus) {
    auto& b = bench();
    for (const Address block : {kEncoder, kLate}) {
        b.rest();
        b.into_memory(kRam + 0x40, 0x400, block);
        const Cycle start = b.clock.now();
        for (std::uint32_t i = 0; i < 14; ++i) { // a burst of 64 bytes and more
            b.stimulate(0xFFFF'FF00U + i, block);
        }
        b.write(trace_map::kControl, stimuli_on(sink::kMemory) & ~control::kEnable, block);
        // The latency of a burst, that of the memory and eight words, before the rest goes out.
        constexpr Cycle kTransfer = 10 + kRamLatency + 8;
        test::run_to(b.clock, start + kTransfer - 1);
        const std::uint32_t first = b.read(trace_map::kSinkWritePointer, block);
        EXPECT_EQ(first, kRam + 0x40 + 64) << block;
        test::run_to(b.clock, start + kTransfer);
        EXPECT_GT(b.read(trace_map::kSinkWritePointer, block), first) << block;
    }
}

TEST(TraceModules, ASinkLagsBehindInstructionTraceUnlessItStopsWhenFull) {
    auto& b = bench();
    begin_late_write(b);
    b.stimulate(0xFFFF'FFFF, kLate);
    const std::uint32_t branches = stimuli_on(sink::kMemory) | trace_map::instruction::kBranches
                                                                   << control::kInstructionShift;
    b.write(trace_map::kControl, branches, kLate);
    EXPECT_EQ(b.hart.observers, 1);
    EXPECT_FALSE(sc_core::sc_pending_activity());
    EXPECT_GT(b.hart.last_observer->blocks_ahead(b.clock.now()), 0U);
    b.write(trace_map::kControl, branches | control::kStopOnWrap, kLate);
    EXPECT_EQ(b.clock.cycle_of(sc_core::sc_time_to_pending_activity()), 100U);
    EXPECT_EQ(b.hart.last_observer->blocks_ahead(b.clock.now()), 0U);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(b.ram.memory().data()) + 0x40;
    const std::vector<std::uint8_t> before(bytes, bytes + 8);
    b.cpu.ahead = 100;
    b.cpu.read<std::uint32_t>(kRam + 0x40); // more may come for that cycle
    b.cpu.ahead = 0;
    EXPECT_TRUE(std::equal(before.begin(), before.end(), bytes));
    b.rest();
    EXPECT_FALSE(b.is_lazy(kRam + 0x40));
}

TEST(TraceModules, ABufferThatIsMovedOrNotPlainMemoryIsNotLazy) {
    auto& b = bench();
    begin_late_write(b);
    b.stimulate(0xFFFF'FFFF, kLate);
    EXPECT_FALSE(sc_core::sc_pending_activity());
    b.write(trace_map::kSinkLimit, kRam + kRamBytes + 0x40, kLate); // ends behind the memory
    EXPECT_FALSE(b.is_lazy(kRam + 0x40));
    EXPECT_TRUE(sc_core::sc_pending_activity()); // what waits is written in its cycle
    b.write(trace_map::kSinkLimit, kRam + 0x1FF, kLate);
    EXPECT_TRUE(b.is_lazy(kRam + 0x40));
    EXPECT_TRUE(b.is_lazy(kRam + 0x1FF));
    EXPECT_FALSE(b.is_lazy(kRam + 0x200));
    b.write(trace_map::kControl,
            control::kActive | control::kEnable | sink::kProbe << control::kSinkShift, kLate);
    EXPECT_FALSE(b.is_lazy(kRam + 0x40));
}

/// An instruction of the hart retires.
void retire(HartObserver& observer, Cycle at) {
    observer.retired({.cycle = at,
                      .pc = 0x1000,
                      .next_pc = 0x1004,
                      .raw = 0x13,
                      .length = 4,
                      .privilege = Privilege::Machine});
}

TEST(TraceModules, ATriggerActsFourCyclesAfterItsEdgeBetweenTwoInstructions) {
    auto& b = bench();
    b.rest();
    const auto tracing = [&b] { return (b.read(trace_map::kControl) & control::kTracing) != 0; };
    b.write(trace_map::kControl, stimuli_on(sink::kSram) & ~control::kTracing);
    b.write(trace_map::kTriggerInControl, 0x302); // input 0 starts, 2 stops
    b.encoder.triggers().set_level(1, true, 90);  // no action
    b.encoder.triggers().set_level(0, false, 95); // no rising edge
    EXPECT_EQ(b.hart.observers, 0);
    b.encoder.triggers().set_level(0, true, 100);
    EXPECT_EQ(b.hart.observers, 1);
    HartObserver& triggers = *b.hart.last_observer;
    retire(triggers, 104);
    EXPECT_FALSE(tracing());
    b.encoder.triggers().set_level(0, true, 103); // the same edge
    retire(triggers, 105);
    EXPECT_TRUE(tracing());
    EXPECT_EQ(b.hart.observers, 0);
    b.encoder.triggers().set_level(2, true, 200);
    triggers.trapped({.cycle = 205,
                      .cause = 2,
                      .epc = 0,
                      .tval = 0,
                      .vector = 0,
                      .from = Privilege::Machine,
                      .to = Privilege::Machine});
    EXPECT_FALSE(tracing());
    EXPECT_EQ(b.hart.observers, 0);
}

TEST(TraceModules, ABufferThatIsNotThereIsASinkErrorAndNothingElse) {
    auto& b = bench();
    b.rest();
    b.into_memory(0x4000'0000, 0x100);
    b.stimulate(0xFFFF'FFFF);
    b.stimulate(0xFFFF'FFFF);
    test::run_to(b.clock, b.clock.now() + 1000);
    EXPECT_NE(b.read(trace_map::kControl) & control::kSinkError, 0U);
    EXPECT_EQ(b.read(trace_map::kSinkWritePointer), 0x4000'0010U); // two words went nowhere
    b.write(trace_map::kControl, stimuli_on(sink::kMemory) | control::kSinkError);
    EXPECT_EQ(b.read(trace_map::kControl) & control::kSinkError, 0U);
}

/// 200 stores back to back, a cycle each, into a probe of 64 cycles a byte.
void flood(Bench& b, std::uint32_t stall) {
    b.rest();
    b.write(trace_map::kControl, control::kActive);
    b.write(trace_map::kProbeControl, probe::kActive | probe::kEnable | 11U << probe::kModeShift |
                                          63U << probe::kDividerShift);
    b.write(trace_map::kItcTraceEnable, ~0U);
    b.write(trace_map::kControl, stimuli_on(sink::kProbe, stall));
    b.thread.start([&b] {
        for (std::uint32_t i = 0; i < 200; ++i) {
            b.stimulate(i);
            sc_core::wait(b.clock.period());
        }
    });
    test::run_to(b.clock, b.clock.now() + 100'000);
    b.write(trace_map::kControl, stimuli_on(sink::kProbe, stall) & ~control::kEnable);
    test::run_to(b.clock, b.clock.now() + 100'000);
}

TEST(TraceModules, AFullFifoHoldsTheHartUntilTheSinkHasTakenSomething) {
    auto& b = bench();
    const SenderCounts before = b.encoder.encoder().counts();
    flood(b, control::kStallEnable);
    const std::vector<std::uint32_t> values = values_in(b.pins.content);
    ASSERT_EQ(values.size(), 200U);
    for (std::uint32_t i = 0; i < 200; ++i) {
        EXPECT_EQ(values[i], i);
    }
    EXPECT_FALSE(b.hart.holds.empty());
    EXPECT_EQ(b.hart.resumptions, b.hart.holds.size());
    EXPECT_EQ(b.encoder.encoder().counts().lost, before.lost);
    EXPECT_GT(b.encoder.encoder().counts().stall_cycles, before.stall_cycles);
}

TEST(TraceModules, WithoutStallingWhatDoesNotFitIsLostAndCounted) {
    auto& b = bench();
    const SenderCounts before = b.encoder.encoder().counts();
    flood(b, 0);
    const std::vector<std::uint32_t> values = values_in(b.pins.content);
    EXPECT_TRUE(b.hart.holds.empty());
    EXPECT_EQ(values.size() + b.encoder.encoder().counts().lost - before.lost, 200U);
    EXPECT_LT(values.size(), 200U);
}

TEST(TraceModules, AnEncoderBehindAFunnelUsesItsClockAndItsSink) {
    auto& b = bench();
    b.rest();
    b.write(trace_map::kControl, control::kActive, kFunnel);
    b.write(trace_map::kProbeControl, probe::kActive | probe::kEnable | 11U << probe::kModeShift,
            kFunnel);
    b.write(trace_map::kTimestampControl,
            trace_map::timestamp::kActive | trace_map::timestamp::kCount, kFunnel);
    b.write(trace_map::kControl,
            control::kActive | control::kEnable | sink::kProbe << control::kSinkShift, kFunnel);
    b.write(trace_map::kControl, control::kActive, kSecond);
    b.write(trace_map::kTimestampControl, trace_map::timestamp::kActive, kSecond);
    b.write(trace_map::kItcTraceEnable, ~0U, kSecond);
    b.write(trace_map::kControl, stimuli_on(sink::kFunnel), kSecond);
    b.stimulate(77, kSecond);
    EXPECT_EQ(b.read(trace_map::kTimestampLower, kSecond), 0U);
    test::run_to(b.clock, b.clock.now() + 50);
    EXPECT_EQ(b.read(trace_map::kTimestampLower, kSecond), 50U);
    EXPECT_EQ(b.read(trace_map::kControl, kFunnel) & control::kEmpty, 0U);
    b.write(trace_map::kControl, control::kActive, kSecond); // the flush goes through
    test::run_to(b.clock, b.clock.now() + 1000);
    EXPECT_NE(b.read(trace_map::kControl, kFunnel) & control::kEmpty, 0U);
    EXPECT_EQ(values_in(b.funnel_pins.content, 1), std::vector<std::uint32_t>{77});
}

TEST(TraceModules, ASoftwareTraceModuleWatchesTheHartOnlyWhileItTracksThreads) {
    namespace map = software_trace_map;
    auto& b = bench();
    const auto write = [&b](Address offset, std::uint16_t value) {
        b.cpu.write<std::uint16_t>(kSoftware + offset, value);
    };
    write(map::kThreadTracking, map::kTrackThreads);
    EXPECT_TRUE(b.software_hart.observers.empty()); // stalled
    write(map::kControl, map::kActive);
    EXPECT_EQ(b.cpu.latency, kLatency);
    ASSERT_EQ(b.software_hart.observers.size(), 1U);
    const Cycle at = b.clock.now() + 10;
    HartObserver& observer = *b.software_hart.observers.front();
    observer.retired({.cycle = at,
                      .pc = 0,
                      .next_pc = 4,
                      .raw = 0,
                      .length = 4,
                      .privilege = Privilege::User,
                      .destination = 4});
    observer.retired({.cycle = at,
                      .pc = 4,
                      .next_pc = 8,
                      .raw = 0,
                      .length = 4,
                      .privilege = Privilege::User,
                      .destination = 5});
    write(map::kControl, 0);
    EXPECT_TRUE(b.software_hart.observers.empty());
    b.software.unit().drain();
    // Length, DEST, SRC, FLAGS, time, id 0x8000, value.
    const auto time = static_cast<std::uint16_t>(at);
    ASSERT_EQ(b.packets.content.size(), 22U);
    EXPECT_EQ(b.packets.content[8] << 8 | b.packets.content[9], time);
    EXPECT_EQ(b.packets.content[12] << 8 | b.packets.content[13], 0x8000);
    EXPECT_EQ(b.packets.content[14] << 8 | b.packets.content[15], 0x1234);
    EXPECT_EQ(b.packets.content[16] << 8 | b.packets.content[17], 0x8000);
}

TEST(TraceModules, TheTracerWatchesTheHartOnlyWhileItTraces) {
    auto& b = bench();
    b.rest();
    EXPECT_EQ(b.hart.observers, 0);
    b.write(trace_map::kControl, control::kActive);
    const std::uint32_t branches = stimuli_on(sink::kSram) | trace_map::instruction::kBranches
                                                                 << control::kInstructionShift;
    b.write(trace_map::kControl, branches);
    EXPECT_EQ(b.hart.observers, 1);
    b.write(trace_map::kControl, branches & ~control::kTracing);
    EXPECT_EQ(b.hart.observers, 0);
}

} // namespace
} // namespace pes::trace
