// SPDX-License-Identifier: Apache-2.0
// The demonstration of the software trace module from end to end: what pes-decode finds in the file
// is what the program printed of the events that it sent.
#include "tests/unit/common/run_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <vector>

namespace pes::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr unsigned kThreadSwitch = 0x8000;
constexpr unsigned kBurstId = 0x200;
constexpr std::size_t kFifoEvents = 8;

struct Event {
    unsigned id = 0;
    unsigned long long value = 0;

    bool operator==(const Event&) const = default;
};

struct Burst {
    unsigned id = 0;
    unsigned long long count = 0;
};

/// What the program said that it has sent, without the burst, which may not arrive whole.
struct Sent {
    std::vector<Event> events;
    Burst burst;
    unsigned stalled_id = 0;
};

struct Received {
    std::vector<Event> events;             ///< without the burst
    std::vector<unsigned long long> times; ///< of all
    std::vector<unsigned long long> burst; ///< values
    std::vector<unsigned> missed;          ///< in overflow packets
    std::vector<std::size_t> burst_before_overflow;
};

class SoftwareTraceDemonstration : public testing::Test {
  protected:
    std::string path(const char* name) const { return (directory_ / name).string(); }

    /// Standard error of the run; its files are <name>.osd, <name>.console, <name>.stats.
    std::string run(const std::string& name, const std::string& options = "") {
        const std::string base = path(name.c_str());
        const CommandResult result = run_command(
            PES_VP " run " PES_FIRMWARE_DIR "/trace_software.elf --console " + base +
            ".console --stats " + base + ".stats --osd-trace " + base + ".osd" + options);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return result.err;
    }
    std::string file(const std::string& name) const { return read_file(directory_ / name); }

    Sent sent(const std::string& name) const {
        Sent result;
        std::istringstream lines(file(name + ".console"));
        for (std::string word; lines >> word;) {
            unsigned long long first = 0;
            lines >> first;
            const auto id = static_cast<unsigned>(first);
            if (word == "event") {
                unsigned long long value = 0;
                lines >> value;
                result.events.push_back({id, value});
            } else if (word == "thread") {
                result.events.push_back({kThreadSwitch, first});
            } else if (word == "burst") {
                result.burst.id = id;
                lines >> result.burst.count;
            } else if (word == "stalled") {
                result.stalled_id = id;
            } else {
                ADD_FAILURE() << "unknown word " << word;
            }
        }
        return result;
    }

    Received received(const std::string& name) const {
        const CommandResult decoded = run_command(PES_DECODE " trace --format osd " +
                                                  path((name + ".osd").c_str()) + " --log -");
        EXPECT_EQ(decoded.exit_code, 0) << decoded.err;
        Received result;
        std::istringstream lines(decoded.out);
        for (std::string line; std::getline(lines, line);) {
            unsigned long long time = 0;
            unsigned number = 0;
            Event event;
            if (std::sscanf(line.c_str(), "Overflow, missed %u events", &number) == 1) {
                result.missed.push_back(number);
                result.burst_before_overflow.push_back(result.burst.size());
            } else if (std::sscanf(line.c_str(), "%8llx %4x %16llx", &time, &event.id,
                                   &event.value) == 3) {
                result.times.push_back(time);
                if (event.id == kBurstId) {
                    result.burst.push_back(event.value);
                } else {
                    result.events.push_back(event);
                }
            } else {
                ADD_FAILURE() << "unknown line " << line;
            }
        }
        return result;
    }

  private:
    TemporaryDirectory directory_;
};

TEST_F(SoftwareTraceDemonstration, EventsArriveInOrderWithTheirValues) {
    run("a");
    const Sent sent = this->sent("a");
    const Received received = this->received("a");
    ASSERT_GT(sent.events.size(), 20U);
    EXPECT_EQ(received.events, sent.events);
    EXPECT_TRUE(std::ranges::is_sorted(received.times));
}

