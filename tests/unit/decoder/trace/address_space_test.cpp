// SPDX-License-Identifier: Apache-2.0
// Programs that were not loaded where they were linked, processes with code of their own, raw
// memory, and 32-bit programs.
#include "decoder/trace/program/process_map.h"
#include "decoder/trace/program/raw_memory.h"
#include "platform/host/user_error.h"
#include "tests/unit/common/run_command.h"
#include "tests/unit/decoder/trace/flow_fixture.h"
#include "tests/unit/decoder/trace/small_program.h"
#include "tests/unit/decoder/trace/trace_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pes::trace {
namespace {

using namespace test;
using pes::test::CommandResult;
using pes::test::TemporaryDirectory;
using testing::HasSubstr;

constexpr Address kBase = 0x5555'8802'C000;
constexpr Address kLinked = 0x1000;
// c.addi; c.j .-2
const std::string kLoop = "\x05\x05\xFD\xBF";

class AddressSpace : public testing::Test {
  protected:
    CommandResult decode(const std::string& arguments) const {
        return pes::test::run_command("cd " + directory_.path().string() +
                                      " && " PES_DECODE " trace t.rtd " + arguments);
    }
    TemporaryDirectory directory_;
};

TraceMessage scontext(std::uint64_t context) {
    return make_message(MessageCode::Ownership).set(Field::Process, context << 5 | 2);
}

TEST_F(AddressSpace, AProgramIsMovedByItsBase) {
    directory_.write("p.elf", small_program({{"loop", kLinked, 8, kLoop}}));
    directory_.write("p@0x10.elf", small_program({{"other", kLinked, 8, kLoop}}));
    directory_.write("t.rtd", TraceWriter(0)
                                  .at(10, sync(kBase + kLinked, 0, SyncReason::TraceEnable))
                                  .at(20, stop(4, 1))
                                  .bytes());
    const CommandResult result = decode("--elf p.elf@0x55558802c000 --instructions - --strict");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("0x55558802d000 0505 "));
    EXPECT_THAT(result.out, HasSubstr("0x55558802d002 bffd "));
    EXPECT_THAT(result.out, HasSubstr(" loop\n"));
    EXPECT_EQ(decode("--elf p@0x10.elf").exit_code, 0) << "a file of that name goes first";
    EXPECT_THAT(decode("--elf p.elf@0x11").err, HasSubstr("even base"));
    EXPECT_EQ(decode("--elf p.elf@0x11").exit_code, 2);
    EXPECT_THAT(decode("--elf p.elf@zero").err, HasSubstr("'p.elf@zero'"));
}

TEST_F(AddressSpace, EachProcessHasItsOwnCode) {
    ProgramImage image;
    Code(0x1000).c_nop().c_nop().c_ret().add_to(image, {Xlen::Rv64, 7});
    Code(0x1000).nop().nop().ret().add_to(image, {Xlen::Rv64, 8});
    Code(0x8000).mret().add_to(image);
    Recorder seen(image);
    Flow flow(image);
    flow.add_sink(seen);
    ContextTracker contexts{TimestampFormat{}};
    const auto tell = [&](const TraceMessage& message) {
        TraceItem item;
        item.message = message;
        flow.add(item, contexts.next(item));
    };
    tell(sync(0x8000));
    tell(scontext(7));
    tell(history(BranchType::Indirect, 2, 0x8000 ^ 0x1000, 1));
    tell(history(BranchType::Indirect, 3, 0x1000 ^ 0x8000, 1));
    tell(scontext(8));
    tell(history(BranchType::Indirect, 2, 0x8000 ^ 0x1000, 1));
    tell(history(BranchType::Indirect, 6, 0x1000 ^ 0x8000, 1));
    tell(scontext(9));
    tell(history(BranchType::Indirect, 2, 0x8000 ^ 0x1000, 1));
    tell(history(BranchType::Indirect, 3, 0x1000 ^ 0x8000, 1));
    ASSERT_EQ(seen.runs.size(), 5U);
    EXPECT_EQ(seen.runs[1].last, 0x1004U);
    EXPECT_EQ(seen.runs[3].last, 0x1008U);
    ASSERT_EQ(seen.gaps.size(), 1U);
    EXPECT_EQ(seen.gaps[0].reason, GapReason::OutsideProgram);
}

