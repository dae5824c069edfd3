// SPDX-License-Identifier: Apache-2.0
// Router and RAM together, seen from two initiators.
#include "hw/bus/memory_module.h"
#include "hw/bus/router.h"
#include "hw/common/systemc/lazy_dmi.h"
#include "tests/unit/common/test_initiator.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace pes {
namespace {

constexpr Address kRam = 0x8000'0000;
constexpr std::uint64_t kRamSize = 0x1'0000;
constexpr Address kSmall = 0x1000; // a range that shows only half of its memory
constexpr std::uint64_t kSmallSize = 0x800;
constexpr Address kTop = ~Address{0} - 0xFFF; // the last 4 KB of the address space
constexpr Address kWatched = 0x4000;          // offset in RAM
constexpr Address kLateWatched = 0x8000;
constexpr Cycle kLatency = 3;

struct Bench {
    ClockDomain clock{50'000'000};
    Router router{"router"};
    MemoryModule ram{"ram", kRamSize, clock, kLatency};
    MemoryModule small{"small", 2 * kSmallSize, clock};
    MemoryModule top{"top", 0x1000, clock};
    test::TestInitiator first{"first", clock};
    test::TestInitiator second{"second", clock};
    std::vector<std::pair<std::uint64_t, Cycle>> stores;
    std::vector<std::string> refused;

