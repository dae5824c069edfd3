// SPDX-License-Identifier: Apache-2.0
// Values and performance records through stimuli, beside the program trace of encoders that the
// host has set up (pes-vp run --trace). Each round is a burst of stores and of jumps that no
// compression takes away, then a header and records. In front of each record is a stretch of
// divisions without a jump, in which a FIFO can empty. Stores do not wait for room: with
// --trace-stall off and a small FIFO some of them are lost.
//
// Console: "stores" with the addresses of the three store instructions, "place" with the address in
// the records, and "record0", "record1" with the counters of each record as that hart read them.
#include "firmware/apps/trace/stimuli.h"
#include "firmware/apps/bare/harts.h"
#include "firmware/apps/trace/demo_console.h"
#include "hw/interface/maps/trace.h"

namespace pes::demo {

namespace {

constexpr const char* kRecordLines[] = {"record0", "record1"};

// The store is the first instruction of each, so that whoever watches the hart knows it.
[[gnu::noipa]] void store_word(uint64_t address, uint32_t value) {
    write_device(address, value);
}
[[gnu::noipa]] void store_half(uint64_t address, uint16_t value) {
    write_device(address, value);
}
[[gnu::noipa]] void store_byte(uint64_t address, uint8_t value) {
    write_device(address, value);
}

class Stimulus {
  public:
    Stimulus(uint64_t hart, unsigned number)
        : address_(uint64_t{PES_TRACE_ENCODER_BASE} + trace_map::kBlockBytes * hart +
                   trace_map::kItcStimulus + 4 * uint64_t{number}) {}
    void word(uint32_t value) { store_word(address_, value); }
    void half(uint16_t value) { store_half(address_ + 2, value); }
    void byte(uint8_t value) { store_byte(address_ + 3, value); }

  private:
    uint64_t address_;
};

Barrier barrier;
Reading readings[kHarts][kRecords];
volatile uint64_t result[kHarts];

[[gnu::noipa]] uint64_t collatz(uint64_t number) {
    uint64_t steps = 0;
    for (; number != 1; ++steps) {
        number = number % 2 == 0 ? number / 2 : 3 * number + 1;
    }
    return steps;
}
[[gnu::noipa]] uint64_t bits(uint64_t number) {
    uint64_t count = 0;
    for (; number != 0; number &= number - 1) {
        ++count;
    }
    return count;
}
[[gnu::noipa]] uint64_t root(uint64_t number) {
    uint64_t candidate = 0;
    while ((candidate + 1) * (candidate + 1) <= number) {
        ++candidate;
    }
    return candidate;
}
constexpr uint64_t (*kFunctions[])(uint64_t) = {collatz, bits, root};

[[gnu::noinline]] void burst(Stimulus to, uint64_t hart, unsigned round) {
    for (unsigned step = 0; step < kSteps; ++step) {
        const uint64_t number = 7 * round + 13 * step + hart + 1;
        result[hart] = kFunctions[number % 3](number);
        send_step(to, hart, round, step);
    }
}

// Each division waits for the one before it.
[[gnu::noinline]] void rest() {
    asm volatile("li t0, -1\n\tli t1, 1\n\t"
                 ".rept 32\n\tdivu t0, t0, t1\n\t.endr" ::
                     : "t0", "t1");
}

void work(uint64_t hart) {
    const Stimulus values(hart, kValueStimulus);
    Stimulus records(hart, kRecordStimulus);
    for (unsigned number = 0; number < kRecords; ++number) {
        if (number % kRecordsOfRound == 0) {
            burst(values, hart, number / kRecordsOfRound);
            rest();
            send_header(records);
        }
        rest();
        readings[hart][number] = {.cycles = read_csr<csr::kCycle>(),
                                  .instructions = read_csr<csr::kInstret>()};
        send_record(records, reinterpret_cast<uint64_t>(&burst), readings[hart][number]);
    }
}

void print_all() {
    print_line("stores", reinterpret_cast<uint64_t>(&store_word),
               reinterpret_cast<uint64_t>(&store_half), reinterpret_cast<uint64_t>(&store_byte));
    print_line("place", reinterpret_cast<uint64_t>(&burst));
    for (uint64_t hart = 0; hart < kHarts; ++hart) {
        for (const Reading& reading : readings[hart]) {
            print_line(kRecordLines[hart], reading.cycles, reading.instructions);
        }
    }
}

} // namespace

} // namespace pes::demo

int main(uint64_t hart) {
    using namespace pes::demo;
    if (hart >= pes::kHarts) {
        return 0;
    }
    barrier.meet();
    work(hart);
    barrier.meet();
    if (hart == 0) {
        print_all();
    }
    return 0;
}
