// SPDX-License-Identifier: Apache-2.0
// Expectations: 9P2000.L as its description has it (diod, protocol.md), and Linux's errno.
#include "platform/share/host_tree.h"
#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/platform/share/share_client.h"

#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace pes {
namespace {

namespace fs = std::filesystem;
using test::Answer;
using test::Client;
using test::Fields;

using Names = std::vector<std::string>;

std::string text_of(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

class Share : public testing::Test {
  protected:
    Share() {
        put("file", "content");
        fs::create_directory(folder / "sub");
        put("sub/inner", "deep");
        fs::create_symlink("/etc/passwd", folder / "link");
    }
    void put(const fs::path& name, const std::string& text) {
        std::ofstream(folder / name) << text;
    }

    const test::TemporaryDirectory directory;
    const fs::path folder = [this] {
        fs::create_directory(directory / "share");
        return directory / "share";
    }();
    Client client{open_host_tree(folder, true, "--share")};
};

TEST_F(Share, NegotiatesVersionAndSize) {
    Answer answer = client.ask(100, Fields().u32(1U << 30).text("9P2000.L"));
    EXPECT_EQ(answer.u32(), 512U * 1024);
    EXPECT_EQ(answer.text(), "9P2000.L");
    answer = client.ask(100, Fields().u32(8192).text("9P2000.u"));
    EXPECT_EQ(answer.u32(), 8192U);
    EXPECT_EQ(answer.text(), "unknown");
    EXPECT_EQ(client.ask(100, Fields().u32(100).text("9P2000.L")).error, EMSGSIZE);
}

TEST_F(Share, VersionEndsTheSession) {
    EXPECT_TRUE(client.server.in_use());
    client.ask(100, Fields().u32(8192).text("9P2000.L"));
    EXPECT_FALSE(client.server.in_use());
    EXPECT_EQ(client.walk(1, {}), EBADF);
}

TEST_F(Share, RefusesWhatItDoesNotHave) {
    EXPECT_EQ(client.ask(102, Fields().u32(1).text("root").text("").u32(0)).error, EOPNOTSUPP);
    EXPECT_EQ(client.ask(104, Fields().u32(5).u32(1).text("root").text("").u32(0)).error,
              EOPNOTSUPP);
    EXPECT_EQ(client.ask(30, Fields().u32(0).u32(1).text("user.x")).error, EOPNOTSUPP);
    EXPECT_EQ(client.ask(32, Fields().u32(0).text("user.x").u64(1).u32(0)).error, EOPNOTSUPP);
    EXPECT_EQ(client.ask(18, Fields().u32(0).text("n").u32(0x2000).u32(1).u32(3).u32(0)).error,
              EOPNOTSUPP);
    EXPECT_EQ(client.ask(112, Fields().u32(0).u8(0)).error, EOPNOTSUPP); // Topen of 9P2000
}

TEST_F(Share, WalksAndReads) {
    EXPECT_EQ(client.content({"file"}), "content");
    EXPECT_EQ(client.content({"sub", "inner"}), "deep");
    EXPECT_EQ(client.content({"sub", "..", "file"}), "content");
    EXPECT_EQ(client.walk(1, {"file"}), 0);
    EXPECT_EQ(client.walk(1, {"file"}), EBADF); // the fid is in use
    EXPECT_EQ(client.read(1), std::to_string(EBADF));
    EXPECT_EQ(client.open(1, 0), 0);
    EXPECT_EQ(client.read(1, 3, 2), "te");
    EXPECT_EQ(client.read(1, 100), "");
    EXPECT_EQ(client.write(1, "x"), EBADF); // open for reading
    EXPECT_EQ(client.open(1, 0), EBUSY);
    EXPECT_EQ(client.clunk(1), 0);
    EXPECT_EQ(client.clunk(1), EBADF);
}

TEST_F(Share, AWalkThatFailsMakesNoFid) {
    Answer answer = client.ask(110, Fields().u32(0).u32(1).u16(2).text("sub").text("none"));
    EXPECT_EQ(answer.number(2), 1U);
    EXPECT_EQ(answer.id().type, 0x80);
    EXPECT_TRUE(answer.at_end());
    EXPECT_EQ(client.clunk(1), EBADF);
    EXPECT_EQ(client.walk(1, {"none"}), ENOENT);
    EXPECT_EQ(client.walk(1, {"file", "x"}), ENOENT);
    EXPECT_EQ(client.walk(1, {}), 0); // a second fid of the same file
    EXPECT_EQ(client.walk(1, {"sub"}, 1), 0);
    EXPECT_EQ(client.walk(1, {"inner"}, 1), 0);
    EXPECT_EQ(client.open(1, 0), 0);
    EXPECT_EQ(client.read(1), "deep");
}

TEST_F(Share, ListsADirectoryInOrder) {
    for (int index = 0; index < 50; ++index) {
        put("n" + std::to_string(100 + index), "");
    }
    EXPECT_EQ(client.walk(1, {}), 0);
    EXPECT_EQ(client.open(1, 0200000), 0);
    const Names all = client.list(1);
    EXPECT_EQ(client.list(1, 200), all);
    ASSERT_EQ(all.size(), 55U);
    EXPECT_EQ(all[0], ".");
    EXPECT_EQ(all[1], "..");
    EXPECT_EQ(all[2], "file");
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
    EXPECT_EQ(client.ask(40, Fields().u32(1).u64(0).u32(10)).error, EINVAL);
    EXPECT_EQ(client.read(1), std::to_string(EISDIR));
}

TEST_F(Share, TellsAttributes) {
    chmod((folder / "file").c_str(), 0640);
    client.walk(1, {"file"});
    Answer answer = client.ask(24, Fields().u32(1).u64(0x7FF));
    EXPECT_EQ(answer.u64(), 0x7FFU);
    EXPECT_EQ(answer.id().type, 0);
    EXPECT_EQ(answer.u32(), 0100640U);
    EXPECT_EQ(answer.u32(), 0U); // the owner is the guest's root
    EXPECT_EQ(answer.u32(), 0U);
    EXPECT_EQ(answer.u64(), 1U);
    EXPECT_EQ(answer.u64(), 0U);
    EXPECT_EQ(answer.u64(), 7U);
    answer.data(8 + 8 + 4 * 16 + 16);
    EXPECT_TRUE(answer.at_end());
    answer = client.ask(8, Fields().u32(1));
    EXPECT_EQ(answer.u32(), 0x0102'1997U);
    answer.data(4 + 6 * 8);
    EXPECT_EQ(answer.u32(), 255U);
    EXPECT_TRUE(answer.at_end());
}

TEST_F(Share, CreatesWritesAndChanges) {
    client.walk(1, {"sub"});
    EXPECT_EQ(client.create(1, "new", 0102 | 0200, 0664), 0);
    EXPECT_EQ(client.write(1, "hello"), 0);
    EXPECT_EQ(client.write(1, "J", 0), 0);
    EXPECT_EQ(client.read(1), "Jello");
    EXPECT_EQ(client.ask(50, Fields().u32(1).u32(1)).error, 0);
    EXPECT_EQ(client.ask(50, Fields().u32(1)).error, 0);
    EXPECT_EQ(text_of(folder / "sub/new"), "Jello");
    struct stat status {};
    ASSERT_EQ(stat((folder / "sub/new").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0664U); // whatever the umask here is
    client.walk(2, {"sub"});
    EXPECT_EQ(client.create(2, "new", 0102 | 0200, 0600), EEXIST);
    EXPECT_EQ(client.create(2, "new", 0100 | 01 | 01000, 0600), 0); // truncated
    EXPECT_EQ(text_of(folder / "sub/new"), "");

    const auto set = [&](std::uint32_t valid, std::uint32_t mode, std::uint64_t size,
                         std::uint64_t seconds) {
        return client
            .ask(26, Fields()
                         .u32(1)
                         .u32(valid)
                         .u32(mode)
                         .u32(0)
                         .u32(0)
                         .u64(size)
                         .u64(seconds)
                         .u64(5)
                         .u64(seconds)
                         .u64(6))
            .error;
    };
    EXPECT_EQ(set(0x1, 06755, 0, 0), 0);
    EXPECT_EQ(set(0x8, 0, 3, 0), 0);
    EXPECT_EQ(set(0x20 | 0x100, 0, 0, 1234), 0);
    EXPECT_EQ(set(0x6, 0, 0, 0), 0); // to root, which the owner is
    ASSERT_EQ(stat((folder / "sub/new").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0755U); // no rights of another user come from the guest
    EXPECT_EQ(status.st_size, 3);
    EXPECT_EQ(status.st_mtim.tv_sec, 1234);
    EXPECT_EQ(status.st_mtim.tv_nsec, 6);
}

TEST_F(Share, ChangesDirectories) {
    EXPECT_EQ(client.ask(72, Fields().u32(0).text("made").u32(0755).u32(0)).id().type, 0x80);
    EXPECT_EQ(client.ask(16, Fields().u32(0).text("soft").text("sub/inner").u32(0)).id().type, 2);
    client.walk(1, {"file"});
    EXPECT_EQ(client.ask(70, Fields().u32(0).u32(1).text("hard")).error, 0);
    EXPECT_EQ(text_of(folder / "hard"), "content");
    client.walk(2, {"made"});
    EXPECT_EQ(client.ask(74, Fields().u32(0).text("hard").u32(2).text("moved")).error, 0);
    EXPECT_EQ(text_of(folder / "made/moved"), "content");
    EXPECT_EQ(client.ask(76, Fields().u32(0).text("made").u32(0x200)).error, ENOTEMPTY);
    EXPECT_EQ(client.ask(76, Fields().u32(2).text("moved").u32(0)).error, 0);
    EXPECT_EQ(client.ask(76, Fields().u32(0).text("made").u32(0)).error, EISDIR);
    EXPECT_EQ(client.ask(76, Fields().u32(0).text("made").u32(0x200)).error, 0);
    EXPECT_FALSE(fs::exists(folder / "made"));
    EXPECT_EQ(client.ask(122, Fields().u32(1)).error, 0); // remove
    EXPECT_FALSE(fs::exists(folder / "file"));
    EXPECT_EQ(client.clunk(1), EBADF);
    EXPECT_EQ(client.ask(122, Fields().u32(0)).error, EBUSY);
}

TEST_F(Share, GrantsLocks) {
    client.walk(1, {"file"});
    EXPECT_EQ(
        client.ask(52, Fields().u32(1).u8(1).u32(0).u64(0).u64(0).u32(7).text("me")).number(1), 0U);
    Answer answer = client.ask(54, Fields().u32(1).u8(1).u64(3).u64(4).u32(7).text("me"));
    EXPECT_EQ(answer.number(1), 2U);
    EXPECT_EQ(answer.u64(), 3U);
    EXPECT_EQ(answer.u64(), 4U);
    EXPECT_EQ(answer.u32(), 7U);
    EXPECT_EQ(answer.text(), "me");
    EXPECT_EQ(client.ask(108, Fields().u16(1)).error, 0);
}

TEST_F(Share, IsReadOnlyUnlessAsked) {
    Client reader(open_host_tree(folder, false, "--share"));
    EXPECT_EQ(reader.content({"file"}), "content");
    reader.walk(1, {"file"});
    for (const unsigned flags : {1U, 2U, 01000U}) {
        EXPECT_EQ(reader.open(1, flags), EROFS) << flags;
    }
    reader.walk(2, {});
    EXPECT_EQ(reader.create(2, "new", 0101, 0644), EROFS);
    EXPECT_EQ(reader.create(2, "file", 0100, 0644), EROFS);
    EXPECT_EQ(reader.ask(72, Fields().u32(0).text("d").u32(0755).u32(0)).error, EROFS);
    EXPECT_EQ(reader.ask(16, Fields().u32(0).text("s").text("x").u32(0)).error, EROFS);
    EXPECT_EQ(reader.ask(70, Fields().u32(0).u32(1).text("h")).error, EROFS);
    EXPECT_EQ(reader.ask(74, Fields().u32(0).text("file").u32(0).text("f")).error, EROFS);
    EXPECT_EQ(reader.ask(76, Fields().u32(0).text("file").u32(0)).error, EROFS);
    EXPECT_EQ(
        reader
            .ask(26, Fields().u32(1).u32(8).u32(0).u32(0).u32(0).u64(0).u64(0).u64(0).u64(0).u64(0))
            .error,
        EROFS);
    EXPECT_EQ(reader.ask(122, Fields().u32(1)).error, EROFS);
    EXPECT_EQ(text_of(folder / "file"), "content");
}

// ------------------------------------------------------------------------------------------------
// Confinement

TEST_F(Share, SymbolicLinksAreTexts) {
    EXPECT_EQ(client.walk(1, {"link"}), 0);
    EXPECT_EQ(client.ask(22, Fields().u32(1)).text(), "/etc/passwd");
    EXPECT_EQ(client.open(1, 0), ELOOP);
    fs::create_directory_symlink("/etc", folder / "etc");
    fs::create_directory_symlink("sub", folder / "inside");
    EXPECT_EQ(client.walk(2, {"etc", "passwd"}), ENOENT);
    EXPECT_EQ(client.walk(2, {"inside", "inner"}), ENOENT);
    client.walk(3, {});
    EXPECT_EQ(client.create(3, "link", 0102, 0644), ELOOP);
    EXPECT_EQ(client.ask(22, Fields().u32(0)).error, EINVAL);
    fs::create_symlink(directory / "outside", folder / "out");
    EXPECT_EQ(client.create(3, "out", 0102, 0644), ELOOP);
    EXPECT_FALSE(fs::exists(directory / "outside"));
}

TEST_F(Share, NoNameLeadsOut) {
    std::ofstream(directory / "secret") << "secret";
    for (const Names& names :
         {Names{"..", "secret"}, Names{"sub", "..", "..", "secret"}, Names{"../secret"},
          Names{"sub/../../secret"}, Names{"/etc/passwd"}, Names{"/"}, Names{""}, Names{"sub", "/"},
          Names{std::string("file\0x", 6)}}) {
        EXPECT_NE(client.walk(1, names), 0) << names.back();
    }
    EXPECT_EQ(client.walk(1, {"..", "..", "file"}), 0); // the parent of the root is the root
    for (const char* name : {"..", ".", "../x", "/x", "sub/x", ""}) {
        EXPECT_EQ(client.create(0, name, 0102, 0644), EINVAL);
        EXPECT_EQ(client.ask(72, Fields().u32(0).text(name).u32(0755).u32(0)).error, EINVAL);
        EXPECT_EQ(client.ask(76, Fields().u32(0).text(name).u32(0)).error, EINVAL);
        EXPECT_EQ(client.ask(74, Fields().u32(0).text("file").u32(0).text(name)).error, EINVAL);
        EXPECT_EQ(client.ask(70, Fields().u32(0).u32(1).text(name)).error, EINVAL);
    }
    EXPECT_EQ(client.walk(2, {std::string(256, 'x')}), ENAMETOOLONG);
}

TEST_F(Share, AFolderThatIsMovedLeadsNowhereElse) {
    std::ofstream(directory / "secret") << "secret";
    client.walk(1, {"sub"});
    fs::rename(folder / "sub", directory / "moved");
    EXPECT_EQ(client.walk(2, {"..", "secret"}, 1), ENOENT); // the way back is the way there
    EXPECT_EQ(client.walk(2, {"..", "file"}, 1), 0);
    fs::create_directory_symlink(directory / "moved", folder / "sub");
    EXPECT_EQ(client.walk(3, {"sub", "inner"}), ENOENT);
    EXPECT_EQ(client.ask(122, Fields().u32(1)).error, ENOENT); // another file has its name
    EXPECT_TRUE(fs::exists(directory / "moved/inner"));
}

TEST_F(Share, PipesAndDevicesAreNotOpened) {
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0666), 0);
    client.walk(1, {"pipe"});
    EXPECT_EQ(client.open(1, 0), ENXIO);
    EXPECT_EQ(client.open(1, 1), ENXIO);
    client.walk(2, {});
    EXPECT_EQ(client.create(2, "pipe", 0101, 0644), ENXIO);
}

TEST_F(Share, AnOpenFileStaysWhatItIs) {
    client.walk(1, {"file"});
    fs::rename(folder / "file", folder / "other");
    put("file", "another");
    EXPECT_EQ(client.open(1, 0), 0);
    EXPECT_EQ(client.read(1), "content");
    EXPECT_EQ(client.content({"file"}), "another");
}

TEST(HostTree, WantsADirectory) {
    EXPECT_ANY_THROW(open_host_tree("/etc/passwd", false, "--share"));
    EXPECT_ANY_THROW(open_host_tree("/nothing/there", false, "--share"));
}

// ------------------------------------------------------------------------------------------------
// Messages that nobody would send

TEST_F(Share, NeedsRoomForAnAnswer) {
    std::vector<std::byte> small(10);
    const Fields clunk = Fields().u32(11).u8(120).u16(9).u32(77);
    EXPECT_EQ(client.server.answer(clunk.bytes, small), 0U); // Rlerror takes 11 bytes
    small.resize(11);
    EXPECT_EQ(client.server.answer(clunk.bytes, small), 11U);
    EXPECT_EQ(client.server.answer(std::vector<std::byte>(6), small), 0U);
    client.walk(1, {"file"});
    client.open(1, 0);
    const Fields read = Fields().u32(23).u8(116).u16(9).u32(1).u64(0).u32(100);
    std::vector<std::byte> room(14);
    EXPECT_EQ(client.server.answer(read.bytes, room), 14U); // as much as there is room for
    EXPECT_EQ(room[13], std::byte{'n'});
}

} // namespace
} // namespace pes
