// SPDX-License-Identifier: Apache-2.0
// The fuzzer's entry point without libFuzzer: the corpus, and seeded mutations of it. The corpus is
// what our own packers make of the examples of the formats; PES_WRITE_CORPUS=DIR writes it.
#include "hw/interface/trace/osd_packet.h"
#include "tests/fuzz/trace_fuzz.h"
#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/decoder/trace/perf_writes.h"

#include <gtest/gtest.h>
#include <random>

namespace pes::fuzz {
namespace {

using namespace trace;
using trace::test::PerfWrites;
using trace::test::TraceWriter;
using namespace perf_record;

PerfWrites records(CountType type, std::uint16_t source = 0) {
    PerfWrites writes(source);
    writes.header(type, 0x15, 40);
    writes.record(RecordKind::FunctionEnter, {0x80000000, 0x80000104}, {1, 2, 0x1'0000'0000});
    writes.manual(0xFFFFFFC0'80000010, {5, 6, 7});
    writes.record(RecordKind::FunctionExit, {0x80000000, 0x80000104}, {8, 9, 10});
    return writes;
}

std::string every_message(unsigned source_bits, TimestampFormat format) {
    TraceWriter writer(source_bits, format);
    std::uint64_t time = 1000;
    for (unsigned code = 0; code < (1U << kCodeBits); ++code) {
        if (const MessageLayout* layout = find_layout(code)) {
            TraceMessage message = make_message(layout->code);
            for (std::size_t field = 0; field < layout->field_count; ++field) {
                const bool fixed = layout->fields[field].packing == Packing::Fixed;
                message.values[field] = fixed ? 1 : 0x35 + code;
            }
            writer.at(time += 7, message);
        }
    }
    return writer.bytes();
}

std::string packets() {
    std::string bytes;
    osd::append_event(bytes, {1, 7}, {300, osd::kThreadSwitchId, 0x80001000}, 4);
    osd::append_event(bytes, {1, 7}, {301, osd::kPrintId, 'x'}, 4, 5);
    osd::append_overflow(bytes, {1, 7}, 9);
    return bytes;
}

/// By name; the first byte chooses how the rest is read.
std::map<std::string, std::string> seeds() {
    // The stream of the specification's example: an absolute time, and a write to stimulus 0.
    const std::string example("\x8C\x00\x01\x44\x37\x1C\x01\xD0\x30\xFC\x60\xFC\x05\x0F", 14);
    return {
        {"example", std::string(1, '\x20') + example},
        {"raw", std::string(1, '\0') + records(CountType::Raw).trace()},
        {"delta", std::string(1, '\0') + records(CountType::Delta).trace()},
        {"delta_xor", std::string(1, '\0') + records(CountType::DeltaXor).trace()},
        {"two_sources", std::string(1, '\1') + records(CountType::Raw, 0).trace(1) +
                            records(CountType::DeltaXor, 1).trace(1)},
        {"messages", std::string(1, '\2') + every_message(2, {})},
        {"messages_additive",
         std::string(1, '\x0C') + every_message(0, {TimestampDialect::NTrace, 64})},
        {"packets", std::string(1, '\x80') + packets()},
    };
}

void decode(const std::string& input) {
    decode_anything({reinterpret_cast<const std::uint8_t*>(input.data()), input.size()});
}

/// As libFuzzer changes inputs: bits, bytes, lengths, pieces of another input.
std::string mutated(const std::string& seed, const std::string& other, std::mt19937& random) {
    std::string input = seed;
    for (unsigned change = 0; change < 1 + random() % 8; ++change) {
        const std::size_t at = random() % input.size();
        switch (random() % 5) {
        case 0:
            input[at] = static_cast<char>(input[at] ^ (1 << random() % 8));
            break;
        case 1:
            input[at] = static_cast<char>(random());
            break;
        case 2:
            input.erase(at, random() % 16);
            break;
        case 3:
            input.insert(at, input.substr(random() % input.size(), random() % 64));
            break;
        default:
            input.insert(at, other.substr(random() % other.size(), random() % 64));
            break;
        }
        if (input.empty()) {
            return seed;
        }
    }
    return input;
}

TEST(TraceFuzz, CorpusInTheTreeIsWhatTheExamplesMake) {
    const std::filesystem::path directory(CORPUS);
    if (const char* place = std::getenv("PES_WRITE_CORPUS")) {
        for (const auto& [name, bytes] : seeds()) {
            std::ofstream(std::filesystem::path(place) / name, std::ios::binary) << bytes;
        }
    }
    for (const auto& [name, bytes] : seeds()) {
        EXPECT_EQ(pes::test::read_file(directory / name), bytes) << name;
    }
}

TEST(TraceFuzz, DecodesTheCorpusAndWhatItIsCutTo) {
    for (const auto& [name, bytes] : seeds()) {
        for (std::size_t size = 0; size <= bytes.size(); ++size) {
            decode(bytes.substr(0, size));
        }
    }
}

TEST(TraceFuzz, DecodesMutationsOfTheCorpus) {
    std::mt19937 random(5);
    const auto all = seeds();
    const auto pick = [&] { return std::next(all.begin(), random() % all.size())->second; };
    for (int turn = 0; turn < 20000; ++turn) {
        decode(mutated(pick(), pick(), random));
    }
}

TEST(TraceFuzz, DecodesNoise) {
    std::mt19937 random(6);
    for (int turn = 0; turn < 2000; ++turn) {
        std::string noise(1 + random() % 400, '\0');
        for (char& byte : noise) {
            byte = static_cast<char>(random());
        }
        decode(noise);
    }
}

} // namespace
} // namespace pes::fuzz
