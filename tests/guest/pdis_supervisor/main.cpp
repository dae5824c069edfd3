// SPDX-License-Identifier: Apache-2.0
// Decoded-instruction sampling as a supervisor uses it (Sspdis, delegated): it programs spdis*,
// follows the draft's "LCOFI Record Collection" in interrupt 13, and samples user code, or itself,
// by the mode bits of spdisctl. Needs extensions.smpdis, smcsrind and smcdeleg. Start-up and traps
// are those of tests/guest/user_trial.
//
// The user code is a loop of which each instruction is known, so each record is.
#include "hw/interface/maps/pdis.h"
#include "tests/guest/user_trial/trial.h"

#include <stdint.h>

extern "C" {
void user_walk();
extern const char user_walk_load[], user_walk_store[], user_walk_branch[], user_walk_end[];
uint64_t user_table[2];
}

// Five instructions a turn: a load, a store, one transfer. It has no stack.
asm(R"(
    .text
    .balign 64
    .globl user_walk, user_walk_load, user_walk_store, user_walk_branch, user_walk_end
    .option push
    .option norvc
user_walk:
    la t0, user_table
user_walk_load:
    ld t1, 0(t0)
    add t2, t2, t1
user_walk_store:
    sd t2, 8(t0)
    addi a0, a0, -1
user_walk_branch:
    bnez a0, user_walk_load
    ecall
user_walk_end:
    .option pop
)");

