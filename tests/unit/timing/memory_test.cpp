// SPDX-License-Identifier: Apache-2.0
// Loads, stores, atomics and what they wait for.
#include "program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace pes {
namespace {

using namespace timing_test;

constexpr TimingConfig kLater{.generation = CoreGeneration::Generation2025_07};

void warm(Program& program, Address address) {
    program.access(load(kSinkRegister), address);
    program.idle();
}

TEST(Memory, LoadThatHitsIsUsableThreeCyclesAfterIssue) {
    Program program;
    warm(program, Program::kData);
    program.access(load(10), Program::kData);
    const Cycle issued = program.issued();
    program.run(alu(11, 10));
    EXPECT_EQ(program.issued() - issued, 3u);
}

TEST(Memory, IndependentHitsRunOneACycle) {
    Program program;
    warm(program, Program::kData);
    RegisterIndex next = 10;
    EXPECT_EQ(period(program,
                     [&] {
                         program.access(load(next), Program::kData);
                         next = next == 15 ? 10 : next + 1;
                     }),
              1u);
}

TEST(Memory, ChainOnOneRegisterTakesFourInV530AndThreeLater) {
    Program program;
    warm(program, Program::kData);
    EXPECT_EQ(period(program, [&] { program.access(load(10, 10), Program::kData); }), 4u);
    Program later(kLater);
    warm(later, Program::kData);
    EXPECT_EQ(period(later, [&] { later.access(load(10, 10), Program::kData); }), 3u);
}

TEST(Memory, MissCostsFiveMoreInADependentChain) {
    Program program;
    Address next = Program::kData;
    const auto miss = [&] { program.access(load(10, 10), next += 16); };
    EXPECT_EQ(period(program, miss), 9u);
}

TEST(Memory, IndependentMissesAreSevenApart) {
    Program program;
    Address next = Program::kData;
    const std::uint64_t before = program.total(Event::L1DMiss);
    EXPECT_EQ(period(program, [&] { program.access(load(kSinkRegister), next += 16); }), 7u);
    EXPECT_EQ(program.total(Event::L1DMiss) - before, 128u);
}

TEST(Memory, MemoryLatencyAddsToEveryMiss) {
    Program program({.memory_latency = 21});
    Address next = Program::kData;
    EXPECT_EQ(period(program, [&] { program.access(load(10, 10), next += 16); }), 29u);
}

TEST(Memory, EvictionsEqualMissesOnceTheCacheIsFull) {
    Program program;
    Address next = Program::kData;
    const auto miss = [&] { program.access(load(kSinkRegister), next += 16); };
    for (int line = 0; line < 2048; ++line) {
        miss();
    }
    EXPECT_EQ(program.total(Event::L1DEviction), 0u);
    const std::uint64_t misses = program.total(Event::L1DMiss);
    for (int line = 0; line < 100; ++line) {
        miss();
    }
    EXPECT_EQ(program.total(Event::L1DMiss) - misses, 100u);
    EXPECT_EQ(program.total(Event::L1DEviction), 100u);
}

/// The RTL compares the valid ways of a set with eight ones.
TEST(Memory, UpstreamDefectCountsEvictionsOfEightWaysOnly) {
    const auto evictions = [](std::uint32_t ways, UpstreamDefect event) {
        TimingConfig config{.eviction_event = event};
        config.l1d = {.bytes = ways * 4096, .ways = ways};
        Program program(config);
        for (Address line = 0; line < 2 * config.l1d.bytes; line += 16) {
            program.access(load(kSinkRegister), Program::kData + line);
        }
        return program.total(Event::L1DEviction);
    };
    EXPECT_EQ(evictions(8, UpstreamDefect::Reproduced), 2048u);
    EXPECT_EQ(evictions(4, UpstreamDefect::Reproduced), 0u);
    EXPECT_EQ(evictions(4, UpstreamDefect::Corrected), 1024u);
}

TEST(Memory, StoresToOneWordMergeAndRunOneACycle) {
    Program program;
    EXPECT_EQ(period(program, [&] { program.access(store(), Program::kData); }), 1u);
}

TEST(Memory, StoresToNewWordsSustainOneInThreeCycles) {
    Program program;
    Address next = Program::kData;
    const auto three = [&] { // they issue in threes
        for (int i = 0; i < 3; ++i) {
            program.access(store(), next += 8);
        }
    };
    EXPECT_EQ(period(program, three), 9u);
}

TEST(Memory, StoresToNewWordsIssueInThrees) {
    // The unit takes one store that arrives as the oldest retires, and queues two behind it.
    Program program;
    Address next = Program::kData;
    for (unsigned i = 0; i < 60; ++i) { // all buffers are full
        program.access(store(), next += 8);
    }
    std::vector<Cycle> gaps;
    for (unsigned i = 0; i < 6; ++i) {
        const Cycle before = program.issued();
        program.access(store(), next += 8);
        gaps.push_back(program.issued() - before);
    }
    std::sort(gaps.begin(), gaps.end());
    EXPECT_EQ(gaps, (std::vector<Cycle>{1, 1, 1, 1, 7, 7}));
}

TEST(Memory, BuffersTakeAShortBurstOfStoresAtOneACycle) {
    Program program;
    const Cycle start = program.issued();
    for (Address word = 0; word < 8; ++word) {
        program.access(store(), Program::kData + word * 8);
    }
    EXPECT_EQ(program.issued() - start, program.decoded() + 1 - start);
    EXPECT_EQ(program.total(Event::L1DMiss), 0u); // write-through, no allocation
}

TEST(Memory, LoadOfAJustStoredWordWaitsUntilTheStoreLeftTheBuffer) {
    Program program;
    warm(program, Program::kData);
    EXPECT_EQ(period(program,
                     [&] {
                         program.access(store(), Program::kData);
                         program.access(load(10), Program::kData);
                     }),
              7u);
}

TEST(Memory, ConflictComparesAddressBits11To3Only) {
    Program program;
    warm(program, Program::kData + 4096);
    EXPECT_EQ(period(program,
                     [&] {
                         program.access(store(), Program::kData);
                         program.access(load(10), Program::kData + 4096);
                     }),
              7u);
}

TEST(Memory, LoadOfAnotherLineIsHeldByWriteAfterWriteOnly) {
    const auto pair = [](Program& program) {
        warm(program, Program::kData + 64);
        return period(program, [&] {
            program.access(store(), Program::kData);
            program.access(load(10), Program::kData + 64);
        });
    };
    Program program;
    EXPECT_EQ(pair(program), 4u);
    Program later(kLater);
    EXPECT_EQ(pair(later), 2u);
}

TEST(Memory, AtomicTakesSixteenCyclesAndAReservedPairTwentyFive) {
    Program program;
    EXPECT_EQ(period(program, [&] { program.access(make(TimingClass::Amo, 10), Program::kData); }),
              16u);
    EXPECT_EQ(period(program,
                     [&] {
                         program.access(make(TimingClass::LoadReserved, 10), Program::kData);
                         program.access(make(TimingClass::StoreConditional, 11), Program::kData);
                     }),
              25u);
}

TEST(Memory, FenceWaitsForTheWriteBuffer) {
    Program program;
    const Cycle empty = program.run(make(TimingClass::Fence)) - program.issued();
    program.idle();
    for (Address word = 0; word < 4; ++word) {
        program.access(store(), Program::kData + word * 8);
    }
    const Cycle behind_stores = program.run(make(TimingClass::Fence)) - program.issued();
    EXPECT_EQ(empty, 2u);
    EXPECT_GT(behind_stores, empty + Cycle{3} * 3); // four transactions, three cycles apart
}

TEST(Memory, DeviceLoadsAreEightApartOnOneRegister) {
    Program program;
    EXPECT_EQ(period(program, [&] { program.access(load(10), 0x0200'BFF8, false); }), 8u);
    EXPECT_EQ(program.total(Event::L1DMiss), 0u);
}

TEST(Memory, StoreAndLoadOfOneDeviceRegisterTakeFourteen) {
    Program program;
    EXPECT_EQ(period(program,
                     [&] {
                         program.access(store(), 0x0200'0000, false);
                         program.access(load(10), 0x0200'0000, false);
                     }),
              14u);
}

TEST(Memory, DeviceSeesALoadBeforeItsResultAndAStoreAfterItsRetirement) {
    Program program;
    Pipeline& pipeline = program.pipeline();
    const MemoryAccess access{.physical = 0x0200'0000, .size = 4, .cacheable = false};
    const Cycle decode = pipeline.fetch(program.pc(), program.pc(), 4, nullptr);
    pipeline.issue(load(10));
    const Cycle read = pipeline.memory_request(load(10), access);
    EXPECT_GT(read, decode + 1);
    EXPECT_LT(read, pipeline.retire_memory(load(10), access, 0));
    pipeline.fetch(program.pc() + 4, program.pc() + 4, 4, nullptr);
    pipeline.issue(store());
    const Cycle written = pipeline.memory_request(store(), access);
    EXPECT_GT(written, pipeline.retire_memory(store(), access, 0));
}

TEST(Memory, DeviceLatencyDelaysALoad) {
    const auto retired = [](std::uint32_t latency) {
        Program program;
        const MemoryAccess access{.physical = 0x0C00'0000, .size = 4, .cacheable = false};
        program.pipeline().fetch(program.pc(), program.pc(), 4, nullptr);
        const Cycle issue = program.pipeline().issue(load(10));
        program.pipeline().memory_request(load(10), access);
        return program.pipeline().retire_memory(load(10), access, latency) - issue;
    };
    EXPECT_EQ(retired(2), retired(0) + 2);
}

TEST(Memory, TlbMissOfALoadCostsAboutElevenCyclesAndThreeReads) {
    Program program;
    const PageWalk walk{.pte = {0x8020'0000, 0x8020'1010, 0x8020'2020}, .reads = 3};
    for (const Address entry : walk.pte) {
        warm(program, entry);
    }
    warm(program, Program::kData);
    const Cycle hit = program.access(load(10), Program::kData) - program.issued();
    program.idle();
    const std::uint64_t accesses = program.total(Event::L1DAccess);
    const Cycle walked = program.access(load(10), Program::kData, true, &walk) - program.issued();
    EXPECT_NEAR(static_cast<double>(walked - hit), 11.0, 1.0);
    EXPECT_EQ(program.total(Event::DtlbMiss), 1u);
    EXPECT_EQ(program.total(Event::L1DAccess) - accesses, 5u); // first try, walk, second try
}

/// Svadu: write_interval + write_return_cycles + memory_latency.
TEST(Memory, AWalkThatWritesItsEntryWaitsForTheStore) {
    for (const auto& [latency, expected] : {std::pair{1U, Cycle{8}}, std::pair{10U, Cycle{17}}}) {
        const auto walked = [latency = latency](bool updates) {
            Program program({.memory_latency = latency});
            const PageWalk walk{.pte = {0x8020'0000}, .reads = 1, .updates = updates};
            warm(program, walk.pte[0]);
            warm(program, Program::kData);
            return program.access(load(10), Program::kData, true, &walk) - program.issued();
        };
        EXPECT_EQ(walked(true) - walked(false), expected);
    }
}

TEST(Memory, UpstreamDefectHidesTlbMissesOfLoadsOnly) {
    Program program({.load_dtlb_event = UpstreamDefect::Reproduced});
    const PageWalk walk{.pte = {0x8020'0000, 0x8020'1010, 0x8020'2020}, .reads = 3};
    program.access(load(10), Program::kData, true, &walk);
    EXPECT_EQ(program.total(Event::DtlbMiss), 0u);
    program.access(store(), Program::kData, true, &walk);
    EXPECT_EQ(program.total(Event::DtlbMiss), 1u);
}

TEST(Memory, FaultingLoadTrapsWhenItsResultWouldBeThere) {
    Program program;
    program.pipeline().fetch(program.pc(), program.pc(), 4, nullptr);
    const Instruction faulting = load(10);
    const Cycle issue = program.pipeline().issue(faulting);
    EXPECT_EQ(program.pipeline().exception(faulting), issue + 4);
}

/// The error of the walker is passed on at once; an entry of the TLB that does not permit the
/// access is found by a second request. [cva6_ptw.sv, cva6_mmu.sv]
TEST(Memory, APageThatIsFoundButRefusedTakesTwoCyclesMore) {
    const auto trapped = [](bool fills_tlb) {
        Program program;
        const PageWalk walk{.pte = {0x8020'0000}, .reads = 1, .fills_tlb = fills_tlb};
        warm(program, walk.pte[0]);
        program.pipeline().fetch(program.pc(), program.pc(), 4, nullptr);
        const Instruction faulting = load(10);
        const Cycle issue = program.pipeline().issue(faulting);
        program.pipeline().failed_walk(faulting, walk);
        return program.pipeline().exception(faulting) - issue;
    };
    EXPECT_EQ(trapped(true), trapped(false) + 2);
}

/// It asks L1D while its address is translated, and once more if the TLB then has the page.
TEST(Memory, ALoadThatFailsHasAskedL1D) {
    const auto accesses = [](bool fills_tlb) {
        Program program;
        const PageWalk walk{.pte = {0x8020'0000}, .reads = 1, .fills_tlb = fills_tlb};
        warm(program, walk.pte[0]);
        const std::uint64_t before = program.total(Event::L1DAccess);
        program.pipeline().fetch(program.pc(), program.pc(), 4, nullptr);
        const Instruction faulting = load(10);
        program.pipeline().issue(faulting);
        program.pipeline().failed_walk(faulting, walk);
        program.pipeline().exception(faulting);
        return program.total(Event::L1DAccess) - before;
    };
    EXPECT_EQ(accesses(false), 2u); // and the read of the walk
    EXPECT_EQ(accesses(true), 3u);
}

/// Each asks the walker again, until the trap throws it away.
TEST(Memory, WhatIsFetchedBehindAFaultingFetchFaultsAsWell) {
    Program program;
    const PageWalk walk{.pte = {0x8020'0000, 0x8020'1010}, .reads = 2};
    for (const Address entry : {walk.pte[0], walk.pte[1]}) {
        warm(program, entry);
    }
    program.idle();
    program.mret(Program::kCode);
    const std::uint64_t reads = program.total(Event::L1DAccess);
    program.pipeline().failing_fetch(program.pc(), &walk);
    program.pipeline().trap_failed_fetch();
    EXPECT_EQ(program.total(Event::ItlbMiss), 2u);
    EXPECT_EQ(program.total(Event::L1DAccess) - reads, 3u); // of the second walk the first only
}

} // namespace
} // namespace pes