TEST_F(SoftwareTraceDemonstration, CharactersOfTheTextAreEventsOfId4) {
    run("a");
    std::string text;
    for (const Event& event : received("a").events) {
        if (event.id == 4) {
            text += static_cast<char>(event.value);
        }
    }
    EXPECT_EQ(text, "traced\n");
}

TEST_F(SoftwareTraceDemonstration, TheThreadPointerIsTrackedOnlyWhileThatIsOn) {
    run("a");
    std::vector<unsigned long long> threads;
    for (const Event& event : received("a").events) {
        if (event.id == kThreadSwitch) {
            threads.push_back(event.value);
        }
    }
    EXPECT_THAT(threads, testing::ElementsAre(0x8000'1000, 0x8000'2000, 0x8000'3000, 0x8000'4000,
                                              0x8000'5000));
}

TEST_F(SoftwareTraceDemonstration, ABurstLosesWhatTheOverflowPacketsCount) {
    const std::string said = run("a");
    const Sent sent = this->sent("a");
    const Received received = this->received("a");
    ASSERT_EQ(sent.burst.id, kBurstId);
    unsigned long long missed = 0;
    for (const unsigned number : received.missed) {
        EXPECT_GT(number, 0U);
        missed += number;
    }
    ASSERT_GT(missed, 0U);
    EXPECT_EQ(received.burst.size() + missed, sent.burst.count);
    // The first of them find an empty FIFO; from there the values have a gap for each packet.
    ASSERT_GT(received.burst.size(), kFifoEvents);
    EXPECT_GE(received.burst_before_overflow.front(), kFifoEvents);
    EXPECT_EQ(received.burst[kFifoEvents - 1], kFifoEvents - 1);
    EXPECT_TRUE(std::ranges::is_sorted(received.burst));
    for (std::size_t i = 0; i < received.missed.size(); ++i) {
        const std::size_t next = received.burst_before_overflow[i];
        const unsigned long long after =
            next < received.burst.size() ? received.burst[next] : sent.burst.count;
        EXPECT_EQ(after - received.burst[next - 1] - 1, received.missed[i]) << "overflow " << i;
    }
    EXPECT_THAT(said, HasSubstr("software trace module 0 missed " + std::to_string(missed) +
                                " events in " + std::to_string(received.missed.size())));
    EXPECT_THAT(file("a.stats"), HasSubstr("\"missed\": " + std::to_string(missed)));
}

TEST_F(SoftwareTraceDemonstration, ASlowLinkMissesMoreAndReportsNoMoreOften) {
    run("a");
    run("slow", " --set trace.software.word_cycles=4");
    EXPECT_LT(received("slow").burst.size(), received("a").burst.size());
    EXPECT_LE(received("slow").missed.size(), received("a").missed.size());
}

TEST_F(SoftwareTraceDemonstration, AStalledModuleSendsNothingAndMissesNothing) {
    run("a");
    const Sent sent = this->sent("a");
    for (const Event& event : received("a").events) {
        EXPECT_NE(event.id, sent.stalled_id);
    }
}

TEST_F(SoftwareTraceDemonstration, IsTheSameEveryTimeOnEveryPath) {
    run("a");
    run("again");
    run("step", " --path step");
    run("fast", " --path fast");
    run("quantum", " --set quantum=7");
    ASSERT_THAT(file("a.osd"), Not(IsEmpty()));
    for (const char* name : {"again", "step", "fast", "quantum"}) {
        EXPECT_TRUE(file(std::string(name) + ".osd") == file("a.osd")) << name;
        EXPECT_EQ(file(std::string(name) + ".console"), file("a.console")) << name;
    }
}

TEST_F(SoftwareTraceDemonstration, TheProgramNoticesAnotherWidthThanItWasBuiltFor) {
    const CommandResult result =
        run_command(PES_VP " run " PES_FIRMWARE_DIR "/trace_software.elf --osd-trace " +
                    path("narrow.osd") + " --set trace.software.value_bits=16");
    EXPECT_EQ(result.exit_code, 11);
}

TEST_F(SoftwareTraceDemonstration, WithoutTheModuleTheProgramTraps) {
    // Load access fault: nothing answers at the registers. 128 + cause 5.
    const CommandResult result = run_command(
        PES_VP " run " PES_FIRMWARE_DIR "/trace_software.elf --set trace.software.enabled=false");
    EXPECT_EQ(result.exit_code, 128 + 5);
}

TEST_F(SoftwareTraceDemonstration, WithoutAFileThePacketsAreToldOf) {
    const CommandResult result = run_command(PES_VP " run " PES_FIRMWARE_DIR "/trace_software.elf");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.err, HasSubstr("left a software trace module that nobody reads"));
}

/// The module of each hart writes a file of its own; the decoder makes one story of them.
TEST_F(SoftwareTraceDemonstration, TwoHartsOfOneRunAreMergedByTimeWithTheirThreads) {
    const std::string osd = path("two.osd");
    const CommandResult run =
        run_command(PES_VP " run " PES_FIRMWARE_DIR "/trace_harts_software.elf --set harts=2 "
                           "--osd-trace " +
                    osd + " --console " + path("two.console"));
    ASSERT_EQ(run.exit_code, 0) << run.err;
    // In an order that is not that of the harts.
    const CommandResult merged =
        run_command(PES_DECODE " trace --format osd --strict " + osd + ".hart1 " + osd +
                    " --csv - --timeline " + path("two.json"));
    ASSERT_EQ(merged.exit_code, 0) << merged.err;
    EXPECT_EQ(merged.err, "");

    std::vector<unsigned long long> times, turns;
    std::vector<std::string> names;
    std::istringstream lines(merged.out);
    for (std::string line; std::getline(lines, line);) {
        unsigned source = 0, id = 0;
        unsigned long long time = 0, value = 0;
        char text[64] = "";
        if (std::sscanf(line.c_str(), "%u,%llu,event,%x,%llx,", &source, &time, &id, &value) == 4) {
            EXPECT_EQ(source, 1 + value % 2) << line;
            turns.push_back(value);
            times.push_back(time);
        } else if (std::sscanf(line.c_str(), "%u,%llu,thread-name,%x,%llx,%63s", &source, &time,
                               &id, &value, text) == 5) {
            EXPECT_EQ(value >> 12 & 0xF, source) << line;
            names.emplace_back(text);
        }
    }
    std::vector<unsigned long long> expected;
    for (const Event& event : sent("two").events) {
        expected.push_back(event.value);
    }
    ASSERT_GT(expected.size(), 10U);
    EXPECT_EQ(turns, expected) << "in the order in which they happened, not hart by hart";
    EXPECT_TRUE(std::ranges::is_sorted(times));
    EXPECT_THAT(names, testing::UnorderedElementsAre("a", "receiver", "sender", "housekeeping"));
    for (const char* name : {"a", "receiver", "sender", "housekeeping"}) {
        EXPECT_THAT(file("two.json"), HasSubstr("\"name\":\"" + std::string(name) + "\",\"cat\""))
            << "a slice of the timeline";
    }
}

TEST_F(SoftwareTraceDemonstration, OptionsThatDoNotFitAreRefused) {
    struct Case {
        const char* options;
        const char* message;
    };
    for (const Case& one :
         {Case{" --osd-threads on", "--osd-threads needs --osd-trace FILE"},
          Case{" --osd-trace t --set trace.software.enabled=false",
               "trace.software.enabled = true"},
          Case{" --osd-trace t --osd-threads on --path fast", "excludes --osd-threads on"},
          Case{" --osd-trace - --set harts=2", "each hart gets one"},
          Case{" --set trace.software.csr=0x7FF", "from 0x800 to 0x8FF"},
          Case{" --set trace.software.base=0x11000000", "overlaps"}}) {
        const CommandResult result = run_command(
            PES_VP " run " PES_FIRMWARE_DIR "/trace_software.elf" + std::string(one.options));
        EXPECT_EQ(result.exit_code, 2) << one.options;
        EXPECT_THAT(result.err, HasSubstr(one.message));
    }
}

} // namespace
} // namespace pes::test
