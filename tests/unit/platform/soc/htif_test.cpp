// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/guest/htif.h"

#include "platform/host/user_error.h"
#include "platform/soc/guest/console.h"
#include "platform/soc/guest/guest_files.h"
#include "platform/soc/guest/sample_channel.h"
#include "tests/unit/common/temporary_directory.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <fstream>
#include <optional>
#include <sstream>

namespace pes {
namespace {

constexpr Address kHtifBase = 0x8000'0000;
constexpr Address kTohost = kHtifBase;
constexpr Address kFromhost = kHtifBase + 8;
constexpr Address kBlock = kHtifBase + 0x40;
constexpr Address kText = kHtifBase + 0x100;
constexpr std::uint64_t kWrite = 64;
constexpr std::uint64_t kExit = 93;
constexpr std::uint64_t kOpenAt = 56;
constexpr std::uint64_t kClose = 57;
constexpr std::uint64_t kHere = ~std::uint64_t{99}; // AT_FDCWD, -100
// Flags of the RISC-V Linux ABI
constexpr std::uint64_t kReadOnly = 0;
constexpr std::uint64_t kWriteOnly = 1;
constexpr std::uint64_t kReadWrite = 2;
constexpr std::uint64_t kCreate = 0100;
constexpr std::uint64_t kTruncate = 01000;
constexpr std::uint64_t kAppend = 02000;

class HtifTest : public ::testing::Test {
  protected:
    void send(std::uint64_t value) {
        memory_.store64(kTohost, value);
        htif_.tohost_written();
    }

    /// The result of a system call as the guest finds it in its block.
    std::int64_t call(std::uint64_t number, std::uint64_t a0, std::uint64_t a1 = 0,
                      std::uint64_t a2 = 0, std::uint64_t a3 = 0) {
        memory_.store64(kFromhost, 0);
        const std::array words{number, a0, a1, a2, a3};
        for (std::size_t index = 0; index < words.size(); ++index) {
            memory_.store64(kBlock + 8 * index, words[index]);
        }
        send(kBlock);
        return static_cast<std::int64_t>(memory_.load64(kBlock).value());
    }

    std::int64_t open(const std::string& name, std::uint64_t flags) {
        place(kText, std::as_bytes(std::span(name.c_str(), name.size() + 1)));
        return call(kOpenAt, kHere, kText, name.size() + 1, flags);
    }

    void place(Address at, std::span<const std::byte> bytes) {
        std::ranges::copy(bytes, memory_.at(at, bytes.size())->begin());
    }

    std::string text_at(Address at, std::size_t size) {
        return {reinterpret_cast<const char*>(memory_.at(at, size)->data()), size};
    }

    std::string printed() {
        console_file_.commit();
        return test::read_file(directory_ / "console");
    }

