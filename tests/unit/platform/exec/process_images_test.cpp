// SPDX-License-Identifier: Apache-2.0
// What the agent tells of processes, and page tables as the privileged specification has them.
#include "platform/exec/process_images.h"

#include <gtest/gtest.h>

#include <array>
#include <map>

namespace pes {
namespace {

using namespace std::string_view_literals;

constexpr std::uint64_t kMode = std::uint64_t{8} << 60;
constexpr std::uint64_t kPointer = 0x01, kUserPage = 0xD7; ///< V; V R W U A D

/// Double words at their addresses.
class Memory {
  public:
    void map(std::uint64_t root, Address address, std::uint64_t frame) {
        put(root, address >> 30 & 0x1FF, (root + 1) << 10 | kPointer);
        put(root + 1, address >> 21 & 0x1FF, (root + 2) << 10 | kPointer);
        put(root + 2, address >> 12 & 0x1FF, frame << 10 | kUserPage);
    }
    void put(std::uint64_t table, std::uint64_t index, std::uint64_t entry) {
        words_[table << 12 | index << 3] = entry;
    }
    ProcessImages::ReadMemory reader() {
        return [this](Address address) -> std::optional<std::uint64_t> {
            const auto word = words_.find(address);
            return address >> 32 != 0 ? std::nullopt
                                      : std::optional(word == words_.end() ? 0 : word->second);
        };
    }

  private:
    std::map<Address, std::uint64_t> words_;
};

TEST(FrameOf, FollowsSv39) {
    Memory memory;
    memory.map(0x80001, 0x3F'FFFF'F000, 0x81234);
    const auto read = memory.reader();
    EXPECT_EQ(frame_of(kMode | 0x80001, 0x3F'FFFF'FABC, read), 0x81234U);
    EXPECT_EQ(frame_of(kMode | std::uint64_t{7} << 44 | 0x80001, 0x3F'FFFF'F000, read), 0x81234U)
        << "an ASID is no part of the root";
    EXPECT_EQ(frame_of(kMode | 0x80001, 0x3F'FFFF'E000, read), std::nullopt) << "not valid";
    EXPECT_EQ(frame_of(0x80001, 0x3F'FFFF'F000, read), std::nullopt) << "bare";
    EXPECT_EQ(frame_of(kMode | 0xFFFF'FFFF, 0, read), std::nullopt) << "outside of memory";
    memory.put(0x80002, 0x1FF, 0x90000 << 10 | kUserPage); // a page of 2 MiB
    EXPECT_EQ(frame_of(kMode | 0x80001, 0x3F'FFE0'5000, read), 0x90005U);
}

TEST(HasUserPages, LooksAtTheLowerHalfOfTheRoot) {
    Memory memory;
    const auto read = memory.reader();
    memory.put(0x80001, 0x100, 0x90000 << 10 | kPointer); // the kernel's half
    EXPECT_FALSE(has_user_pages(kMode | 0x80001, read));
    memory.put(0x80001, 0xFF, 0x90001 << 10 | kPointer);
    EXPECT_TRUE(has_user_pages(kMode | 0x80001, read));
    EXPECT_FALSE(has_user_pages(0x80001, read)) << "bare";
}

TEST(ProcessImages, RecordsComeInPiecesAndTheLatestHolds) {
    Memory memory;
    ProcessImages images(memory.reader());
    EXPECT_FALSE(images.add("12 exec 3ffff"sv));
    EXPECT_FALSE(images.add("f000 81234\n10000-11000 r-xp 0 0:0 1 /a\n"sv));
    EXPECT_TRUE(images.add("\0"sv));
    EXPECT_TRUE(images.add("13 exec 0 0\nmaps of 13\n\0"
                           "12 end 3ffff000 81235\nmore\n\0"sv));
    EXPECT_TRUE(images.add("no record\n\0"sv));
    ASSERT_EQ(images.list().size(), 2U);
    EXPECT_EQ(images.list()[0].process, 12U);
    EXPECT_EQ(images.list()[0].stack_page, 0x3FFFF000U);
    EXPECT_EQ(images.list()[0].frame, 0x81235U);
    EXPECT_EQ(images.list()[0].maps, "more\n");
    EXPECT_EQ(images.list()[1].process, 13U);
    EXPECT_EQ(images.list()[1].maps, "maps of 13\n");
}

TEST(ProcessImages, ASpaceIsThatOfTheImageWhoseStackItHas) {
    Memory memory;
    memory.map(0x80010, 0x3FFFF000, 0x81000);
    memory.map(0x80020, 0x3FFFF000, 0x82000);
    ProcessImages images(memory.reader());
    images.add("12 exec 3ffff000 81000\nshell\0"sv);
    images.add("12 exec 3ffff000 82000\nwhat it has executed\0"sv);
    images.look_at(std::array{kMode | 0x80020, kMode | 0x80010, kMode | 0x80030});
    EXPECT_EQ(images.list()[0].spaces, std::set{kMode | 0x80010});
    EXPECT_EQ(images.list()[1].spaces, std::set{kMode | 0x80020});
    // What is known stays, though the tables have gone to another one.
    memory.map(0x80010, 0x3FFFF000, 0x82000);
    images.look_at(std::array{kMode | 0x80010});
    EXPECT_EQ(images.list()[0].spaces, std::set{kMode | 0x80010});
    EXPECT_EQ(images.list()[1].spaces.size(), 1U);
}

} // namespace
} // namespace pes
