// SPDX-License-Identifier: Apache-2.0
// Streams that real encoders recorded, against the text that the published decoder printed for
// them. They are not part of this repository: the directory holds NAME.rtd and NAME.messages.txt.
#include "decoder/trace/output/message_text.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>

namespace pes::trace {
namespace {

std::string dump(const std::filesystem::path& file) {
    std::ifstream input(file, std::ios::binary);
    TraceReader reader(input, 0);
    ContextTracker contexts({});
    std::string text;
    std::uint64_t number = 0;
    for (TraceItem item; reader.next(item);) {
        const MessageContext context = contexts.next(item);
        EXPECT_NE(item.kind, TraceItem::Kind::Damage) << "at " << item.offset;
        EXPECT_FALSE(item.doubtful) << "at " << item.offset;
        if (item.kind == TraceItem::Kind::Message) {
            append_message(text, ++number, item.message, context, SourceColumn::Hidden);
        }
    }
    return text;
}

/// Without the column that needs the traced program.
std::string expected(const std::filesystem::path& file) {
    std::ifstream input(file);
    std::string text;
    for (std::string line; std::getline(input, line);) {
        text += std::regex_replace(line, std::regex("NxtAddr: [0-9a-f]+, "), "") + "\n";
    }
    return text;
}

TEST(PublishedCaptures, ReadAsThePublishedDecoderReadsThem) {
    std::size_t captures = 0;
    for (const auto& entry : std::filesystem::directory_iterator(PES_TRACE_CAPTURES)) {
        if (entry.path().extension() == ".rtd") {
            ++captures;
            EXPECT_EQ(
                dump(entry.path()),
                expected(std::filesystem::path(entry.path()).replace_extension(".messages.txt")))
                << entry.path();
        }
    }
    EXPECT_GT(captures, 0U) << "no NAME.rtd in " PES_TRACE_CAPTURES;
}

} // namespace
} // namespace pes::trace