    test::TemporaryDirectory directory_;
    OutputFile console_file_{directory_ / "console"};
    Console console_{console_file_};
    SampleChannel samples_;
    std::vector<std::byte> bytes_ = std::vector<std::byte>(0x1000);
    GuestMemory memory_{kHtifBase, bytes_};
    std::optional<std::uint64_t> exit_;
    GuestFiles files_{directory_.path().string()};
    static constexpr host_platform::Facts kFacts{.clock_hz = 25'000'000,
                                                 .timebase_hz = 12'500'000,
                                                 .free_base = kHtifBase + 0x800,
                                                 .free_size = 0x700};
    Htif htif_{memory_,
               kTohost,
               kFromhost,
               console_,
               samples_,
               files_,
               {kFacts, "a = 1\n"},
               Htif::Requests{.exit = [this](std::uint64_t code) { exit_ = code; },
                              .checkpoint = [this] { ++checkpoints_; },
                              .input_ended = [this] { return input_ended_; }}};
    unsigned checkpoints_ = 0; ///< asked for
    bool input_ended_ = false;
};

TEST_F(HtifTest, AnOddValueEndsTheRunWithItsUpperBits) {
    send(1);
    EXPECT_EQ(exit_, 0U);
    send(2 * 1337 + 1);
    EXPECT_EQ(exit_, 1337U);
}

TEST_F(HtifTest, ZeroIsNoCommand) {
    send(0);
    EXPECT_FALSE(exit_.has_value());
    EXPECT_EQ(memory_.load64(kFromhost), 0U);
}

TEST_F(HtifTest, DeviceOneCommandOneIsAConsoleCharacter) {
    for (const char character : std::string("ok\n")) {
        send(std::uint64_t{0x0101} << 48 | static_cast<unsigned char>(character));
        EXPECT_EQ(memory_.load64(kTohost), 0U) << "the command is taken";
        EXPECT_EQ(memory_.load64(kFromhost), std::uint64_t{0x0101} << 48);
    }
    EXPECT_EQ(printed(), "ok\n");
}

TEST_F(HtifTest, AGuestLearnsFactsAndTextAboutThePlatform) {
    constexpr std::uint64_t kPlatform = 0x706573;
    EXPECT_EQ(call(kPlatform, kText, kText + 0x100, 0x100), 6);
    EXPECT_EQ(memory_.load64(kText), 25'000'000U);
    EXPECT_EQ(memory_.load64(kText + 8), 12'500'000U);
    EXPECT_EQ(memory_.load64(kText + 16), kHtifBase + 0x800);
    EXPECT_EQ(memory_.load64(kText + 24), 0x700U);
    EXPECT_EQ(memory_.load64(kText + 0x100), 0x0A31'203D'2061U); // "a = 1\n"
    EXPECT_EQ(call(kPlatform, kText, kText + 0x200, 5), -ERANGE);
    EXPECT_EQ(memory_.load64(kText + 0x200), 0U);
    EXPECT_EQ(call(kPlatform, 0, kText, 0x100), -EFAULT);
    EXPECT_EQ(call(kPlatform, kText, kHtifBase + 0xFFE, 6), -EFAULT);
}

TEST_F(HtifTest, AGuestAsksForACheckpoint) {
    constexpr std::uint64_t kCheckpoint = 0x706574;
    EXPECT_EQ(call(kCheckpoint, 0, 0, 0), 0);
    EXPECT_EQ(checkpoints_, 1U);
}

TEST_F(HtifTest, WriteCallsPrintAndReturnTheLength) {
    place(kText, std::as_bytes(std::span("hello", 5)));
    EXPECT_EQ(call(kWrite, 1, kText, 5), 5);
    EXPECT_EQ(memory_.load64(kFromhost), 1U);
    EXPECT_EQ(call(kWrite, 2, kText + 1, 2), 2);
    EXPECT_EQ(printed(), "helloel");
}

TEST_F(HtifTest, ExitCallEndsTheRunWithItsArgument) {
    call(kExit, 7);
    EXPECT_EQ(exit_, 7U);
}

TEST_F(HtifTest, BadRequestsGetNegativeErrorNumbers) {
    EXPECT_EQ(call(1234, 0), -ENOSYS);
    EXPECT_EQ(call(kWrite, 4, kText, 1), -EBADF); // nothing has been opened
    EXPECT_EQ(call(kWrite, 1, 0x1000, 1), -EFAULT);
    EXPECT_EQ(call(kWrite, 1, kText, 0x1000), -EFAULT);
    EXPECT_EQ(call(kWrite, 3, kText, ~std::uint64_t{0}), -EFAULT);
    EXPECT_EQ(memory_.load64(kFromhost), 1U);
    EXPECT_EQ(printed(), "");
}

TEST_F(HtifTest, ACallBlockOutsideMemoryIsAnsweredAndChangesNothing) {
    const std::vector<std::byte> before = bytes_;
    send(kHtifBase + 0x1000 - 56);
    EXPECT_EQ(memory_.load64(kFromhost), 1U);
    memory_.store64(kFromhost, 0);
    EXPECT_EQ(bytes_, before);
}

TEST_F(HtifTest, UnknownDevicesAreIgnored) {
    send(std::uint64_t{5} << 56 | 1);
    EXPECT_FALSE(exit_.has_value());
}

TEST_F(HtifTest, SamplesAreCountedAcrossWritesOfAnySize) {
    SampleRecord record{};
    record.magic = kSampleMagic;
    record.size = kSampleSize;
    record.lost = 3;
    const auto bytes = std::bit_cast<std::array<std::byte, kSampleSize>>(record);
    place(kText, bytes);
    EXPECT_EQ(call(kWrite, 3, kText, 10), 10);
    EXPECT_EQ(samples_.records(), 0U);
    EXPECT_EQ(samples_.partial(), 10U);
    EXPECT_EQ(call(kWrite, 3, kText + 10, kSampleSize - 10), kSampleSize - 10);
    EXPECT_EQ(samples_.records(), 1U);
    EXPECT_EQ(samples_.lost(), 3U);
    EXPECT_EQ(printed(), "");
}

TEST_F(HtifTest, AGuestMayWriteAFileInTheGrantedDirectory) {
    const std::int64_t file = open("trace.rtd", kWriteOnly | kCreate | kTruncate);
    ASSERT_GT(file, 3);
    place(kText, std::as_bytes(std::span("abcdef", 6)));
    EXPECT_EQ(call(kWrite, static_cast<std::uint64_t>(file), kText, 4), 4);
    EXPECT_EQ(call(kWrite, static_cast<std::uint64_t>(file), kText + 4, 2), 2);
    EXPECT_EQ(call(kClose, static_cast<std::uint64_t>(file)), 0);
    EXPECT_EQ(test::read_file(directory_ / "trace.rtd"), "abcdef");
    EXPECT_EQ(call(kWrite, static_cast<std::uint64_t>(file), kText, 1), -EBADF);
    EXPECT_EQ(call(kClose, static_cast<std::uint64_t>(file)), -EBADF);
}

TEST_F(HtifTest, AnExistingFileIsEmptiedOrContinuedAsTheFlagsSay) {
    directory_.write("log", "old");
    place(kText + 0x100, std::as_bytes(std::span("new", 3)));
    const auto write_with = [this](std::uint64_t flags) {
        const auto file = static_cast<std::uint64_t>(open("log", kWriteOnly | flags));
        EXPECT_EQ(call(kWrite, file, kText + 0x100, 3), 3);
        EXPECT_EQ(call(kClose, file), 0);
        return test::read_file(directory_ / "log");
    };
    EXPECT_EQ(write_with(kAppend), "oldnew");
    EXPECT_EQ(write_with(kTruncate), "new");
}

TEST_F(HtifTest, NoNameLeadsOutOfTheDirectory) {
    std::filesystem::create_directory(directory_ / "sub");
    std::filesystem::create_symlink("/dev/null", directory_ / "link");
    const std::uint64_t flags = kWriteOnly | kCreate;
    for (const char* name : {"../outside", "/tmp/outside", "sub/file", ".", "..", ""}) {
        EXPECT_EQ(open(name, flags), -EACCES) << name;
    }
    EXPECT_EQ(open("link", flags), -ELOOP);
    EXPECT_EQ(open("sub", flags), -EISDIR);
}

TEST_F(HtifTest, EndOfTheConsolesInputIsTold) {
    constexpr std::uint64_t kRead = 63;
    EXPECT_EQ(call(kRead, 0, kText, 4), -EAGAIN);
    input_ended_ = true;
    EXPECT_EQ(call(kRead, 0, kText, 4), 0);
}

TEST_F(HtifTest, FilesAreReadAndSought) {
    constexpr std::uint64_t kLseek = 62, kRead = 63;
    std::ofstream(directory_.path() / "file") << "abcdef";
    const auto file = static_cast<std::uint64_t>(open("file", kReadOnly));
    EXPECT_EQ(call(kRead, file, kText, 4), 4);
    EXPECT_EQ(text_at(kText, 4), "abcd");
    EXPECT_EQ(call(kRead, file, kText, 4), 2);
    EXPECT_EQ(call(kRead, file, kText, 4), 0);
    EXPECT_EQ(call(kLseek, file, static_cast<std::uint64_t>(-5), 2), 1);
    EXPECT_EQ(call(kRead, file, kText, 1), 1);
    EXPECT_EQ(text_at(kText, 1), "b");
    EXPECT_EQ(call(kLseek, file, static_cast<std::uint64_t>(-3), 1), -EINVAL);
    EXPECT_EQ(call(kLseek, file, 0, 3), -EINVAL);
    EXPECT_EQ(call(kWrite, file, kText, 1), -EBADF);
    EXPECT_EQ(call(kRead, file, 0x1000, 4), -EFAULT);
    EXPECT_EQ(call(kLseek, 99, 0, 0), -EBADF);
    const auto both = static_cast<std::uint64_t>(open("new", kReadWrite | kCreate));
    EXPECT_EQ(call(kWrite, both, kText, 1), 1);
    EXPECT_EQ(call(kLseek, both, 0, 0), 0);
    EXPECT_EQ(call(kRead, both, kText + 8, 4), 1);
}

TEST_F(HtifTest, WhatCannotBeOpenedIsRefused) {
    EXPECT_EQ(open("absent", kWriteOnly), -ENOENT);
    EXPECT_EQ(open("absent", kReadOnly), -ENOENT);
    EXPECT_EQ(open("file", 3 | kCreate), -EINVAL);
    EXPECT_EQ(open("file", kReadOnly | kCreate | kTruncate), -EINVAL);
    EXPECT_EQ(open("file", kWriteOnly | kCreate | 0200), -EINVAL); // O_EXCL
    EXPECT_EQ(call(kOpenAt, kHere, 0x1000, 4, kWriteOnly), -EFAULT);
}

TEST_F(HtifTest, SixteenFilesMayBeOpenAtATime) {
    std::int64_t last = 0;
    for (int i = 0; i < 16; ++i) {
        last = open("file" + std::to_string(i), kWriteOnly | kCreate);
        ASSERT_GT(last, 0);
    }
    EXPECT_EQ(open("one_more", kWriteOnly | kCreate), -EMFILE);
    EXPECT_EQ(call(kClose, static_cast<std::uint64_t>(last)), 0);
    EXPECT_EQ(open("one_more", kWriteOnly | kCreate), last);
}

TEST(GuestFiles, WithoutADirectoryEveryFileIsRefused) {
    GuestFiles files;
    EXPECT_EQ(files.open("file", kWriteOnly | kCreate), -EACCES);
}

void write_text(GuestFiles& files, std::int64_t descriptor, std::string_view text) {
    EXPECT_EQ(files.write(static_cast<std::uint64_t>(descriptor),
                          std::as_bytes(std::span(text.data(), text.size()))),
              static_cast<std::int64_t>(text.size()));
}

std::string text_of(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

TEST(GuestFiles, OpenOnesGoOnFromACheckpoint) {
    const test::TemporaryDirectory directory;
    Archive saved;
    std::int64_t descriptor = 0;
    {
        GuestFiles files(directory.path().string());
        const std::int64_t other = files.open("other", kWriteOnly | kCreate | kTruncate);
        descriptor = files.open("log", kWriteOnly | kCreate | kTruncate);
        files.close(static_cast<std::uint64_t>(other));
        write_text(files, descriptor, "before ");
        files.state(saved);
        write_text(files, descriptor, "lost when it is restored");
    }
    GuestFiles files(directory.path().string());
    Archive archive(std::span<const std::byte>(saved.bytes()));
    files.state(archive);
    EXPECT_EQ(text_of(directory.path() / "log"), "before ");
    write_text(files, descriptor, "behind");
    EXPECT_EQ(text_of(directory.path() / "log"), "before behind");
    EXPECT_EQ(files.open("third", kWriteOnly | kCreate | kTruncate), descriptor - 1)
        << "the free one";
}

TEST(GuestFiles, AFileThatIsGoneOrShorterIsRefusedAndNoneIsCut) {
    const test::TemporaryDirectory directory;
    Archive saved;
    {
        GuestFiles files(directory.path().string());
        const std::int64_t first = files.open("first", kWriteOnly | kCreate | kTruncate);
        const std::int64_t second = files.open("second", kWriteOnly | kCreate | kTruncate);
        write_text(files, first, "1");
        write_text(files, second, "2");
        files.state(saved);
        write_text(files, first, "111");
    }
    const auto restore = [&](GuestFiles&& files) {
        Archive archive(std::span<const std::byte>(saved.bytes()));
        files.state(archive);
    };
    std::filesystem::resize_file(directory.path() / "second", 0);
    EXPECT_THROW(restore(GuestFiles(directory.path().string())), ArchiveError);
    std::filesystem::remove(directory.path() / "second");
    EXPECT_THROW(restore(GuestFiles(directory.path().string())), ArchiveError);
    EXPECT_THROW(restore(GuestFiles()), ArchiveError);
    EXPECT_EQ(text_of(directory.path() / "first"), "1111");
}

TEST(GuestFiles, ADirectoryThatIsNoneIsTheUsersMistake) {
    const test::TemporaryDirectory directory;
    const auto file = directory.write("file", "");
    EXPECT_THROW(GuestFiles{file.string()}, UserError);
    EXPECT_THROW(GuestFiles{(directory / "absent").string()}, UserError);
}

TEST(SampleChannel, BytesGoToTheFileUnchangedAndForeignOnesAreCounted) {
    const test::TemporaryDirectory directory;
    OutputFile file(directory / "samples");
    SampleChannel channel(&file);
    const std::string text(70, 'x');
    channel.write(std::as_bytes(std::span(text)));
    file.commit();
    EXPECT_EQ(test::read_file(directory / "samples"), text);
    EXPECT_EQ(channel.malformed(), 1U);
    EXPECT_EQ(channel.partial(), 6U);
    EXPECT_EQ(channel.records(), 0U);
}

} // namespace
} // namespace pes
