// SPDX-License-Identifier: Apache-2.0
// The firmware's reader of riscv,pmu on trees that libfdt built; what the rows mean is OpenSBI's
// docs/pmu_support.md.
#include "firmware/sbi/pmu_map.h"

#include "hw/interface/pmu/profiles.h"
#include "platform/boot/device_tree.h"

#include <gtest/gtest.h>
#include <libfdt.h>

#include <memory>
#include <random>

namespace pes {
namespace {

using Rows = std::vector<std::uint32_t>;

const std::uint8_t* bytes(const DeviceTree& tree) {
    return reinterpret_cast<const std::uint8_t*>(tree.data());
}

FlatTree flat(const DeviceTree& tree) {
    return {bytes(tree), static_cast<std::uint32_t>(tree.size())};
}

DeviceTree platform_tree(const PmuProfile& profile) {
    PlatformConfig config;
    choose_profile(config, profile);
    return make_device_tree(config);
}

void put_rows(DeviceTree& tree, const char* name, const Rows& rows) {
    if (rows.empty()) {
        return;
    }
    std::vector<fdt32_t> cells;
    for (const std::uint32_t row : rows) {
        cells.push_back(cpu_to_fdt32(row));
    }
    ASSERT_EQ(fdt_property(tree.data(), name, cells.data(), static_cast<int>(4 * cells.size())), 0);
}

/// Another node before the PMU's, with a longer list of names, and one inside it.
DeviceTree tree_of(const Rows& selectors, const Rows& ranges, const Rows& raws) {
    DeviceTree tree(0x1'0000);
    constexpr char kOther[] = "riscv,pmu-not\0other";
    constexpr char kPmu[] = "vendor,pmu\0riscv,pmu";
    fdt_create(tree.data(), static_cast<int>(tree.size()));
    fdt_finish_reservemap(tree.data());
    fdt_begin_node(tree.data(), "");
    fdt_begin_node(tree.data(), "other");
    fdt_property(tree.data(), "compatible", kOther, sizeof kOther);
    fdt_end_node(tree.data());
    fdt_begin_node(tree.data(), "events");
    fdt_property(tree.data(), "compatible", kPmu, sizeof kPmu);
    put_rows(tree, "riscv,event-to-mhpmevent", selectors);
    put_rows(tree, "riscv,event-to-mhpmcounters", ranges);
    put_rows(tree, "riscv,raw-event-to-mhpmcounters", raws);
    fdt_begin_node(tree.data(), "inside");
    fdt_end_node(tree.data());
    fdt_end_node(tree.data());
    fdt_end_node(tree.data());
    EXPECT_EQ(fdt_finish(tree.data()), 0);
    tree.resize(fdt_totalsize(tree.data()));
    return tree;
}

/// Too large for a stack.
std::unique_ptr<PmuMap> map_of(const DeviceTree& tree) {
    auto map = std::make_unique<PmuMap>();
    EXPECT_TRUE(map->read(flat(tree)));
    return map;
}

TEST(PmuMap, FindsTheU74sEventsInThePlatformsTree) {
    const auto map = map_of(platform_tree(kU74Profile));
    EXPECT_EQ(map->find(5).selector, 0x4000U); // branch instructions: conditional branches
    EXPECT_EQ(map->find(5).counters, 0x18U);   // counters 3 and 4
    EXPECT_EQ(map->find(0x10021).selector, 0x0802U);
    EXPECT_EQ(map->find(1).counters, 0U); // no selector counts cycles
    EXPECT_EQ(map->find(7).counters, 0U);
}

TEST(PmuMap, RawSelectorsMatchUnderTheMaskOfARow) {
    const auto map = map_of(platform_tree(kU74Profile));
    EXPECT_EQ(map->raw_counters(0x4200), 0x18U);   // integer load or conditional branch
    EXPECT_EQ(map->raw_counters(0x7'FF01), 0x18U); // all of class 1
    EXPECT_EQ(map->raw_counters(0x8'0001), 0U);    // class 1 has no bit 19
    EXPECT_EQ(map->raw_counters(0x103), 0U);       // there is no class 3
}

TEST(PmuMap, RawSelectorsHaveNoBitsOfTheFirmwareUnderAnyMask) {
    const auto map = map_of(tree_of({}, {}, {0, 1, 0, 0xFF, 0x18})); // looks at bits 7:0 only
    EXPECT_EQ(map->raw_counters(1), 0x18U);
    EXPECT_EQ(map->raw_counters(1 | std::uint64_t{1} << 55), 0x18U);
    EXPECT_EQ(map->raw_counters(1 | std::uint64_t{1} << 56), 0U);
    EXPECT_EQ(map->raw_counters(1 | std::uint64_t{1} << 63), 0U); // OF
}

TEST(PmuMap, TheTreeOfCva6AndItsTableAgree) {
    const auto tree = map_of(platform_tree(kCva6Profile));
    PmuMap table;
    table.read(kCva6Profile, true);
    for (std::uint32_t event = 0; event <= 0x10030; ++event) {
        EXPECT_EQ(tree->find(event).counters != 0, table.find(event).counters != 0) << event;
        EXPECT_EQ(tree->find(event).selector, table.find(event).selector) << event;
    }
    for (std::uint64_t selector = 0; selector < 64; ++selector) {
        EXPECT_EQ(tree->raw_counters(selector) != 0, table.raw_counters(selector) != 0) << selector;
    }
}

TEST(PmuMap, WithoutSscofpmfTheTableHasNoEventsOfIt) {
    PmuMap table;
    table.read(kCva6Profile, false);
    EXPECT_EQ(table.find(1).counters, 0U);
    EXPECT_EQ(table.raw_counters(23), 0U);
    EXPECT_NE(table.raw_counters(22), 0U);
}

TEST(PmuMap, AnEventOfARangeWithoutASelectorSelectsItself) {
    const auto map = map_of(tree_of({4, 1, 2}, {3, 5, 0x30, 0x10000, 0x10002, 0x48}, {}));
    EXPECT_EQ(map->find(3).selector, 3U);
    EXPECT_EQ(map->find(4).selector, 0x1'0000'0002U);
    EXPECT_EQ(map->find(5).counters, 0x30U);
    EXPECT_EQ(map->find(6).counters, 0U);
    EXPECT_EQ(map->find(0x10001).counters, 0x48U);
}

TEST(PmuMap, FixedCountersAreNeverChosen) {
    const auto map = map_of(tree_of({}, {1, 1, 0x9, 2, 2, 0xC}, {0, 1, 0, 1, 0x1F}));
    EXPECT_EQ(map->find(1).counters, 8U);
    EXPECT_EQ(map->find(2).counters, 8U);
    EXPECT_EQ(map->raw_counters(1), 0x18U);
}

TEST(PmuMap, ATreeWithoutTheNodeHasNoEvents) {
    const auto map = map_of(platform_tree(kCv32e40pProfile));
    EXPECT_EQ(map->find(5).counters, 0U);
    EXPECT_EQ(map->raw_counters(5), 0U);
}

TEST(PmuMap, RowsPastTheRoomAreLeftOutAndSaid) {
    Rows ranges;
    for (std::uint32_t event = 1; event <= PmuMap::kMostRows + 1; ++event) {
        ranges.insert(ranges.end(), {event, event, 8});
    }
    const DeviceTree tree = tree_of({}, ranges, {});
    const auto map = std::make_unique<PmuMap>();
    EXPECT_FALSE(map->read(flat(tree)));
    EXPECT_EQ(map->find(PmuMap::kMostRows).counters, 8U);
    EXPECT_EQ(map->find(PmuMap::kMostRows + 1).counters, 0U);
}

TEST(FlatTree, KnowsAHeaderAndItsSize) {
    DeviceTree tree = platform_tree(kCva6Profile);
    EXPECT_EQ(FlatTree::size_of(bytes(tree)), tree.size());
    tree[0] = std::byte{0};
    EXPECT_EQ(FlatTree::size_of(bytes(tree)), 0U);
}

TEST(FlatTree, FindsPropertiesOfTheNodeAndNotOfTheOneInside) {
    const DeviceTree tree = platform_tree(kCva6Profile);
    const FlatTree flat_tree = flat(tree);
    const FlatTree::Node cpu = flat_tree.find_compatible("openhwgroup,cva6");
    ASSERT_NE(cpu, 0U);
    EXPECT_EQ(flat_tree.property(cpu, "clock-frequency").cell(0), 50'000'000U);
    EXPECT_EQ(flat_tree.property(cpu, "interrupt-controller").bytes, nullptr);
    EXPECT_EQ(flat_tree.find_compatible("openhwgroup,cva"), 0U);
}

/// Damage of every kind, in memory of exactly the blob's size: a sanitizer sees what is read.
TEST(FlatTree, NoDamageMakesItReadOutsideTheBlob) {
    const DeviceTree sound = tree_of({4, 1, 2}, {3, 5, 0x30}, {0, 1, 0, 1, 0x18});
    std::mt19937 random(7);
    const auto map = std::make_unique<PmuMap>();
    const auto use = [&map](const DeviceTree& tree) {
        map->read(flat(tree));
        return map->find(4).counters;
    };
    ASSERT_EQ(use(sound), 0x30U);
    for (std::size_t size = 0; size < sound.size(); ++size) {
        const DeviceTree cut(sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_EQ(use(cut), 0U) << size; // its header says more
    }
    for (unsigned round = 0; round < 20'000; ++round) {
        DeviceTree damaged = sound;
        for (unsigned hits = 1 + random() % 4; hits != 0; --hits) {
            damaged[random() % damaged.size()] = static_cast<std::byte>(random());
        }
        use(damaged);
    }
}

} // namespace
} // namespace pes
