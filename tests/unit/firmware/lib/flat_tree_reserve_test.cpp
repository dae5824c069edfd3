// SPDX-License-Identifier: Apache-2.0
// The firmware's entry in /reserved-memory (Devicetree Specification 0.4, 3.5), on trees that
// libfdt built and read back with libfdt.
#include "firmware/lib/flat_tree_reserve.h"

#include "platform/boot/device_tree.h"

#include <gmock/gmock.h>
#include <libfdt.h>

#include <random>

namespace pes {
namespace {

using ::testing::ElementsAre;

constexpr ReservedRegion kRegion{0x8000'0000, 0x8'0000};

/// A tree with bytes behind it that nobody may touch.
class Blob {
  public:
    explicit Blob(const DeviceTree& tree, std::uint32_t room = kReservationRoom)
        : room_(static_cast<std::uint32_t>(tree.size()) + room), bytes_(room_ + kGuard, kFill) {
        std::memcpy(bytes_.data(), tree.data(), tree.size());
    }

    bool reserve(const ReservedRegion& region = kRegion) {
        const bool done = reserve_region(bytes_.data(), room_, region);
        for (std::size_t i = room_; i < bytes_.size(); ++i) {
            EXPECT_EQ(bytes_[i], kFill) << "behind the room";
        }
        EXPECT_EQ(fdt_check_full(bytes_.data(), room_), 0);
        return done;
    }

    const std::uint8_t* data() const { return bytes_.data(); }

    std::vector<std::uint32_t> cells(const char* path, const char* name) const {
        int length = 0;
        const void* value = fdt_getprop(data(), fdt_path_offset(data(), path), name, &length);
        std::vector<std::uint32_t> result;
        for (int i = 0; value != nullptr && i < length / 4; ++i) {
            result.push_back(fdt32_to_cpu(static_cast<const fdt32_t*>(value)[i]));
        }
        return result;
    }

    bool has(const char* path, const char* name) const {
        return fdt_getprop(data(), fdt_path_offset(data(), path), name, nullptr) != nullptr;
    }

