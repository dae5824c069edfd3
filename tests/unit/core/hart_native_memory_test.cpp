// SPDX-License-Identifier: Apache-2.0
// Loads and stores of native code: of every size, at the ends of pages, around words that are no
// plain memory, to addresses that need more than native code does, and over code.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/native_bench.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

namespace pes::test {
namespace {

using U64 = std::uint64_t;
using I32 = std::int32_t;

constexpr Address kAccessList = BareMachine::kData; ///< what each iteration shall do
constexpr Address kResults = BareMachine::kRam + 0x2'0000;
constexpr Address kPages = BareMachine::kRam + 0x4'0000; ///< what is loaded and stored
constexpr unsigned kPageCount = 3;
constexpr Address kWatched = kPages + 0x208;

struct Size {
    const char* name;
    Word funct3;
    unsigned bytes;
    bool is_signed;

    Word load(Reg rd, Reg base, I32 offset) const { return i_type(0x03, funct3, rd, base, offset); }
    Word store(Reg rs2, Reg base, I32 offset) const {
        return s_type(0x23, funct3, rs2, base, offset);
    }
};
constexpr std::array kSizes{Size{"lb", 0, 1, true},   Size{"lh", 1, 2, true},
                            Size{"lw", 2, 4, true},   Size{"ld", 3, 8, true},
                            Size{"lbu", 4, 1, false}, Size{"lhu", 5, 2, false},
                            Size{"lwu", 6, 4, false}};
constexpr const Size* kUnsigned = kSizes.data() + 4; ///< from here on there are no stores

/// The pages as the specification has them: little-endian bytes.
class MemoryModel {
  public:
    MemoryModel() {
        std::mt19937_64 random(7);
        std::ranges::generate(bytes_, [&random] { return static_cast<std::uint8_t>(random()); });
    }
    void put_into(BareMachine& machine) const {
        for (std::size_t index = 0; index < bytes_.size(); ++index) {
            machine.poke(kPages + index, bytes_[index]);
        }
    }
    U64 load(Address address, const Size& size) const {
        U64 value = 0;
        for (unsigned byte = size.bytes; byte-- != 0;) {
            value = value << 8 | bytes_.at(address - kPages + byte);
        }
        const U64 sign = U64{1} << (8 * size.bytes - 1);
        return size.is_signed ? (value ^ sign) - sign : value;
    }
    void store(Address address, U64 value, unsigned bytes) {
        for (unsigned byte = 0; byte < bytes; ++byte, value >>= 8) {
            bytes_.at(address - kPages + byte) = static_cast<std::uint8_t>(value);
        }
    }
    void expect_in(const BareMachine& machine) const {
        for (std::size_t index = 0; index < bytes_.size(); ++index) {
            ASSERT_EQ(machine.peek<std::uint8_t>(kPages + index), bytes_[index]) << index;
        }
    }

