// SPDX-License-Identifier: Apache-2.0
// Names of firmware and of two processes with different programs at the same virtual address. All
// three are builds of tests/unit/decoder/guest/traced.S, with functions of other names.
#include "tests/unit/common/run_command.h"
#include "tests/unit/decoder/trace/flow_fixture.h"
#include "tests/unit/decoder/trace/trace_bytes.h"

#include <cstring>
#include <elf.h>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pes::trace {
namespace {

using namespace test;
using pes::test::TemporaryDirectory;
using testing::HasSubstr;
using testing::Not;

constexpr Address kFirmware = 0x80000000;
constexpr Address kProcess = 0x10000;
constexpr Address kAcross = kFirmware ^ kProcess;

/// As /proc/PID/maps has the code of a program.
std::string map_line(const std::string& program) {
    const std::string bytes = pes::test::read_file(program);
    Elf64_Ehdr header;
    std::memcpy(&header, bytes.data(), sizeof header);
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment;
        std::memcpy(&segment, bytes.data() + header.e_phoff + i * sizeof segment, sizeof segment);
        if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0) {
            char line[200];
            std::snprintf(line, sizeof line, "%lx-%lx r-xp %lx b3:04 1   %s\n",
                          static_cast<unsigned long>(segment.p_vaddr & ~0xFFFUL),
                          static_cast<unsigned long>((segment.p_vaddr & ~0xFFFUL) + 0x1000),
                          static_cast<unsigned long>(segment.p_offset & ~0xFFFUL), program.c_str());
            return line;
        }
    }
    return "";
}

/// Firmware, process 7, firmware, process 8: each runs nop, jal, and the two of the leaf.
class ProcessNames : public testing::Test {
  protected:
    ProcessNames() {
        directory_.write("7.maps", map_line(FIRST_PROCESS));
        directory_.write("8.maps", map_line(SECOND_PROCESS));
        TraceWriter writer(0);
        writer.at(10, sync(kFirmware, 0, SyncReason::TraceEnable));
        writer.at(15, process(7));
        writer.at(20, history(BranchType::Indirect, 6, kAcross, 1));
        writer.at(30, history(BranchType::Indirect, 6, kAcross, 1));
        writer.at(35, process(8));
        writer.at(40, history(BranchType::Indirect, 6, kAcross, 1));
        writer.at(50, history(BranchType::Indirect, 6, kAcross, 1));
        writer.at(60, stop(0, 1));
        directory_.write("t.rtd", writer.bytes());
    }
    static TraceMessage process(std::uint64_t context) {
        return make_message(MessageCode::Ownership).set(Field::Process, context << 5 | 2);
    }
    std::string decode(const std::string& options) const {
        const auto result = pes::test::run_command(
            "cd " + directory_.path().string() + " && " PES_DECODE " trace t.rtd --strict --elf " +
            FIRMWARE + " --context-map 7=7.maps --context-map 8=8.maps " + options);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_EQ(result.err, "");
        return result.out;
    }
    TemporaryDirectory directory_;
};

TEST_F(ProcessNames, AreThoseOfTheProcessInTheListing) {
    const std::string text = decode("--instructions -");
    EXPECT_THAT(text, HasSubstr("20 0x80000004 008000ef call      jal 0x8000000c <leaf>"));
    EXPECT_THAT(text, HasSubstr("30 0x00010004 008000ef call      jal 0x1000c <first_leaf>"));
    EXPECT_THAT(text, HasSubstr("50 0x00010004 008000ef call      jal 0x1000c <second_leaf>"));
    EXPECT_THAT(decode("--instructions - --only-function 'second_*'"),
                testing::AllOf(HasSubstr("second_main\n"), Not(HasSubstr("\n30 "))));
}

TEST_F(ProcessNames, AreThoseOfTheProcessInFoldedStacks) {
    EXPECT_EQ(decode("--folded - --folded-weight instructions"),
              "_start 4\nfirst_leaf 2\nfirst_main 2\nleaf 4\nsecond_leaf 2\nsecond_main 2\n");
}

TEST_F(ProcessNames, AreThoseOfTheProcessInTheTimeline) {
    const std::string text = decode("--timeline -");
    for (const char* name : {"\"leaf\"", "\"first_leaf\"", "\"second_leaf\""}) {
        EXPECT_THAT(text, HasSubstr(name));
    }
}

TEST_F(ProcessNames, AreFoundByReadersOfCtf) {
    decode("--ctf");
    std::string stream;
    for (const auto& entry : std::filesystem::directory_iterator(directory_ / "ctf")) {
        if (entry.path().extension() == ".ctf") {
            stream = pes::test::read_file(entry.path());
        }
    }
    const std::size_t first = stream.find(FIRST_PROCESS);
    const std::size_t second = stream.find(SECOND_PROCESS);
    EXPECT_LT(stream.find(FIRMWARE), first);
    ASSERT_NE(first, std::string::npos);
    ASSERT_NE(second, std::string::npos);
    EXPECT_LT(first, second) << "the programs of process 8 follow those of process 7";
}

TEST_F(ProcessNames, OfFirmwareAndKernelComeFromTheirOwnProgram) {
    const auto result =
        pes::test::run_command("cd " + directory_.path().string() +
                               " && " PES_DECODE " trace t.rtd --elf " FIRMWARE
                               " --elf " FIRST_PROCESS " --folded - --folded-weight instructions");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "_start 4\nfirst_leaf 4\nfirst_main 4\nleaf 4\n");
}

} // namespace
} // namespace pes::trace
