// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/record_reader.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace pes {
namespace {

static_assert(std::endian::native == std::endian::little, "records are read in place");

constexpr std::size_t kWindowBytes = std::size_t{64} * 1024;
constexpr std::size_t kBoundary = 8; // records are naturally aligned in the guest's buffer
constexpr std::size_t kHeaderBytes = offsetof(SampleRecord, hart);         // magic, size, version
constexpr std::size_t kDetailedSize = kSampleSize + sizeof(SampleDetails); // without values

std::size_t size_with(const SampleDetails& details) {
    const auto values = static_cast<std::size_t>(std::popcount(details.counters) +
                                                 std::popcount(details.registers));
    return kDetailedSize + (values + details.calls) * sizeof(std::uint64_t);
}

} // namespace

RecordReader::RecordReader(std::istream& input) : input_(input), window_(kWindowBytes) {}

bool RecordReader::next(SampleRecord& record) {
    while (const std::size_t available = fill()) {
        switch (classify(available)) {
        case Front::Record:
            record = peek(available);
            details_.reset();
            if (record.version == kDetailedVersion) {
                take_details();
            }
            begin_ += record.size;
            in_garbage_ = false;
            foreign_left_ = 0;
            return true;
        case Front::Unsupported: {
            const SampleRecord header = peek(available);
            ++problems_.unsupported_versions[header.version];
            in_garbage_ = false;
            foreign_left_ = std::max<std::size_t>(header.size, kBoundary);
            skip_word(available);
            break;
        }
        case Front::Truncated:
            problems_.truncated_bytes += available;
            begin_ = end_;
            return false;
        case Front::Garbage:
            skip_word(available);
            break;
        }
    }
    return false;
}

/// Makes a whole record available if the stream still has one; returns the bytes at hand.
std::size_t RecordReader::fill() {
    if (end_ - begin_ < kLargestSample && input_) {
        std::memmove(window_.data(), window_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
        input_.read(window_.data() + end_, static_cast<std::streamsize>(window_.size() - end_));
        end_ += static_cast<std::size_t>(input_.gcount());
    }
    return end_ - begin_;
}

SampleRecord RecordReader::peek(std::size_t available) const {
    SampleRecord record{};
    std::memcpy(&record, window_.data() + begin_, std::min<std::size_t>(available, kSampleSize));
    return record;
}

RecordReader::Front RecordReader::classify(std::size_t available) const {
    const std::size_t magic_bytes = std::min(available, sizeof(kSampleMagic));
    if (std::memcmp(window_.data() + begin_, &kSampleMagic, magic_bytes) != 0) {
        return Front::Garbage;
    }
    if (available < kHeaderBytes) {
        return Front::Truncated;
    }
    const SampleRecord header = peek(available);
    if (header.version != kSampleVersion && header.version != kDetailedVersion) {
        return Front::Unsupported;
    }
    if (header.version == kSampleVersion && header.size != kSampleSize) {
        return Front::Garbage;
    }
    if (header.version == kDetailedVersion && available >= kDetailedSize &&
        header.size != size_with(peek_details())) {
        return Front::Garbage;
    }
    const bool whole = available >= std::max<std::size_t>(header.size, kSampleSize);
    return whole ? Front::Record : Front::Truncated;
}

SampleDetails RecordReader::peek_details() const {
    SampleDetails details;
    std::memcpy(&details, window_.data() + begin_ + kSampleSize, sizeof(details));
    return details;
}

/// Of the record at the front, which is whole.
void RecordReader::take_details() {
    RecordDetails& details = details_.emplace();
    details.fixed = peek_details();
    const char* from = window_.data() + begin_ + kDetailedSize;
    const auto take = [&from](std::vector<std::uint64_t>& values, std::size_t count) {
        values.resize(count);
        std::memcpy(values.data(), from, values.size() * sizeof(std::uint64_t));
        from += values.size() * sizeof(std::uint64_t);
    };
    take(details.counters, static_cast<std::size_t>(std::popcount(details.fixed.counters)));
    take(details.registers, static_cast<std::size_t>(std::popcount(details.fixed.registers)));
    take(details.calls, details.fixed.calls);
}

void RecordReader::skip_word(std::size_t available) {
    const std::size_t bytes = std::min(available, kBoundary);
    begin_ += bytes;
    if (foreign_left_ > 0) {
        foreign_left_ -= std::min(foreign_left_, bytes);
        return;
    }
    problems_.skipped_runs += in_garbage_ ? 0 : 1;
    in_garbage_ = true;
    problems_.skipped_bytes += bytes;
}

} // namespace pes
