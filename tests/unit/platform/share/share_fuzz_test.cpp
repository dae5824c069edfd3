// SPDX-License-Identifier: Apache-2.0
// Whatever a guest sends, the server answers with a whole message or none, and touches nothing
// outside of its folder.
#include "hw/common/random_numbers.h"
#include "platform/share/host_tree.h"
#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/platform/share/share_client.h"

#include <fstream>

namespace pes {
namespace {

namespace fs = std::filesystem;
using test::Fields;

constexpr std::uint8_t kTypes[] = {6,  8,  12, 14, 16, 18, 20,  22,  24,  26,  30,  32,  40,  50,
                                   52, 54, 70, 72, 74, 76, 102, 104, 108, 110, 116, 118, 120, 122};

class ShareFuzz : public testing::Test {
  protected:
    std::string name() {
        static const char* const kNames[] = {"a",  "b",    "..", ".",       "/", "../x", "a/b",
                                             "up", "pass", "c",  "outside", "",  "d",    "e"};
        return random.below(16) == 0 ? std::string(random.below(300), 'x')
                                     : kNames[random.below(std::size(kNames))];
    }
    /// Fields as some message may have them: numbers of fids, small and wild numbers, names.
    Fields fields() {
        Fields fields;
        fields.u32(static_cast<std::uint32_t>(random.below(6)));
        for (std::uint64_t count = random.below(7); count > 0; --count) {
            switch (random.below(6)) {
            case 0:
                fields.u32(static_cast<std::uint32_t>(random.below(6)));
                break;
            case 1:
                fields.u32(static_cast<std::uint32_t>(random.below(0x1000)));
                break;
            case 2:
                fields.u16(static_cast<std::uint16_t>(random.below(3)));
                break;
            case 3:
                fields.u64(random.below(2) == 0 ? random.next() : random.below(100));
                break;
            default:
                fields.text(name());
            }
        }
        return fields;
    }
    /// A message that is well formed.
    std::pair<std::uint8_t, Fields> correct() {
        const auto fid = static_cast<std::uint32_t>(random.below(6));
        const auto other = static_cast<std::uint32_t>(random.below(6));
        switch (random.below(10)) {
        case 0:
            return {104, Fields().u32(fid).u32(~0U).text("u").text("").u32(0)};
        case 1:
        case 2:
            return {110, Fields().u32(fid).u32(other).u16(1).text(name())};
        case 3:
            return {12, Fields().u32(fid).u32(static_cast<std::uint32_t>(random.below(4)))};
        case 4:
            return {14, Fields().u32(fid).text(name()).u32(0102).u32(0777).u32(0)};
        case 5:
            return {72, Fields().u32(fid).text(name()).u32(0777).u32(0)};
        case 6:
            return {16, Fields().u32(fid).text(name()).text("/etc").u32(0)};
        case 7:
            return {74, Fields().u32(fid).text(name()).u32(other).text(name())};
        case 8:
            return {118, Fields().u32(fid).u64(random.below(64)).u32(4).data("data")};
        default:
            return {120, Fields().u32(fid)};
        }
    }

    RandomNumbers random{9};
};

TEST_F(ShareFuzz, Messages) {
    const test::TemporaryDirectory directory;
    fs::create_directory(directory / "share");
    std::ofstream(directory / "outside") << "outside";
    fs::create_directory_symlink(directory / ".", directory / "share/up");
    fs::create_symlink("/etc/passwd", directory / "share/pass");
    ShareServer server(open_host_tree(directory / "share", true, "--share"));
    std::vector<std::byte> reply(8192);
    unsigned answered = 0;
    for (unsigned round = 0; round < 100'000; ++round) {
        auto [type, fields] = correct();
        const auto kind = random.below(3);
        if (kind == 0) {
            type = kTypes[random.below(std::size(kTypes))];
            fields = this->fields();
        }
        Fields message;
        const auto size = static_cast<std::uint32_t>(7 + fields.bytes.size());
        message.u32(random.below(50) == 0 ? static_cast<std::uint32_t>(random.next()) : size)
            .u8(type)
            .u16(static_cast<std::uint16_t>(round));
        message.bytes.insert(message.bytes.end(), fields.bytes.begin(), fields.bytes.end());
        if (random.below(20) == 0) { // damaged
            message.bytes[random.below(message.bytes.size())] =
                static_cast<std::byte>(random.next());
        }
        const std::span<std::byte> room =
            std::span(reply).first(random.below(10) == 0 ? random.below(64) : reply.size());
        const std::size_t bytes = server.answer(message.bytes, room);
        ASSERT_LE(bytes, room.size());
        if (bytes != 0) {
            test::Answer answer(
                {reply.begin(), reply.begin() + static_cast<std::ptrdiff_t>(bytes)});
            ASSERT_EQ(answer.u32(), bytes);
            answered += answer.number(1) == 7 ? 0 : 1;
        }
        if (round % 5000 == 0) {
            server.reset();
        }
    }
    EXPECT_GT(answered, 10'000U);
    std::ifstream outside(directory / "outside");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(outside), {}), "outside");
    EXPECT_EQ(std::distance(fs::directory_iterator(directory / "."), {}), 2);
}

} // namespace
} // namespace pes