TEST_F(AddressSpace, AContextMapSaysWhatAProcessHasMapped) {
    directory_.write("app", small_program({{"main", kLinked, 8, kLoop}}));
    directory_.write("run.maps",
                     "00001000-00002000 r-xp 00001000 b3:04 528326                /home/root/app\n"
                     "00002000-00003000 rw-p 00001000 b3:04 528326                /home/root/app\n"
                     "7fff0000-7fff2000 r-xp 00000000 00:00 0                     [vdso]\n"
                     "7fffa000-7fffb000 rw-p 00000000 00:00 0 \n");
    directory_.write("t.rtd", TraceWriter(0)
                                  .at(10, sync(kLinked, 0, SyncReason::TraceEnable))
                                  .at(10, scontext(738))
                                  .at(20, stop(4, 1))
                                  .bytes());
    // A program without segments tells no base.
    EXPECT_THAT(decode("--context-map 738=run.maps").err, HasSubstr("no code at offset"));
    EXPECT_THAT(decode("--context-map run.maps").err, HasSubstr("expected ID=FILE"));
    EXPECT_THAT(decode("--context-map 1=none.maps").err, HasSubstr("none.maps"));
    directory_.write("odd.maps", "what is this\n");
    EXPECT_THAT(decode("--context-map 1=odd.maps").err, HasSubstr("/proc/PID/maps"));
    directory_.write("empty.maps", "");
    EXPECT_THAT(decode("--context-map 1=empty.maps").err, HasSubstr("maps no code"));
}

TEST_F(AddressSpace, RawMemoryIsAFileAtAnAddressOrADirectoryOfPages) {
    using namespace std::string_literals;
    directory_.write("code.bin", kLoop);
    directory_.write("t.rtd", TraceWriter(0)
                                  .at(10, sync(0x9000'0000, 0, SyncReason::TraceEnable))
                                  .at(20, stop(4, 1))
                                  .bytes());
    const CommandResult result = decode("--memory code.bin@0x90000000 --instructions - --strict");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("0x90000002 bffd "));
    EXPECT_THAT(decode("--memory code.bin").err, HasSubstr("FILE@ADDRESS"));
    EXPECT_THAT(decode("--memory code.bin@0x90000000 --instructions code.bin").err,
                HasSubstr("code.bin"));

    // jal ra, .+8 over the border of two pages, the first of which has it whole.
    std::filesystem::create_directory(directory_ / "pages");
    directory_.write("pages/page.0x90000000", "\x01\x00\xEF\x00\x80\x00"s);
    directory_.write("pages/page.0x90000004", "\x01\x00\x01\x00\x01\x00\x01\x00"s);
    directory_.write("pages/page.0x90001000", kLoop);
    directory_.write("pages/notes.txt", "no code");
    ProgramImage image;
    add_raw_memory(image, (directory_ / "pages").string(), Xlen::Rv64);
    ASSERT_NE(image.find(0x9000'0002), nullptr);
    EXPECT_EQ(image.find(0x9000'0002)->flow(0x9000'0002).offset, 8);
    EXPECT_NE(image.find(0x9000'000A), nullptr);
    EXPECT_EQ(image.find(0x9000'000C), nullptr);
    EXPECT_NE(image.find(0x9000'1000), nullptr);
}

/// c.jal .+4, c.j .-2, c.jr ra
TEST_F(AddressSpace, ProgramsOf32BitsAreFollowed) {
    directory_.write("p.elf",
                     small_program<Elf32Types>({{"main", 0x8000'0000, 4, "\x11\x20\xFD\xBF"},
                                                {"leaf", 0x8000'0004, 4, "\x82\x80"}}));
    directory_.write("t.rtd", TraceWriter(0)
                                  .at(10, sync(0x8000'0000, 0, SyncReason::TraceEnable))
                                  .at(20, history(BranchType::Indirect, 2, 2, 1))
                                  .at(30, stop(1, 1))
                                  .bytes());
    const CommandResult result = decode("--elf p.elf --instructions - --strict");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("20 0x80000000 2011     call "));
    EXPECT_THAT(result.out, HasSubstr("20 0x80000004 8082     return "));
    EXPECT_THAT(result.out, HasSubstr("30 0x80000002 bffd     jump "));
    EXPECT_EQ(decode("--elf p.elf --events --perf").exit_code, 0);
}

} // namespace
} // namespace pes::trace