namespace pes {
namespace {

constexpr uint16_t kSpdisctl = 0x5D0, kSpdiscounter = 0x5D1; // as docs/precise-sampling.md
constexpr uint16_t kSpdisevmask = 0x5D2, kSpdisevmatch = 0x5D3, kSpdisfilter = 0x5D4;
constexpr uint16_t kSiselect = 0x150, kSireg = 0x151, kSireg2 = 0x152, kSireg4 = 0x155,
                   kSireg5 = 0x156;
constexpr uint16_t kScountinhibit = 0x120;
constexpr uint64_t kPdis = uint64_t{1} << pdis::kCounterBit;
constexpr uint64_t kAll = 0, kLoads = 1, kStores = 2, kTransfers = 4;
constexpr uint64_t kTurns = 20'000;
constexpr uint64_t kLoop = 5; ///< instructions

struct Record {
    uint64_t header, pc, latencies, address;
};
constexpr unsigned kMost = 512;
Record records[kMost];
unsigned samples;
unsigned strange; ///< interrupts without a record

uint64_t address_of(const void* where) {
    return reinterpret_cast<uint64_t>(where);
}
bool in_user_code(uint64_t pc) {
    return pc >= address_of(reinterpret_cast<const void*>(user_walk)) &&
           pc < address_of(user_walk_end);
}

/// "LCOFI Record Collection", in its order, for a hart without a memory buffer.
void collect() {
    set_csr<kScountinhibit>(kPdis);
    if ((read_csr<csr::kScountovf>() & kPdis) == 0) {
        ++strange;
    } else {
        write_csr<kSiselect>(pdis::kSelect);
        const Record record{read_csr<kSireg>(), read_csr<kSireg2>(), read_csr<kSireg4>(),
                            read_csr<kSireg5>()};
        records[samples++ % kMost] = record;
        clear_csr<kSpdisctl>(pdis::control::kOf);
    }
    clear_csr<csr::kSip>(kInterruptLcofi);
    clear_csr<kScountinhibit>(kPdis);
}

void set_up(uint64_t control, uint64_t period) {
    const uint64_t initial = (uint64_t{1} << 32) - period;
    set_csr<kScountinhibit>(kPdis);
    write_csr<kSpdisctl>(control);
    write_csr<kSpdiscounter>(initial << 32 | initial);
    clear_csr<csr::kSip>(kInterruptLcofi);
    samples = 0;
    strange = 0;
    clear_csr<kScountinhibit>(kPdis);
}

void stop() {
    set_csr<kScountinhibit>(kPdis);
}

uint64_t latency(const Record& record, unsigned number) {
    return record.latencies >> (pdis::latency::kBits * number) & pdis::latency::kMost;
}

/// Of each instruction of one kind a turn, one in `period` is selected; the handler's return throws
/// away what was decoded behind it, which counts too.
void expect_count(const char* what, uint64_t per_turn, uint64_t period) {
    const uint64_t least = kTurns * per_turn / period;
    print(put_byte, what, ": ", samples, " samples\n");
    expect("the number of samples", samples >= least && samples <= least + least / 8 + 1);
    expect("a record for each interrupt", strange == 0);
}

/// All name one instruction of the user code, and hold its address.
void sample_one_kind(const char* what, uint64_t select, const char* pc, uint64_t address) {
    constexpr uint64_t kPeriod = 97;
    write_csr<kSpdisevmask>(pdis::header::kFlushed); // only what is not thrown away
    write_csr<kSpdisevmatch>(0);
    set_up(select | pdis::control::kU, kPeriod);
    run_user(user_walk, kTurns);
    stop();
    print(put_byte, what, ": ", samples, " samples\n");
    expect("most are not thrown away", samples > kTurns / kPeriod * 3 / 4);
    for (unsigned i = 0; i < samples && i < kMost; ++i) {
        const Record& record = records[i];
        expect("the pc", record.pc == address_of(pc));
        expect("the type", (record.header & pdis::header::kType) == select);
        const bool valid = (record.header & pdis::header::kAddress1Valid) != 0;
        // The last branch is not taken: it has no target.
        expect("the address", valid ? record.address == address : select == kTransfers);
    }
}

/// Bit n: the n-th instruction of the loop is in a record.
unsigned sample_everything(uint64_t period) {
    write_csr<kSpdisevmask>(0);
    set_up(kAll | pdis::control::kU, period);
    run_user(user_walk, kTurns);
    stop();
    expect_count("all of user mode", kLoop, period);
    unsigned places = 0;
    for (unsigned i = 0; i < samples && i < kMost; ++i) {
        const Record& record = records[i];
        // Behind an ecall, or a trap, what follows is decoded in user mode.
        const bool flushed = (record.header & pdis::header::kFlushed) != 0;
        expect("user code", in_user_code(record.pc) || flushed);
        const uint64_t parts = latency(record, 1) + latency(record, 2) + latency(record, 3);
        expect("TOTAL", latency(record, 0) >= parts);
        const uint64_t place = (record.pc - address_of(user_walk_load)) / 4;
        places |= place < kLoop ? 1U << place : 0;
    }
    return places;
}

/// One period may be in step with the loop.
void sample_all_places() {
    unsigned places = 0;
    for (uint64_t period = 501; period <= 505; ++period) {
        places |= sample_everything(period);
    }
    expect("each instruction of the loop", places == (1U << kLoop) - 1);
}

/// The user code does not count; the supervisor does not let itself be interrupted, so it looks.
void sample_the_supervisor() {
    set_up(kAll | pdis::control::kS, 50);
    clear_csr<csr::kSie>(kInterruptLcofi);
    run_user(user_walk, 1000);
    for (unsigned i = 0; i < 100; ++i) {
        asm volatile("");
    }
    expect("an overflow in supervisor mode", (read_csr<csr::kScountovf>() & kPdis) != 0);
    collect();
    stop();
    expect("supervisor code", samples == 1 && !in_user_code(records[0].pc));
    set_csr<csr::kSie>(kInterruptLcofi);
}

/// A latency that nothing here reaches.
void filter_by_latency() {
    write_csr<kSpdisfilter>(pdis::filter::kThreshold);
    set_up(kLoads | pdis::control::kU, 100);
    run_user(user_walk, kTurns);
    stop();
    expect("nothing is that slow", samples == 0);
    expect("no overflow bit", (read_csr<csr::kScountovf>() & kPdis) == 0);
    write_csr<kSpdisfilter>(0);
}

} // namespace

extern "C" void overflow_interrupt() {
    collect();
}

extern "C" [[noreturn]] void report_trap(uint64_t cause, uint64_t pc, uint64_t value) {
    print(put_byte, "unexpected trap: cause ", Hex{cause}, "  pc ", Hex{pc}, "  value ", Hex{value},
          "\n");
    ++failures;
    end();
}

extern "C" [[noreturn]] void run_tests() {
    set_csr<csr::kSie>(kInterruptLcofi);
    sample_one_kind("loads", kLoads, user_walk_load, address_of(&user_table[0]));
    sample_one_kind("stores", kStores, user_walk_store, address_of(&user_table[1]));
    sample_one_kind("transfers", kTransfers, user_walk_branch, address_of(user_walk_load));
    sample_all_places();
    sample_the_supervisor();
    filter_by_latency();
    print(put_byte, "pdis_supervisor: ", failures, " failures\n");
    end();
}

} // namespace pes