  private:
    static constexpr std::size_t kGuard = 64;
    static constexpr std::uint8_t kFill = 0xA5;
    std::uint32_t room_;
    std::vector<std::uint8_t> bytes_;
};

/// Every property of every node, by path.
std::vector<std::string> content(const void* tree) {
    std::vector<std::string> result;
    for (int node = 0; node >= 0; node = fdt_next_node(tree, node, nullptr)) {
        char path[256];
        fdt_get_path(tree, node, path, sizeof path);
        result.emplace_back(path);
        int property = 0;
        fdt_for_each_property_offset(property, tree, node) {
            const char* name = nullptr;
            int length = 0;
            const auto* value =
                static_cast<const char*>(fdt_getprop_by_offset(tree, property, &name, &length));
            result.push_back(std::string(path) + ":" + name + "=" +
                             std::string(value, static_cast<std::size_t>(length)));
        }
    }
    return result;
}

/// Root, /reserved-memory with these cell counts and a child, and a node behind it.
DeviceTree tree_with_reservation(std::uint32_t address_cells, std::uint32_t size_cells,
                                 const std::vector<std::uint32_t>& reg) {
    DeviceTree tree(4096);
    void* fdt = tree.data();
    fdt_create(fdt, static_cast<int>(tree.size()));
    fdt_finish_reservemap(fdt);
    fdt_begin_node(fdt, "");
    fdt_property_u32(fdt, "#address-cells", address_cells);
    fdt_property_u32(fdt, "#size-cells", size_cells);
    fdt_begin_node(fdt, "reserved-memory");
    fdt_property_u32(fdt, "#address-cells", address_cells);
    fdt_property_u32(fdt, "#size-cells", size_cells);
    fdt_property(fdt, "ranges", nullptr, 0);
    fdt_begin_node(fdt, "buffer@90000000");
    std::vector<fdt32_t> cells;
    for (const std::uint32_t cell : reg) {
        cells.push_back(cpu_to_fdt32(cell));
    }
    fdt_property(fdt, "reg", cells.data(), static_cast<int>(4 * cells.size()));
    fdt_end_node(fdt);
    fdt_end_node(fdt);
    fdt_begin_node(fdt, "behind");
    fdt_end_node(fdt);
    fdt_end_node(fdt);
    fdt_finish(fdt);
    tree.resize(fdt_totalsize(fdt));
    return tree;
}

TEST(FlatTreeReserve, ThePlatformsTreeGetsTheNode) {
    const DeviceTree tree = make_device_tree({});
    Blob blob(tree);
    ASSERT_TRUE(blob.reserve());
    EXPECT_THAT(blob.cells("/reserved-memory", "#address-cells"), ElementsAre(2));
    EXPECT_THAT(blob.cells("/reserved-memory", "#size-cells"), ElementsAre(2));
    EXPECT_TRUE(blob.has("/reserved-memory", "ranges"));
    EXPECT_THAT(blob.cells("/reserved-memory/firmware@80000000", "reg"),
                ElementsAre(0, 0x8000'0000, 0, 0x8'0000));
    EXPECT_TRUE(blob.has("/reserved-memory/firmware@80000000", "no-map"));
    EXPECT_THAT(content(blob.data()), ::testing::IsSupersetOf(content(tree.data())));
}

TEST(FlatTreeReserve, AnExistingNodeIsExtended) {
    const DeviceTree tree = tree_with_reservation(2, 1, {0, 0x9000'0000, 0x1000});
    Blob blob(tree);
    ASSERT_TRUE(blob.reserve());
    EXPECT_THAT(blob.cells("/reserved-memory/firmware@80000000", "reg"),
                ElementsAre(0, 0x8000'0000, 0x8'0000));
    EXPECT_THAT(content(blob.data()), ::testing::IsSupersetOf(content(tree.data())));
    EXPECT_GE(fdt_path_offset(blob.data(), "/behind"), 0);
}

TEST(FlatTreeReserve, ARegionThatIsReservedStaysAsItIs) {
    for (const auto& [base, size] : {std::pair{0x8000'0000U, 0x8'0000U},
                                     {0x8000'0000U, 0x20'0000U},
                                     {0x7FFF'0000U, 0x9'0000U}}) {
        const DeviceTree tree = tree_with_reservation(1, 1, {base, size});
        Blob blob(tree);
        ASSERT_TRUE(blob.reserve());
        EXPECT_EQ(content(blob.data()), content(tree.data())) << base << ' ' << size;
    }
    Blob less(tree_with_reservation(1, 1, {0x8000'0000, 0x4'0000}));
    ASSERT_TRUE(less.reserve());
    EXPECT_THAT(less.cells("/reserved-memory/firmware@80000000", "reg"),
                ElementsAre(0x8000'0000, 0x8'0000));
}

TEST(FlatTreeReserve, ReservingTwiceIsReservingOnce) {
    Blob blob(make_device_tree({}), 2 * kReservationRoom);
    ASSERT_TRUE(blob.reserve());
    const auto once = content(blob.data());
    ASSERT_TRUE(blob.reserve());
    EXPECT_EQ(content(blob.data()), once);
}

TEST(FlatTreeReserve, ATreeWithRoomInsideDoesNotGrow) {
    DeviceTree tree = make_device_tree({});
    DeviceTree larger(tree.size() + kReservationRoom);
    ASSERT_EQ(fdt_open_into(tree.data(), larger.data(), static_cast<int>(larger.size())), 0);
    Blob blob(larger, 0);
    ASSERT_TRUE(blob.reserve());
    EXPECT_EQ(fdt_totalsize(blob.data()), larger.size());
    EXPECT_GE(fdt_path_offset(blob.data(), "/reserved-memory/firmware@80000000"), 0);
}

TEST(FlatTreeReserve, WithoutRoomTheTreeStaysAsItWas) {
    const DeviceTree tree = make_device_tree({});
    for (const std::uint32_t room : {0U, 4U, 100U}) {
        Blob blob(tree, room);
        EXPECT_FALSE(blob.reserve());
        EXPECT_EQ(content(blob.data()), content(tree.data()));
    }
}

/// Whatever is in a tree: nothing behind its room is touched, and the answer is a sound tree or no.
TEST(FlatTreeReserve, DamageDoesNoHarm) {
    std::mt19937 random(1);
    const DeviceTree tree = make_device_tree({});
    for (unsigned trial = 0; trial < 20'000; ++trial) {
        std::vector<std::uint8_t> bytes(tree.size() + kReservationRoom + 64, 0xA5);
        std::memcpy(bytes.data(), tree.data(), tree.size());
        for (unsigned i = 0; i <= trial % 8; ++i) {
            const std::size_t place = random() % (trial % 2 == 0 ? 40 : tree.size());
            bytes[place] = static_cast<std::uint8_t>(random());
        }
        const auto room = static_cast<std::uint32_t>(tree.size() + kReservationRoom);
        reserve_region(bytes.data(), room, kRegion);
        for (std::size_t i = room; i < bytes.size(); ++i) {
            ASSERT_EQ(bytes[i], 0xA5) << trial;
        }
    }
}

} // namespace
} // namespace pes
