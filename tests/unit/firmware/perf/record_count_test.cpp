// SPDX-License-Identifier: Apache-2.0
// The whole records in a trace buffer, whose messages are packed as an encoder would.
#include "firmware/perf/record_count.h"
#include "hw/interface/trace/message_packer.h"
#include "hw/interface/trace/stimulus.h"

#include <gtest/gtest.h>

#include <vector>

namespace pes::perf {
namespace {

using namespace perf_record;

/// A trace, and behind which byte each record is whole.
class Writer {
  public:
    explicit Writer(unsigned source_bits = 0, std::uint16_t source = 0)
        : source_bits_(source_bits), source_(source) {}

    void word(std::uint32_t value) { store(4, value); }
    void half(std::uint16_t value) { store(2, value); }
    void byte(std::uint8_t value) { store(1, value); }
    void use(unsigned stimulus) { stimulus_ = stimulus; }
    void send(const trace::TraceMessage& message) {
        const trace::PackedMessage packed =
            trace::pack_message(message, source_bits_, {.source = source_, .timestamp = 0x1234});
        bytes.insert(bytes.end(), packed.bytes.begin(), packed.bytes.begin() + packed.size);
    }
    void pad() { bytes.insert(bytes.end(), 3, 0xFF); }

    void header(std::uint32_t mask) {
        write_header(*this, CountType::Raw, mask);
        for (; mask != 0; mask &= mask - 1) {
            write_definition(*this, (mask & 4) != 0 ? EventType::Raw : EventType::General, 5,
                             {.csr = 0xC03, .width = 64});
        }
    }
    void record(RecordKind kind, std::uint64_t address, const std::vector<std::uint64_t>& values) {
        write_kind(*this, kind);
        write_address(*this, address);
        if (has_call_site(kind)) {
            write_address(*this, address + 0x40);
        }
        for (const std::uint64_t value : values) {
            write_value(*this, value);
        }
        ends.push_back(values.empty() ? bytes.size() : first_store_end_);
    }

    std::vector<std::uint8_t> bytes;
    std::vector<std::size_t> ends;

  private:
    void store(unsigned size, std::uint32_t value) {
        send(trace::to_message({.stimulus = stimulus_, .bytes = size, .value = value}));
        if (size == 4) { // a high half-word may be missing: nobody can tell
            first_store_end_ = bytes.size();
        }
    }

    unsigned source_bits_;
    std::uint16_t source_;
    unsigned stimulus_ = 6;
    std::size_t first_store_end_ = 0;
};

std::uint64_t count(const std::vector<std::uint8_t>& bytes, std::size_t size,
                    const StimulusFilter& filter) {
    RecordCounter counter(filter);
    for (std::size_t i = 0; i < size; ++i) {
        counter.add(bytes[i]);
    }
    return counter.whole();
}

/// Wherever the buffer ends.
void expect_whole_records(const Writer& writer, const StimulusFilter& filter) {
    for (std::size_t size = 0; size <= writer.bytes.size(); ++size) {
        std::uint64_t expected = 0;
        for (const std::size_t end : writer.ends) {
            expected += end <= size ? 1 : 0;
        }
        ASSERT_EQ(count(writer.bytes, size, filter), expected) << "of " << size << " bytes";
    }
}

TEST(RecordCount, ARecordIsWholeBehindItsLastValue) {
    Writer writer;
    writer.header(0x1D);
    writer.record(RecordKind::Manual, 0x8000'0040, {1, 0, 0xFFFF'FFFF, 7});
    writer.pad();
    writer.record(RecordKind::Interrupt, 0xFFFF'FFFF'8000'0040, {1, 0x1234'0000'0000, 2, 3});
    writer.record(RecordKind::FunctionEnter, 0x8000'0040, {1, 2, 3, 4});
    writer.record(RecordKind::FunctionExit, 0xFFFF'FFFF'8000'0040, {1, 2, 3, 0x5'0000'0000});
    expect_whole_records(writer, {.stimulus = 6});
}

TEST(RecordCount, ARecordWithoutCountersIsWholeBehindItsAddress) {
    Writer writer;
    writer.header(0);
    writer.record(RecordKind::Manual, 0x40, {});
    writer.record(RecordKind::FunctionExit, 0x1'0000'0040, {});
    expect_whole_records(writer, {.stimulus = 6});
}

TEST(RecordCount, ASecondHeaderChangesTheCounters) {
    Writer writer;
    writer.header(1);
    writer.record(RecordKind::Manual, 0x40, {9});
    writer.header(0x7);
    writer.record(RecordKind::Manual, 0x40, {9, 8, 7});
    expect_whole_records(writer, {.stimulus = 6});
}

TEST(RecordCount, OthersStimuliSourcesAndMessagesDoNotCount) {
    Writer writer(2, 3);
    writer.send(trace::make_message(trace::MessageCode::InCircuitTraceSync));
    writer.header(1);
    writer.record(RecordKind::Manual, 0x40, {9});
    writer.use(7);
    writer.byte(2);
    writer.word(0x80);
    writer.use(6);
    writer.record(RecordKind::Manual, 0x40, {9});
    expect_whole_records(writer, {.source_bits = 2, .source = 3, .stimulus = 6});
    EXPECT_EQ(
        count(writer.bytes, writer.bytes.size(), {.source_bits = 2, .source = 1, .stimulus = 6}),
        0U);
}

} // namespace
} // namespace pes::perf
