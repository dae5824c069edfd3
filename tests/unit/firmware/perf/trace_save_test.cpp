// SPDX-License-Identifier: Apache-2.0
// perfWriteTrace: which bytes get into the file, in which order, and what the file beside it says.
#include "firmware/perf/hart_state.h"
#include "hw/interface/trace/crc32.h"
#include "tests/unit/firmware/perf/fake_machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

namespace pes::perf {
namespace {

namespace map = trace_map;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::uint32_t> words_of(const std::string& name) {
    const std::vector<std::uint8_t>& bytes = machine_state.files.at(name);
    std::vector<std::uint32_t> words(bytes.size() / 4);
    for (std::size_t index = 0; index < words.size(); ++index) {
        std::memcpy(&words[index], &bytes[4 * index], sizeof words[index]);
    }
    return words;
}

std::string text_of(const std::string& name) {
    const std::vector<std::uint8_t>& bytes = machine_state.files.at(name);
    return {bytes.begin(), bytes.end()};
}

class PerfSave : public testing::Test {
  protected:
    PerfSave() {
        reset_machine();
        EXPECT_EQ(perfInit(1, 0), 0);
    }

    static int start(std::uint32_t buffer) {
        return perfManualInit(nullptr, 0, 6, perfCount_Raw, buffer);
    }
    static FakeUnit& encoder() { return machine_state.encoders[0]; }
    /// `words`: that the sink has taken since its reset.
    static void sink_at(std::uint32_t pointer, bool wrapped, std::uint32_t words) {
        sink_at(pointer, wrapped);
        encoder().registers[map::kWordCount] = words;
    }
    static void sink_at(std::uint32_t pointer, bool wrapped) {
        encoder().registers[map::kSinkWritePointer] = pointer;
        encoder().wrapped = wrapped;
    }
};

TEST_F(PerfSave, WritesWhatTheSramHasGathered) {
    ASSERT_EQ(start(0), 0);
    encoder().sram = {11, 12, 13, 14};
    sink_at(8, false);
    EXPECT_EQ(perfWriteTrace("a.rtd"), 0);
    EXPECT_THAT(words_of("a.rtd"), ElementsAre(11, 12));
}

TEST_F(PerfSave, OldestWordOfAWrappedSramComesFirst) {
    encoder().sram = {11, 12, 13, 14};
    ASSERT_EQ(start(0), 0);
    sink_at(8, true);
    EXPECT_EQ(perfWriteTrace("a.rtd"), 0);
    EXPECT_THAT(words_of("a.rtd"), ElementsAre(13, 14, 11, 12));
}

TEST_F(PerfSave, FullSramIsWrittenWhole) {
    encoder().sram = {11, 12, 13, 14};
    ASSERT_EQ(start(0), 0);
    sink_at(0, true);
    EXPECT_EQ(perfWriteTrace("a.rtd"), 0);
    EXPECT_THAT(words_of("a.rtd"), ElementsAre(11, 12, 13, 14));
}

TEST_F(PerfSave, LargeSramIsWrittenInPieces) {
    encoder().sram.resize(1000);
    encoder().sram[700] = 7;
    ASSERT_EQ(start(0), 0);
    sink_at(4 * 999, false);
    EXPECT_EQ(perfWriteTrace("a.rtd"), 0);
    ASSERT_EQ(words_of("a.rtd").size(), 999U);
    EXPECT_EQ(words_of("a.rtd")[700], 7U);
}

TEST_F(PerfSave, WritesWhatIsInMemory) {
    ASSERT_EQ(start(16), 0);
    const std::uint64_t base = library.sinks[0].buffer.base;
    const std::uint32_t words[] = {21, 22, 23, 24};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the library keeps addresses as numbers
    std::memcpy(reinterpret_cast<void*>(base), words, sizeof words);
    sink_at(static_cast<std::uint32_t>(base) + 12, false);
    EXPECT_EQ(perfWriteTrace("a.rtd"), 0);
    EXPECT_THAT(words_of("a.rtd"), ElementsAre(21, 22, 23));
    sink_at(static_cast<std::uint32_t>(base) + 4, true);
    EXPECT_EQ(perfWriteTrace("a.rtd"), 0);
    EXPECT_THAT(words_of("a.rtd"), ElementsAre(22, 23, 24, 21));
}

TEST_F(PerfSave, NameWithoutOneIsTraceRtd) {
    ASSERT_EQ(start(0), 0);
    EXPECT_EQ(perfWriteTrace(nullptr), 0);
    EXPECT_THAT(words_of("trace.rtd"), IsEmpty());
}

TEST_F(PerfSave, TracingGoesOnAsBefore) {
    ASSERT_EQ(start(0), 0);
    const std::uint32_t control = encoder().registers[map::kControl];
    EXPECT_EQ(perfWriteTrace(nullptr), 0);
    EXPECT_EQ(encoder().registers[map::kControl], control);
    encoder().registers[map::kControl] &= ~map::control::kEnable; // the buffer is full
    EXPECT_EQ(perfWriteTrace(nullptr), 0);
    EXPECT_EQ(encoder().registers[map::kControl], control & ~map::control::kEnable);
}

TEST_F(PerfSave, OnlyABufferWithOverwrittenWordsHasWrapped) {
    encoder().sram = {11, 12, 13, 14};
    ASSERT_EQ(start(0), 0);
    const auto wrapped = [] {
        EXPECT_EQ(perfWriteTrace("a.rtd"), 0);
        return text_of("a.rtd.toml").find("\nwrapped = true\n") != std::string::npos;
    };
    sink_at(12, false, 3);
    EXPECT_FALSE(wrapped());
    EXPECT_NE(text_of("a.rtd.toml").find("\nwrapped = false\n"), std::string::npos);
    sink_at(0, true, 4); // full, and begins with the start of a message
    EXPECT_FALSE(wrapped());
    sink_at(4, true, 5);
    EXPECT_TRUE(wrapped());
    sink_at(0, true, 8);
    EXPECT_TRUE(wrapped());
}

TEST_F(PerfSave, DescriptionHasTheWidthsOfTheEncoder) {
    constexpr const char* kComment = "# How to read the trace file of this name.\n";
    ASSERT_EQ(start(0), 0);
    EXPECT_EQ(perfWriteTrace(nullptr), 0);
    EXPECT_EQ(text_of("trace.rtd.toml"), std::string(kComment) + "wrapped = false\n"
                                                                 "stopped = false\n"
                                                                 "source_bits = 0\n"
                                                                 "crc32 = 0x0\n"
                                                                 "timestamps = \"sifive\"\n"
                                                                 "timestamp_bits = 40\n"
                                                                 "clock_hz = 50000000\n");
    encoder().sinks |= 3U << map::implementation::kSourceBitsShift;
    encoder().timestamp_width = 0;
    EXPECT_EQ(perfWriteTrace(nullptr), 0);
    EXPECT_EQ(text_of("trace.rtd.toml"),
              std::string(kComment) +
                  "wrapped = false\nstopped = false\nsource_bits = 3\ncrc32 = 0x0\n"
                  "clock_hz = 50000000\n");
    encoder().registers[map::kControl] |= map::control::kInhibitSource;
    EXPECT_EQ(perfWriteTrace(nullptr), 0);
    EXPECT_EQ(text_of("trace.rtd.toml"),
              std::string(kComment) +
                  "wrapped = false\nstopped = false\nsource_bits = 0\ncrc32 = 0x0\n"
                  "clock_hz = 50000000\n");
}

TEST_F(PerfSave, DescriptionHasTheChecksumOfTheFile) {
    const auto checksum = [](const std::string& name) {
        trace::Crc32 sum;
        sum.add(machine_state.files.at(name).data(), machine_state.files.at(name).size());
        std::ostringstream text;
        text << "\ncrc32 = 0x" << std::hex << sum.value() << "\n";
        return text.str();
    };
    encoder().sram.resize(1024);
    encoder().sram[700] = 7;
    ASSERT_EQ(start(0), 0);
    sink_at(4 * 900, true);
    machine_state.file_piece = 100;
    EXPECT_EQ(perfWriteTrace("sram.rtd"), 0);
    EXPECT_THAT(text_of("sram.rtd.toml"), testing::HasSubstr(checksum("sram.rtd")));
    ASSERT_EQ(start(4096), 0);
    sink_at(static_cast<std::uint32_t>(library.sinks[0].buffer.base) + 2048, true);
    EXPECT_EQ(perfWriteTrace("memory.rtd"), 0);
    EXPECT_EQ(machine_state.files.at("memory.rtd").size(), 4096U);
    EXPECT_THAT(text_of("memory.rtd.toml"), testing::HasSubstr(checksum("memory.rtd")));
}

TEST_F(PerfSave, DescriptionHasTheTimestampsOfTheEncoderAndWhatThePlatformTells) {
    reset_machine();
    machine_state.text = "program = \"a.elf\"\n";
    ASSERT_EQ(perfInit(1, 0), 0);
    ASSERT_EQ(start(0), 0);
    encoder().registers[map::kTimestampControl] |=
        map::timestamp::kDifference | 2U << map::timestamp::kPrescaleShift;
    EXPECT_EQ(perfWriteTrace(nullptr), 0);
    EXPECT_THAT(text_of("trace.rtd.toml"), testing::HasSubstr("timestamps = \"n-trace\"\n"));
    EXPECT_THAT(text_of("trace.rtd.toml"), testing::EndsWith("\nclock_hz = 3125000\n" // / 16
                                                             "program = \"a.elf\"\n"));
}

TEST_F(PerfSave, ABufferThatStoppedSaysSo) {
    encoder().sram = {11, 12, 13, 14};
    ASSERT_EQ(start(0), 0);
    sink_at(0, true, 4);
    EXPECT_EQ(perfWriteTrace("a.rtd"), 0);
    EXPECT_THAT(text_of("a.rtd.toml"), testing::HasSubstr("\nstopped = false\n"));
    encoder().registers[map::kControl] &= ~map::control::kEnable;
    EXPECT_EQ(perfWriteTrace("a.rtd"), 0);
    EXPECT_THAT(text_of("a.rtd.toml"), testing::HasSubstr("\nstopped = true\n"));
}

TEST_F(PerfSave, NameWithoutRoomForTheDescriptionsIsAnError) {
    ASSERT_EQ(start(0), 0);
    EXPECT_EQ(perfWriteTrace(std::string(250, 'a').c_str()), 0);
    machine_state.files.clear();
    EXPECT_EQ(perfWriteTrace(std::string(251, 'a').c_str()), 1);
    EXPECT_TRUE(machine_state.files.empty());
}

TEST_F(PerfSave, HostMayTakeTheBytesInPieces) {
    ASSERT_EQ(start(0), 0);
    encoder().sram = {11, 12, 13, 14};
    sink_at(12, false);
    machine_state.file_piece = 5;
    EXPECT_EQ(perfWriteTrace("a.rtd"), 0);
    EXPECT_THAT(words_of("a.rtd"), ElementsAre(11, 12, 13));
    machine_state.file_piece = 0; // a full disk
    EXPECT_EQ(perfWriteTrace("a.rtd"), 1);
}

TEST_F(PerfSave, MissingFileServiceIsAnError) {
    ASSERT_EQ(start(0), 0);
    machine_state.file_service = false;
    EXPECT_EQ(perfWriteTrace(nullptr), 1);
}

} // namespace
} // namespace pes::perf