  private:
    std::array<std::uint8_t, kPageCount * kPageBytes> bytes_{};
};

/// The first and last places of each page, places around the watched word and others, in any
/// order: most of them in another page than the one before.
std::vector<Address> places(unsigned bytes, bool with_watched = false) {
    std::mt19937_64 random(bytes);
    std::vector<Address> list;
    for (Address page = kPages; page < kPages + kPageCount * kPageBytes; page += kPageBytes) {
        for (unsigned count = 0; count < 30; ++count) {
            list.push_back(page);
            list.push_back(page + kPageBytes - bytes);
            list.push_back(page + random() % (kPageBytes / bytes) * bytes);
        }
    }
    for (Address near = kWatched - 16; near < kWatched + 24; near += bytes) {
        if (with_watched || near < kWatched || near >= kWatched + 8) {
            list.insert(list.end(), 3, near);
        }
    }
    std::ranges::shuffle(list, random);
    list.insert(list.begin(), 8, kPages + 64);
    return list;
}

/// A loop over addresses in s3 and values in s4.
void place_list(BareMachine& machine, const std::vector<Address>& addresses,
                const std::vector<Word>& body) {
    std::vector<Word> words{ld(s3, s0, 0), ld(s4, s0, 8), addi(s0, s0, 16)};
    words.insert(words.end(), body.begin(), body.end());
    place_loop(machine, words, addresses.size());
    machine.set(s0, kAccessList);
    machine.set(s1, kResults);
    for (std::size_t index = 0; index < addresses.size(); ++index) {
        machine.poke(kAccessList + 16 * index, addresses[index]);
        machine.poke(kAccessList + 16 * index + 8, edge_values()[index % edge_values().size()] * 3);
    }
}

class HartNativeSizes : public HartNative, public testing::WithParamInterface<Size> {};

/// With positive, negative and no offset; rd is the base, x0 or another register.
TEST_P(HartNativeSizes, LoadsExtendAsSpecified) {
    const Size& size = GetParam();
    const MemoryModel model;
    const std::vector<Address> list = places(size.bytes);
    const auto prepare = [&](BareMachine& machine) {
        model.put_into(machine);
        machine.set(s5, 2040);
        place_list(machine, list,
                   {size.load(a0, s3, 0), sd(a0, s1, 0), add(a1, s3, s5), size.load(a1, a1, -2040),
                    sd(a1, s1, 8), addi(a2, s3, -2040), size.load(a3, a2, 2040), sd(a3, s1, 16),
                    size.load(zero, s3, 0), sd(zero, s1, 24), addi(s1, s1, 32)});
    };
    judge(prepare, [&](BareMachine& machine) {
        Address place = kResults;
        for (const Address address : list) {
            const U64 value = model.load(address, size);
            for (const U64 expected : {value, value, value, U64{0}}) {
                ASSERT_EQ(machine.peek<U64>(place), expected) << std::hex << address;
                place += 8;
            }
        }
    });
}

class HartNativeStores : public HartNativeSizes {};

/// Of a register, of the address itself and of x0; a load behind it sees it.
TEST_P(HartNativeStores, WriteTheirBytesAndNoOthers) {
    const Size& size = GetParam();
    const std::vector<Address> list = places(size.bytes);
    const auto prepare = [&](BareMachine& machine) {
        MemoryModel().put_into(machine);
        place_list(machine, list,
                   {size.store(zero, s3, 0), addi(a1, s3, 2040), size.store(s3, s3, 0),
                    size.load(a0, s3, 0), sd(a0, s1, 0), size.store(s4, a1, -2040),
                    size.load(a0, s3, 0), sd(a0, s1, 8), addi(s1, s1, 16)});
    };
    judge(prepare, [&](BareMachine& machine) {
        MemoryModel model;
        for (std::size_t index = 0; index < list.size(); ++index) {
            model.store(list[index], list[index], size.bytes);
            ASSERT_EQ(machine.peek<U64>(kResults + 16 * index), model.load(list[index], size));
            model.store(list[index], machine.peek<U64>(kAccessList + 16 * index + 8), size.bytes);
            ASSERT_EQ(machine.peek<U64>(kResults + 16 * index + 8), model.load(list[index], size));
        }
        model.expect_in(machine);
    });
}

/// Of each access to the watched word the bus is told, and of no other.
TEST_P(HartNativeSizes, AWatchedWordIsNoPlainMemory) {
    const Size& size = GetParam();
    const std::vector<Address> list = places(size.bytes, true);
    const auto prepare = [&](BareMachine& machine) {
        machine.watch(kWatched);
        MemoryModel().put_into(machine);
        const Word store = size.is_signed ? size.store(s4, s3, 0) : kNop;
        place_list(machine, list, {size.load(a0, s3, 0), sd(a0, s1, 0), store, addi(s1, s1, 8)});
    };
    judge(prepare, [&](BareMachine& machine) {
        MemoryModel model;
        std::size_t seen = 0;
        const auto& bus = machine.accesses();
        for (std::size_t index = 0; index < list.size(); ++index) {
            const Address at = list[index];
            ASSERT_EQ(machine.peek<U64>(kResults + 8 * index), model.load(at, size));
            if (size.is_signed) {
                model.store(at, machine.peek<U64>(kAccessList + 16 * index + 8), size.bytes);
            }
            const bool watched = at / 8 == kWatched / 8;
            for (unsigned one = size.is_signed ? 2 : 1; watched && one != 0; --one, ++seen) {
                ASSERT_LT(seen, bus.size());
                ASSERT_EQ(bus[seen].address, at);
                ASSERT_EQ(bus[seen].size, size.bytes);
            }
        }
        EXPECT_EQ(bus.size(), seen);
        model.expect_in(machine);
    });
}

constexpr auto kNameOfSize = [](const testing::TestParamInfo<Size>& row) { return row.param.name; };
INSTANTIATE_TEST_SUITE_P(Each, HartNativeSizes, testing::ValuesIn(kSizes), kNameOfSize);
INSTANTIATE_TEST_SUITE_P(Each, HartNativeStores, testing::ValuesIn(kSizes.data(), kUnsigned),
                         kNameOfSize);

// --- Compressed loads and stores ----------------------------------------------------------------

constexpr Word c_access(Word code, Reg data, Reg base, Word offset) {
    const Word high = offset >> 3 & 7, low = offset >> 2 & 1, six = offset >> 6 & 1;
    const bool is_double = (code >> 13 & 1) != 0; // offset bits 7:6 instead of 2 and 6
    const Word rest = is_double ? (offset >> 6 & 3) << 5 : low << 6 | six << 5;
    return code | high << 10 | Word{base & 7U} << 7 | rest | Word{data & 7U} << 2;
}
constexpr Word kCLw = 0x4000, kCLd = 0x6000, kCSw = 0xC000, kCSd = 0xE000;

TEST_F(HartNative, CompressedLoadsAndStoresAccessAsSpecified) {
    constexpr std::size_t kTimes = 200;
    constexpr Size kDouble{"ld", 3, 8, true}, kWord{"lw", 2, 4, true};
    const auto pair = [](Word first, Word second) { return second << 16 | first; };
    const auto prepare = [&](BareMachine& machine) {
        MemoryModel().put_into(machine);
        machine.set(a1, kPages);
        place_loop(machine,
                   {pair(c_access(kCLd, a0, a1, 0xF8), c_access(kCLw, a2, a1, 0x7C)),
                    pair(c_access(kCSd, a2, a1, 0x80), c_access(kCSw, a0, a1, 0x44)),
                    add(a3, a3, a0), add(a4, a4, a2), addi(a1, a1, 8)},
                   kTimes);
    };
    judge(prepare, [&](BareMachine& machine) {
        MemoryModel model;
        U64 doubles = 0, words = 0;
        for (Address at = kPages; at < kPages + 8 * kTimes; at += 8) {
            const U64 one = model.load(at + 0xF8, kDouble), other = model.load(at + 0x7C, kWord);
            model.store(at + 0x80, other, 8);
            model.store(at + 0x44, one, 4);
            doubles += one;
            words += other;
        }
        EXPECT_EQ(machine.get(a3), doubles);
        EXPECT_EQ(machine.get(a4), words);
        model.expect_in(machine);
    });
}

// --- Stores that are still buffered -------------------------------------------------------------

/// A loop of accesses of any size, most of them stores, at what lies at s0 on.
std::vector<Word> random_accesses(std::mt19937& random) {
    constexpr I32 kBases = 4;
    std::vector<Word> body;
    for (I32 base = 0; base < kBases; ++base) {
        body.push_back(ld(static_cast<Reg>(s3 + base), s0, 8 * base));
    }
    body.push_back(addi(s0, s0, 8 * kBases));
    for (unsigned count = 0; count < 10; ++count) {
        const auto base = static_cast<Reg>(s3 + random() % kBases);
        const Size& size = kSizes.at(random() % (random() % 3 == 0 ? 4 : 2));
        const auto offset = static_cast<I32>(random() % (8 / size.bytes) * size.bytes);
        const Reg value = random_register(random);
        body.push_back(random() % 4 == 0 ? size.load(value, base, offset)
                                         : size.store(value, base, offset));
    }
    return body;
}

/// Stores and loads behind them meet in a few words, each time in others.
TEST_F(HartNative, AccessesMeetBufferedStoresInTurns) {
    constexpr std::size_t kTimes = 300;
    for (unsigned seed = 0; seed < 12; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        const std::vector<Word> body = random_accesses(random);
        std::array<Address, 4 * kTimes> list{};
        std::ranges::generate(list, [&] { return kPages + 8 * (random() % (3 + seed % 2 * 3)); });
        const auto prepare = [&](BareMachine& machine) {
            place_loop(machine, body, kTimes);
            machine.set(s0, kAccessList);
            for (std::size_t index = 0; index < list.size(); ++index) {
                machine.poke(kAccessList + 8 * index, list.at(index));
            }
        };
        judge(counting_everything(ExecutionPath::Fast), prepare, check_nothing);
    }
}

// --- Accesses that native code cannot make ------------------------------------------------------

/// Skips the instruction that traps and adds up what the trap says in s6 and s7.
void place_skipping_handler(BareMachine& machine) {
    machine.set_csr(csr::kMtvec, kHandler);
    machine.place(kHandler, {csrr(t0, csr::kMepc), addi(t0, t0, 4), csrw(csr::kMepc, t0),
                             csrr(t0, csr::kMtval), add(s6, s6, t0), csrr(t0, csr::kMcause),
                             add(s7, s7, t0), kMret});
}

/// Ten plain accesses, then one that is not, and so on; alternates between two of these.
std::vector<Address> some_special(Address one, Address other) {
    std::vector<Address> list;
    for (unsigned index = 0; index < 220; ++index) {
        const Address special = index % 2 == 0 ? one : other;
        list.push_back(index % 11 == 10 ? special : kPages + index % 7 * 8);
    }
    return list;
}

TEST_F(HartNative, AccessesThatBecomeMisalignedTrap) {
    constexpr Word kLoadMisaligned = 4, kStoreMisaligned = 6;
    for (const Size& size : kSizes) {
        if (size.bytes == 1) {
            continue;
        }
        SCOPED_TRACE(size.name);
        const Address odd = kPages + kPageBytes - size.bytes + 1,
                      half = kPages + 16 + size.bytes / 2;
        const std::vector<Address> list = some_special(odd, half);
        const auto prepare = [&](BareMachine& machine) {
            MemoryModel().put_into(machine);
            place_skipping_handler(machine);
            place_list(machine, list,
                       {addi(a0, zero, 99), size.load(a0, s3, 0), sd(a0, s1, 0),
                        size.is_signed ? size.store(s4, s3, 0) : kNop, addi(s1, s1, 8)});
        };
        judge(prepare, [&](BareMachine& machine) {
            MemoryModel model;
            U64 tvals = 0, causes = 0;
            for (std::size_t index = 0; index < list.size(); ++index) {
                const bool traps = list[index] == odd || list[index] == half;
                const U64 expected = traps ? 99 : model.load(list[index], size);
                ASSERT_EQ(machine.peek<U64>(kResults + 8 * index), expected) << index;
                if (traps) {
                    tvals += list[index] * (size.is_signed ? 2 : 1);
                    causes += kLoadMisaligned + (size.is_signed ? kStoreMisaligned : 0);
                } else if (size.is_signed) {
                    model.store(list[index], machine.peek<U64>(kAccessList + 16 * index + 8),
                                size.bytes);
                }
            }
            EXPECT_EQ(machine.get(s6), tvals);
            EXPECT_EQ(machine.get(s7), causes);
            model.expect_in(machine);
        });
    }
}

TEST_F(HartNative, AccessesThatBecomeMisalignedMayCrossPages) {
    HartConfig config = BareMachine::default_config();
    config.misaligned_access = true;
    constexpr Size kDouble{"ld", 3, 8, true};
    const std::vector<Address> list = some_special(kPages + kPageBytes - 3, kPages + 61);
    const auto prepare = [&](BareMachine& machine) {
        MemoryModel().put_into(machine);
        place_list(machine, list, {ld(a0, s3, 0), sd(a0, s1, 0), sd(s4, s3, 0), addi(s1, s1, 8)});
    };
    judge(config, prepare, [&](BareMachine& machine) {
        MemoryModel model;
        for (std::size_t index = 0; index < list.size(); ++index) {
            ASSERT_EQ(machine.peek<U64>(kResults + 8 * index), model.load(list[index], kDouble));
            model.store(list[index], machine.peek<U64>(kAccessList + 16 * index + 8), 8);
        }
        model.expect_in(machine);
    });
}

/// The device is seen in program order; what it refuses traps.
TEST_F(HartNative, AccessesThatBecomeADevicesReachIt) {
    constexpr U64 kValue = 0x8765'4321'1234'5678;
    constexpr Word kLoadFault = 5, kStoreFault = 7;
    for (const Address other : {BareMachine::kDevice + 8, BareMachine::kDeviceError}) {
        const std::vector<Address> list = some_special(BareMachine::kDevice, other);
        const auto prepare = [&](BareMachine& machine) {
            MemoryModel().put_into(machine);
            place_skipping_handler(machine);
            machine.set_device_value(kValue);
            machine.set_device_latency(5);
            place_list(
                machine, list,
                {addi(a0, zero, 99), lw(a0, s3, 4), sd(a0, s1, 0), sd(s4, s3, 0), addi(s1, s1, 8)});
        };
        judge(prepare, [&](BareMachine& machine) {
            constexpr Size kWord{"lw", 2, 4, true};
            MemoryModel model;
            U64 causes = 0;
            std::vector<std::pair<Address, U64>> bus;
            for (std::size_t index = 0; index < list.size(); ++index) {
                const Address at = list[index];
                const U64 stored = machine.peek<U64>(kAccessList + 16 * index + 8);
                const bool refused = at == BareMachine::kDeviceError;
                const bool device = at < BareMachine::kRam;
                const U64 loaded = refused ? 99 : device ? 0x1234'5678 : model.load(at + 4, kWord);
                ASSERT_EQ(machine.peek<U64>(kResults + 8 * index), loaded) << index;
                causes += refused ? kLoadFault + kStoreFault : 0;
                if (device) {
                    bus.insert(bus.end(), {{at + 4, 0}, {at, stored}});
                } else {
                    model.store(at, stored, 8);
                }
            }
            ASSERT_EQ(machine.accesses().size(), bus.size());
            for (std::size_t index = 0; index < bus.size(); ++index) {
                ASSERT_EQ(machine.accesses()[index].address, bus[index].first);
                ASSERT_EQ(machine.accesses()[index].value, bus[index].second);
            }
            EXPECT_EQ(machine.get(s7), causes);
            model.expect_in(machine);
        });
    }
}

/// One after the other stops native code for another reason.
TEST_F(HartNative, DevicesAndMisalignedAccessesTakeTurns) {
    const std::vector<Address> list = some_special(BareMachine::kDevice, kPages + 12);
    const auto prepare = [&](BareMachine& machine) {
        MemoryModel().put_into(machine);
        place_skipping_handler(machine);
        place_list(machine, list,
                   {addi(a0, zero, 99), ld(a0, s3, 0), sd(a0, s1, 0), addi(s1, s1, 8)});
        machine.set_device_value(77);
    };
    judge(prepare, [&](BareMachine& machine) {
        const MemoryModel model;
        for (std::size_t index = 0; index < list.size(); ++index) {
            const Address at = list[index];
            const U64 loaded = at < BareMachine::kRam ? 77
                               : at % 8 != 0          ? 99
                                                      : model.load(at, kSizes[3]);
            ASSERT_EQ(machine.peek<U64>(kResults + 8 * index), loaded) << index;
        }
        EXPECT_EQ(machine.accesses().size(), 10U);
        EXPECT_EQ(machine.get(s7), 40U); // load address misaligned is cause 4
    });
}

// --- A part of memory that is filled late -------------------------------------------------------

class AccessWriter : public LateWriter {
  public:
    explicit AccessWriter(BareMachine& machine) : machine_(machine) {}
    static constexpr MemoryRange kRange{.base = kPages + 0x1F8, .size = 64};
    static constexpr Cycle kPeriod = 97;
    static constexpr U64 value(Cycle at) { return at * 0x9E37'79B9'7F4A'7C15; }

    void catch_up(Cycle at) override {
        for (; due_ <= at; due_ += kPeriod) {
            machine_.poke<U64>(kRange.base + due_ / kPeriod % 8 * 8, value(due_));
        }
    }

  private:
    BareMachine& machine_;
    Cycle due_ = kPeriod;
};

/// It begins and ends while the code is native that reads and writes there.
TEST_F(HartNative, ALazyRangeComesAndGoesUnderNativeCode) {
    constexpr Cycle kPart = 15'000;
    const auto live = [](HartConfig config) {
        BareMachine machine(config);
        AccessWriter writer(machine);
        machine.set(s0, kPages + 0x1F0);
        machine.place(kCode,
                      {ld(a0, s0, 0), ld(a1, s0, 8), ld(a2, s0, 64), ld(a3, s0, 72),
                       add(a4, a4, a0), add(a4, a4, a1), add(a5, a5, a2), add(a5, a5, a3),
                       addi(s1, s1, 1), sd(s1, s0, 0), sd(s1, s0, 72), sb(s1, s0, 33), j(-48)});
        machine.stop_observing();
        machine.hart().set_pc(kCode);
        for (unsigned part = 1; part <= 5; ++part) {
            if (part == 2) {
                machine.fill_late(AccessWriter::kRange, writer);
            } else if (part == 4) {
                machine.stop_filling(writer);
            }
            machine.hart().set_horizon(part * kPart);
            machine.hart().run();
        }
        EXPECT_EQ(machine.hart().path_statistics().native_nodes != 0,
                  config.jit == NativePaths::On);
        return life_of(machine);
    };
    HartConfig config = BareMachine::default_config();
    config.path = ExecutionPath::Step;
    config.jit = NativePaths::Off;
    const Life stepped = live(config);
    EXPECT_GT(stepped.registers[s1], 2'000U);
    config.path = ExecutionPath::Fast;
    expect_equal(stepped, live(config));
    expect_equal(stepped, live(natively(config)));
}

// --- Code that changes --------------------------------------------------------------------------

/// A body that has become native is overwritten; FENCE.I makes the new one valid. It lies in the
/// page of the code that writes it, or in another.
TEST_F(HartNative, CodeBehindFenceIIsTheNewOne) {
    constexpr I32 kTimes = 40, kRounds = 30;
    for (const Address body : {kCode + 0x100, kCode + kPageBytes + 0x40}) {
        const auto prepare = [&](BareMachine& machine) {
            machine.set(s0, kAccessList);
            machine.set(s1, body);
            for (I32 round = 0; round < kRounds; ++round) {
                const Word word = round % 3 == 2 ? mul(a2, a1, a1) : addi(a2, a2, round % 5);
                machine.poke(kAccessList + 4 * static_cast<Address>(round), word);
            }
            place_loop(machine,
                       {lw(t0, s0, 0), addi(s0, s0, 4), sw(t0, s1, 4), kFenceI,
                        addi(a0, zero, kTimes), jalr(ra, s1, 0)},
                       kRounds);
            machine.place(body, {addi(a1, a1, 1), kNop, add(a3, a3, a2), addi(a0, a0, -1),
                                 bne(a0, zero, -16), jalr(zero, ra, 0)});
        };
        judge(prepare, [&](BareMachine& machine) {
            U64 one = 0, two = 0, sum = 0;
            for (I32 round = 0; round < kRounds; ++round) {
                for (I32 time = 0; time < kTimes; ++time) {
                    ++one;
                    two = round % 3 == 2 ? one * one : two + static_cast<U64>(round % 5);
                    sum += two;
                }
            }
            EXPECT_EQ(machine.get(a2), two);
            EXPECT_EQ(machine.get(a3), sum);
        });
    }
}

} // namespace
} // namespace pes::test
