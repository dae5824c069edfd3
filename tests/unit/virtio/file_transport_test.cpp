// SPDX-License-Identifier: Apache-2.0
// Expectations: VIRTIO 1.2, section 5.10 (9P transport).
#include "hw/virtio/file_transport.h"

#include "tests/unit/virtio/test_driver.h"

namespace pes {
namespace {

using test::TestDriver;
using namespace virtio;

class Server : public MessageServer {
  public:
    std::size_t answer(std::span<const std::byte> request, std::span<std::byte> reply) override {
        last.assign(reinterpret_cast<const char*>(request.data()), request.size());
        std::ranges::fill(reply.first(3), std::byte{'!'});
        return 3;
    }
    void reset() override { ++resets; }
    bool in_use() const override { return used; }
    void state(Archive& archive) override { archive(last); }

    std::string last;
    unsigned resets = 0;
    bool used = false;
};

TEST(FileTransport, HasItsTagInTheConfiguration) {
    Server server;
    TestDriver d(std::make_unique<FileTransport>("host", server));
    EXPECT_EQ(d.read(kDeviceId), 9U);
    d.write(kDeviceFeaturesSel, 0);
    EXPECT_EQ(d.read(kDeviceFeatures) & 0xFFFF, 1U); // VIRTIO_9P_F_MOUNT_TAG
    EXPECT_EQ(d.read(kConfig, 0, 2), 4U);
    std::string tag;
    for (unsigned index = 0; index < 4; ++index) {
        tag += static_cast<char>(d.read(kConfig + 2 + index, 0, 1));
    }
    EXPECT_EQ(tag, "host");
}

TEST(FileTransport, TakesMessagesToTheServer) {
    Server server;
    TestDriver d(std::make_unique<FileTransport>("host", server));
    d.start();
    EXPECT_EQ(server.resets, 1U); // each driver begins with one
    d.memory.put(TestDriver::kBuffers, std::uint32_t{0x6463'6261});
    d.descriptor(0, TestDriver::kBuffers, 4, kNext, 1);
    d.descriptor(1, TestDriver::kBuffers + 0x100, 16, kWrite);
    d.offer(0);
    d.notify();
    d.run();
    EXPECT_EQ(server.last, "abcd");
    EXPECT_EQ(d.used_element(0), (std::pair<std::uint32_t, std::uint32_t>{0, 3}));
    EXPECT_EQ(d.memory.text(TestDriver::kBuffers + 0x100, 3), "!!!");
}

TEST(FileTransport, IsNoPartOfACheckpointWhileFilesAreOpen) {
    Server server;
    TestDriver d(std::make_unique<FileTransport>("host", server));
    Archive closed;
    d.device.state(closed);
    server.used = true;
    Archive open;
    EXPECT_THROW(d.device.state(open), ArchiveError);
}

TEST(FileTransport, ACheckpointHasTheServersState) {
    Server server;
    server.last = "known";
    TestDriver d(std::make_unique<FileTransport>("host", server));
    Archive saved;
    d.device.state(saved);
    server.last.clear();
    Archive loads(saved.bytes());
    d.device.state(loads);
    EXPECT_EQ(server.last, "known");
}

} // namespace
} // namespace pes
