// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/output/timeline_writer.h"
#include "tests/unit/common/temporary_directory.h"

#include <gtest/gtest.h>

namespace pes::trace {
namespace {

constexpr std::uint64_t kClock = 500'000'000; // 2 ns a tick

template <typename Write>
std::string text_of(const Write& write) {
    const pes::test::TemporaryDirectory directory;
    const auto path = directory / "t.json";
    {
        OutputFile file(path);
        TimelineWriter writer(&file, kClock);
        write(writer);
        writer.finish();
        file.commit();
    }
    return pes::test::read_file(path);
}

TEST(TimelineWriter, WithoutAnythingIsAnEmptyTimeline) {
    EXPECT_EQ(text_of([](TimelineWriter&) {}),
              "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n]}\n");
}

TEST(TimelineWriter, EachCallIsAnObjectOfTheFormat) {
    const std::string text = text_of([](TimelineWriter& timeline) {
        const TimelineWriter::Place place{.source = 2, .track = 3};
        timeline.name_process(2, "hart");
        timeline.name_track(place, "a \"track\"");
        timeline.begin_slice(place, 1, "f", "from 0x10");
        timeline.begin_slice(place, 500, "g");
        timeline.end_slice(place, 1000, "g");
        timeline.mark(place, 2000, "here");
        timeline.count(place, 2001, "cycles", ~std::uint64_t{0});
    });
    EXPECT_EQ(text, R"({"displayTimeUnit":"ns","traceEvents":[
{"ph":"M","pid":3,"tid":1,"name":"process_name","args":{"name":"hart"}},
{"ph":"M","pid":3,"tid":3,"name":"thread_name","args":{"name":"a \"track\""}},
{"ph":"B","pid":3,"tid":3,"ts":0.002,"name":"f","cat":"from 0x10"},
{"ph":"B","pid":3,"tid":3,"ts":1.000,"name":"g"},
{"ph":"E","pid":3,"tid":3,"ts":2.000,"name":"g"},
{"ph":"i","pid":3,"tid":3,"ts":4.000,"s":"t","name":"here"},
{"ph":"C","pid":3,"tid":3,"ts":4.002,"name":"cycles","args":{"count":18446744073709551615}}
]}
)");
}

/// speedscope sorts begins and ends, and of one time it takes an end first.
TEST(TimelineWriter, OnlyEndsOfSlicesShareATime) {
    const std::string text = text_of([](TimelineWriter& timeline) {
        const TimelineWriter::Place place{.source = 0, .track = 1};
        timeline.begin_slice(place, 5, "outer");
        timeline.begin_slice(place, 5, "inner");
        timeline.end_slice(place, 5, "inner");
        timeline.end_slice(place, 5, "outer");
        timeline.begin_slice(place, 5, "outer");
        timeline.begin_slice({.source = 0, .track = 2}, 5, "other track");
        timeline.end_slice(place, 50, "outer");
    });
    EXPECT_EQ(text, R"({"displayTimeUnit":"ns","traceEvents":[
{"ph":"B","pid":1,"tid":1,"ts":0.010,"name":"outer"},
{"ph":"B","pid":1,"tid":1,"ts":0.011,"name":"inner"},
{"ph":"E","pid":1,"tid":1,"ts":0.012,"name":"inner"},
{"ph":"E","pid":1,"tid":1,"ts":0.012,"name":"outer"},
{"ph":"B","pid":1,"tid":1,"ts":0.013,"name":"outer"},
{"ph":"B","pid":1,"tid":2,"ts":0.010,"name":"other track"},
{"ph":"E","pid":1,"tid":1,"ts":0.100,"name":"outer"}
]}
)");
}

} // namespace
} // namespace pes::trace
