// SPDX-License-Identifier: Apache-2.0
// Expectations: VIRTIO 1.2, section 5.2.
#include "hw/virtio/disk.h"

#include "tests/unit/virtio/test_driver.h"

namespace pes {
namespace {

using test::TestDriver;
using namespace virtio;

class Store : public BlockStore {
  public:
    Store() : content(8 * kSector) {
        for (std::size_t index = 0; index < content.size(); ++index) {
            content[index] = static_cast<std::byte>('a' + index / kSector);
        }
    }
    std::uint64_t bytes() const override { return content.size(); }
    bool read(std::uint64_t offset, std::span<std::byte> to) override {
        std::ranges::copy(std::span(content).subspan(offset, to.size()), to.begin());
        return !broken;
    }
    bool write(std::uint64_t offset, std::span<const std::byte> from) override {
        std::ranges::copy(from, content.begin() + static_cast<std::ptrdiff_t>(offset));
        return !broken;
    }
    bool flush() override {
        ++flushes;
        return !broken;
    }
    void state(Archive& /*archive*/) override {}

    std::vector<std::byte> content;
    unsigned flushes = 0;
    bool broken = false;
};

class DiskTest : public testing::Test {
  protected:
    static constexpr Address kHeader = TestDriver::kBuffers;
    static constexpr Address kData = TestDriver::kBuffers + 0x100;
    static constexpr Address kStatusByte = TestDriver::kBuffers + 0x80;

    DiskTest() { d.start(); }

    /// A request with data of these bytes, as drivers send it: header, data, status.
    unsigned ask(std::uint32_t type, std::uint64_t sector, std::uint32_t bytes, bool writes_data) {
        d.memory.put(kHeader, type);
        d.memory.put(kHeader + 4, std::uint32_t{0});
        d.memory.put(kHeader + 8, sector);
        d.memory.put(kStatusByte, std::uint8_t{0xEE});
        d.descriptor(0, kHeader, 16, kNext, bytes == 0 ? 2 : 1);
        d.descriptor(1, kData, bytes, kNext | (writes_data ? kWrite : 0), 2);
        d.descriptor(2, kStatusByte, 1, kWrite);
        d.offer(0);
        d.notify(at);
        while (d.device.next_change() != kNever) {
            at = d.device.next_change();
            d.device.advance(at);
        }
        return d.memory.get<std::uint8_t>(kStatusByte);
    }

    Store store;
    TestDriver d{std::make_unique<Disk>(store)};
    Cycle at = 0;
};

TEST_F(DiskTest, DescribesItself) {
    EXPECT_EQ(d.read(0x008), 2U);
    EXPECT_EQ(d.read(0x100), 8U);
    EXPECT_EQ(d.read(0x104), 0U);
    EXPECT_EQ(d.read(0x10C), 126U);
    EXPECT_EQ(d.read(0x114), 512U);
    d.write(0x014, 0);
    EXPECT_EQ(d.read(0x010) & 0xFFFFFF, 1U << 2 | 1U << 6 | 1U << 9); // and not RO, bit 5
}

TEST_F(DiskTest, ReadsAndWrites) {
    EXPECT_EQ(ask(0, 3, 1024, true), 0U);
    EXPECT_EQ(d.memory.text(kData, 1024), std::string(512, 'd') + std::string(512, 'e'));
    EXPECT_EQ(d.used_element(0).second, 1025U);
    d.memory.put(kData + 511, 'Z');
    EXPECT_EQ(ask(1, 7, 512, false), 0U);
    EXPECT_EQ(store.content[7 * 512 + 510], std::byte{'d'});
    EXPECT_EQ(store.content.back(), std::byte{'Z'});
    EXPECT_EQ(d.used_element(1).second, 1U);
    EXPECT_EQ(ask(4, 0, 0, false), 0U);
    EXPECT_EQ(store.flushes, 1U);
    EXPECT_EQ(ask(8, 0, 20, true), 0U);
    EXPECT_EQ(d.memory.text(kData, 20), std::string("pes-vp") + std::string(14, '\0'));
}

TEST_F(DiskTest, RefusesWhatIsNotThere) {
    EXPECT_EQ(ask(0, 8, 512, true), 1U);
    EXPECT_EQ(ask(0, 7, 1024, true), 1U);
    EXPECT_EQ(ask(1, ~std::uint64_t{0}, 512, false), 1U);
    EXPECT_EQ(ask(1, std::uint64_t{1} << 55, 512, false), 1U);
    EXPECT_EQ(ask(0, 0, 511, true), 1U);
    EXPECT_EQ(ask(11, 0, 16, false), 2U); // discard
    EXPECT_EQ(ask(77, 0, 0, false), 2U);
    store.broken = true;
    EXPECT_EQ(ask(0, 0, 512, true), 1U);
    EXPECT_EQ(ask(1, 0, 512, false), 1U);
    EXPECT_EQ(ask(4, 0, 0, false), 1U);
}

TEST_F(DiskTest, AnswersRequestsThatAreTooShort) {
    d.descriptor(0, kHeader, 15, kNext, 1);
    d.descriptor(1, kStatusByte, 1, kWrite);
    d.offer(0);
    d.descriptor(2, kHeader, 16, 0);
    d.offer(2);
    d.notify();
    d.run();
    EXPECT_EQ(d.memory.get<std::uint8_t>(kStatusByte), 1U);
    EXPECT_EQ(d.used_element(1), (std::pair<std::uint32_t, std::uint32_t>{2, 0}));
}

} // namespace
} // namespace pes