    Bench() {
        first.socket.bind(router.initiators);
        second.socket.bind(router.initiators);
        router.map("ram", kRam, kRamSize, ram.socket);
        router.map("small", kSmall, kSmallSize, small.socket);
        router.map("top", kTop, 0x1000, top.socket);
        refuse("low overlap", kRam - 1, 2);
        refuse("high overlap", kRam + kRamSize - 1, 1);
        refuse("around", 0, ~std::uint64_t{0});
        refuse("empty", 0x10, 0);
        refuse("wrapping", ~Address{0} - 1, 4);
        ram.watch(kWatched,
                  [this](std::uint64_t value, Cycle at) { stores.emplace_back(value, at); });
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void refuse(const std::string& name, Address base, std::uint64_t size) {
        try {
            router.map(name, base, size, ram.socket);
        } catch (const std::invalid_argument& error) {
            refused.emplace_back(error.what());
        }
    }
};

Bench& bench() {
    static Bench instance;
    return instance;
}

TEST(Router, OverlappingEmptyAndWrappingRangesAreRefusedByName) {
    EXPECT_EQ(bench().refused,
              (std::vector<std::string>{"bus: ranges low overlap and ram overlap",
                                        "bus: ranges high overlap and ram overlap",
                                        "bus: ranges around and small overlap",
                                        "bus: range empty is empty or wraps around",
                                        "bus: range wrapping is empty or wraps around"}));
}

TEST(Router, DeliversRelativeAddressesAndReturnsThePayloadUnchanged) {
    auto& b = bench();
    b.first.write<std::uint32_t>(kRam + 0x100, 0x1234'5678);
    EXPECT_EQ(b.first.latency, kLatency);
    b.first.write<std::uint16_t>(kSmall, 0xBEEF);
    b.first.write<std::uint8_t>(~Address{0}, 0x7F);
    EXPECT_EQ(b.second.read<std::uint32_t>(kRam + 0x100), 0x1234'5678U);
    EXPECT_EQ(b.ram.memory().data()[0x100], std::byte{0x78});
    EXPECT_EQ(b.small.memory().data()[1], std::byte{0xBE});
    EXPECT_EQ(b.top.memory().data()[0xFFF], std::byte{0x7F});
}

TEST(Router, AnAccessThatNoRangeHoldsIsAnAddressError) {
    auto& b = bench();
    std::uint32_t word = 0;
    EXPECT_EQ(b.first.try_read(0x0, word), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(b.first.try_read(kSmall - 4, word), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(b.first.try_read(kSmall + kSmallSize, word), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(b.first.try_read(kSmall - 2, word), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(b.first.try_read(kSmall + kSmallSize - 2, word), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(b.first.try_write(kRam + kRamSize, word), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(b.first.try_read(~Address{0} - 1, word), tlm::TLM_ADDRESS_ERROR_RESPONSE)
        << "an access across the top of the address space";
}

TEST(Router, DirectRegionsAreTranslatedAndClippedToTheRange) {
    auto& b = bench();
    tlm::tlm_dmi region;
    ASSERT_TRUE(b.first.direct(kSmall + 0x10, region));
    EXPECT_EQ(region.get_start_address(), kSmall);
    EXPECT_EQ(region.get_end_address(), kSmall + kSmallSize - 1);
    EXPECT_EQ(region.get_dmi_ptr(), reinterpret_cast<unsigned char*>(b.small.memory().data()));
    EXPECT_TRUE(region.is_read_write_allowed());
}

TEST(Router, UnmappedAddressesAreDeniedUpToTheNextRange) {
    auto& b = bench();
    tlm::tlm_dmi region;
    EXPECT_FALSE(b.first.direct(kSmall + kSmallSize + 5, region));
    EXPECT_EQ(region.get_start_address(), kSmall + kSmallSize);
    EXPECT_EQ(region.get_end_address(), kRam - 1);
    EXPECT_FALSE(b.first.direct(0, region));
    EXPECT_EQ(region.get_start_address(), 0U);
    EXPECT_EQ(region.get_end_address(), kSmall - 1);
}

TEST(Router, DebugAccessesFindTheirTarget) {
    auto& b = bench();
    std::uint32_t value = 0xFEED;
    EXPECT_EQ(b.first.debug(tlm::TLM_WRITE_COMMAND, kRam + 0x200, &value, 4), 4U);
    EXPECT_EQ(b.second.read<std::uint32_t>(kRam + 0x200), 0xFEEDU);
    EXPECT_EQ(b.first.debug(tlm::TLM_READ_COMMAND, kRam + kRamSize - 2, &value, 4), 2U);
    EXPECT_EQ(b.first.debug(tlm::TLM_READ_COMMAND, 0, &value, 4), 0U);
}

TEST(MemoryModule, RefusesWhatItCannotDo) {
    auto& b = bench();
    std::array<std::uint8_t, 8> data{};
    tlm::tlm_generic_payload payload;
    test::TestInitiator::fill(payload, tlm::TLM_WRITE_COMMAND, kRam, data.data(), 8);
    payload.set_streaming_width(4);
    EXPECT_EQ(b.first.transport(payload), tlm::TLM_BURST_ERROR_RESPONSE);
    test::TestInitiator::fill(payload, tlm::TLM_WRITE_COMMAND, kRam, data.data(), 8);
    payload.set_byte_enable_ptr(data.data());
    EXPECT_EQ(b.first.transport(payload), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    EXPECT_THROW(b.ram.watch(4, {}), std::invalid_argument);
    EXPECT_THROW(b.ram.watch(kRamSize, {}), std::invalid_argument);
}

TEST(MemoryModule, BurstsOfAnyLengthAreCopied) {
    auto& b = bench();
    std::array<std::uint8_t, 100> out{};
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = static_cast<std::uint8_t>(i + 1);
    }
    EXPECT_EQ(b.first.transport(tlm::TLM_WRITE_COMMAND, kRam + 0x301, out.data(), 100),
              tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(std::memcmp(b.ram.memory().data() + 0x301, out.data(), 100), 0);
}

TEST(MemoryModule, DirectRegionsEndBeforeAWatchedWordAndStartAgainAfterIt) {
    auto& b = bench();
    tlm::tlm_dmi region;
    ASSERT_TRUE(b.first.direct(kRam, region));
    EXPECT_EQ(region.get_start_address(), kRam);
    EXPECT_EQ(region.get_end_address(), kRam + kWatched - 1);
    ASSERT_TRUE(b.first.direct(kRam + kWatched + 8, region));
    EXPECT_EQ(region.get_start_address(), kRam + kWatched + 8);
    EXPECT_EQ(region.get_dmi_ptr(),
              reinterpret_cast<unsigned char*>(b.ram.memory().data()) + kWatched + 8);
    EXPECT_FALSE(b.first.direct(kRam + kWatched + 7, region));
    EXPECT_EQ(region.get_start_address(), kRam + kWatched);
    EXPECT_EQ(region.get_end_address(), kRam + kWatched + 7);
    b.first.read<std::uint64_t>(kRam + kWatched);
    EXPECT_FALSE(b.first.dmi_hint);
    b.first.read<std::uint32_t>(kRam + kWatched - 4);
    EXPECT_TRUE(b.first.dmi_hint);
}

TEST(MemoryModule, StoresToAWatchedWordCallBackWithTheWholeWordAndTheCycle) {
    auto& b = bench();
    test::run_to(b.clock, 50);
    b.stores.clear();
    b.first.ahead = 4;
    b.first.write<std::uint64_t>(kRam + kWatched, 0x1'0000'0001);
    b.first.ahead = 0;
    b.first.write<std::uint32_t>(kRam + kWatched + 4, 7);
    b.first.write<std::uint64_t>(kRam + kWatched - 8, 9); // next to it
    b.first.write<std::uint64_t>(kRam + kWatched + 8, 9);
    b.first.read<std::uint64_t>(kRam + kWatched);
    EXPECT_EQ(b.stores, (std::vector<std::pair<std::uint64_t, Cycle>>{{0x1'0000'0001, 54},
                                                                      {0x7'0000'0001, 50}}));
    b.stores.clear();
    std::array<std::uint8_t, 16> across{};
    b.first.transport(tlm::TLM_WRITE_COMMAND, kRam + kWatched - 12, across.data(), 16);
    EXPECT_EQ(b.stores.size(), 1U) << "a burst that reaches into the word";
}

TEST(MemoryModule, AWriteOfADeviceReachesWatchedWordsToo) {
    auto& b = bench();
    b.stores.clear();
    const std::vector<std::byte> bytes(24, std::byte{3});
    EXPECT_TRUE(b.ram.write(kWatched - 8, bytes, 90));
    EXPECT_TRUE(b.ram.write(kWatched + 8, bytes, 91));
    EXPECT_EQ(b.stores,
              (std::vector<std::pair<std::uint64_t, Cycle>>{{0x0303'0303'0303'0303, 90}}));
    std::vector<std::byte> seen(24);
    EXPECT_TRUE(b.ram.read(kWatched - 8, seen, 92));
    EXPECT_EQ(seen, bytes);
    EXPECT_FALSE(b.ram.read(kRamSize - 23, seen, 92));
    EXPECT_FALSE(b.ram.write(~Address{0}, bytes, 92));
    EXPECT_EQ(seen, bytes);
}

TEST(MemoryModule, AWordWatchedLateWithdrawsGrantedRegionsFromEveryInitiator) {
    auto& b = bench();
    b.first.invalidated.clear();
    b.second.invalidated.clear();
    int calls = 0;
    b.ram.watch(kLateWatched, [&calls](std::uint64_t, Cycle) { ++calls; });
    const std::vector<std::pair<Address, Address>> expected{
        {kRam + kLateWatched, kRam + kLateWatched + 7}};
    EXPECT_EQ(b.first.invalidated, expected);
    EXPECT_EQ(b.second.invalidated, expected);
    tlm::tlm_dmi region;
    ASSERT_TRUE(b.first.direct(kRam + kWatched + 8, region));
    EXPECT_EQ(region.get_end_address(), kRam + kLateWatched - 1);
    b.first.write<std::uint8_t>(kRam + kLateWatched, 1);
    EXPECT_EQ(calls, 1);
}

/// Fills its bytes with the cycle to which it has been asked to catch up.
class LateFiller : public LateWriter {
  public:
    explicit LateFiller(std::span<std::byte> bytes) : bytes_(bytes) {}
    void catch_up(Cycle at) override { std::ranges::fill(bytes_, static_cast<std::byte>(at)); }

  private:
    std::span<std::byte> bytes_;
};

LazyRange& lazy_range_of(Bench& b) {
    tlm::tlm_generic_payload payload;
    test::TestInitiator::fill(payload, tlm::TLM_READ_COMMAND, kRam, nullptr, 0);
    tlm::tlm_dmi region;
    LazyRange* range = nullptr;
    EXPECT_TRUE(request_direct_access(b.first.socket, payload, region, range));
    return *range;
}

TEST(MemoryModule, ALazyRangeIsUpToDateForWhateverComesOverTheBus) {
    auto& b = bench();
    test::run_to(b.clock, 60);
    const auto bytes = b.ram.memory().bytes().subspan(0x500, 16);
    LateFiller filler(bytes);
    LazyRange& range = lazy_range_of(b);
    ASSERT_TRUE(range.claim(bytes, filler));
    b.first.read<std::uint64_t>(kRam + 0x4F8);
    b.first.read<std::uint64_t>(kRam + 0x510);
    EXPECT_EQ(bytes[0], std::byte{0}) << "next to it";
    b.first.ahead = 7;
    EXPECT_EQ(b.first.read<std::uint8_t>(kRam + 0x50F), 67);
    b.second.write<std::uint32_t>(kRam + 0x4FE, ~0U);
    EXPECT_EQ(bytes[1], std::byte{0xFF}) << "filled before the write";
    EXPECT_EQ(bytes[2], std::byte{60});
    b.first.ahead = 0;
    std::uint8_t seen = 0;
    test::run_to(b.clock, 70);
    EXPECT_EQ(b.first.debug(tlm::TLM_READ_COMMAND, kRam + 0x500, &seen, 1), 1U);
    EXPECT_EQ(seen, 70);
    std::vector<std::byte> by_device(2);
    EXPECT_TRUE(b.ram.read(0x50F, by_device, 75));
    EXPECT_EQ(by_device[0], std::byte{75});
    EXPECT_TRUE(b.ram.write(0x500, by_device, 76));
    EXPECT_EQ(bytes[2], std::byte{76}) << "filled before the write";
    EXPECT_EQ(bytes[0], std::byte{75});
    range.release(filler);
    test::run_to(b.clock, 80);
    EXPECT_EQ(b.first.read<std::uint8_t>(kRam + 0x500), 75);
}

TEST(MemoryModule, ALazyRangeIsForOneWriterAndForInitiatorsThatKnowIt) {
    auto& b = bench();
    const auto bytes = b.ram.memory().bytes().subspan(0x500, 16);
    LateFiller filler(bytes);
    LateFiller other(bytes);
    LazyRange& range = lazy_range_of(b);
    b.second.invalidated.clear();
    ASSERT_TRUE(range.claim(bytes, filler));
    EXPECT_FALSE(range.claim(bytes, other));
    range.release(other); // has no effect
    tlm::tlm_dmi region;
    EXPECT_FALSE(b.first.direct(kRam, region));
    b.first.read<std::uint32_t>(kRam);
    EXPECT_FALSE(b.first.dmi_hint);
    EXPECT_EQ(&lazy_range_of(b), &range);
    range.release(filler);
    EXPECT_TRUE(b.first.direct(kRam, region));
    const std::pair<Address, Address> withdrawn{kRam + 0x500, kRam + 0x50F};
    EXPECT_EQ(b.second.invalidated,
              (std::vector<std::pair<Address, Address>>{withdrawn, withdrawn}));
}

} // namespace
} // namespace pes
