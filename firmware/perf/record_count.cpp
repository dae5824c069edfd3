// SPDX-License-Identifier: Apache-2.0
#include "firmware/perf/record_count.h"

namespace pes::perf {

namespace {

constexpr unsigned kSliceEndBits = 2; // MSEO
constexpr unsigned kSliceDataBits = 6;
constexpr unsigned kFieldEnds = 1; // MSEO of the last slice of a field
constexpr unsigned kMessageEnds = 3;
constexpr unsigned kCountCodeBits = 6;
constexpr uint64_t kDataAcquisition = 7; // TCODE
constexpr unsigned kWordBits = 64;

} // namespace

/// A slice: six bits of data, and in the lowest two whether a field or the message ends.
void RecordCounter::add(uint8_t slice) {
    const unsigned end = slice & ((1U << kSliceEndBits) - 1);
    if (!inside_) {
        if (end != 0) {
            return; // padding
        }
        inside_ = true;
        field_ = bits_ = 0;
        head_ = data_ = 0;
    }
    const uint64_t bits = slice >> kSliceEndBits;
    if (bits_ < kWordBits && field_ < 2) {
        (field_ == 0 ? head_ : data_) |= bits << bits_;
    }
    bits_ += kSliceDataBits;
    if (end == kFieldEnds || end == kMessageEnds) {
        ++field_;
        bits_ = 0;
    }
    if (end == kMessageEnds) {
        inside_ = false;
        message();
    }
}

void RecordCounter::message() {
    const uint64_t code = head_ & ((uint64_t{1} << kCountCodeBits) - 1);
    const uint64_t source = head_ >> kCountCodeBits & ((uint64_t{1} << filter_.source_bits) - 1);
    const uint64_t tag = head_ >> (kCountCodeBits + filter_.source_bits);
    if (code == kDataAcquisition && source == filter_.source && tag / 4 == filter_.stimulus) {
        store(static_cast<unsigned>(tag % 4), static_cast<uint32_t>(data_));
    }
}

/// The tag tells the size: offset 2 is a half-word, which only goes on with a value, 3 a byte.
void RecordCounter::store(unsigned tag, uint32_t value) {
    if (tag == 3) {
        byte(static_cast<uint8_t>(value));
    } else if (tag < 2) {
        word(value);
    }
}

void RecordCounter::byte(uint8_t value) {
    if (expect_ == Expect::Type) {
        expect_ = Expect::Mask;
        return;
    }
    remaining_ = perf_record::has_call_site(static_cast<perf_record::RecordKind>(value)) ? 2 : 1;
    expect_ = Expect::Address;
}

void RecordCounter::after_address() {
    if (--remaining_ != 0) {
        expect_ = Expect::Address;
        return;
    }
    remaining_ = counters_;
    expect_ = counters_ != 0 ? Expect::Value : Expect::Nothing;
    whole_ += counters_ == 0 ? 1 : 0;
}

void RecordCounter::word(uint32_t value) {
    switch (expect_) {
    case Expect::Nothing: // the marker
    case Expect::Type:
        expect_ = Expect::Type;
        return;
    case Expect::Mask:
        counters_ = remaining_ = static_cast<unsigned>(__builtin_popcount(value));
        expect_ = counters_ != 0 ? Expect::EventType : Expect::Nothing;
        return;
    case Expect::EventType:
        event_ = static_cast<perf_record::EventType>(value);
        expect_ = Expect::EventCode;
        return;
    case Expect::EventCode:
        expect_ = perf_record::event_words(event_) == 2 ? Expect::EventHigh : Expect::Info;
        return;
    case Expect::EventHigh:
        expect_ = Expect::Info;
        return;
    case Expect::Info:
        expect_ = --remaining_ != 0 ? Expect::EventType : Expect::Nothing;
        return;
    case Expect::Address:
        if ((value & perf_record::kHighAddressFollows) != 0) {
            expect_ = Expect::AddressHigh;
        } else {
            after_address();
        }
        return;
    case Expect::AddressHigh:
        after_address();
        return;
    case Expect::Value:
        if (--remaining_ == 0) {
            expect_ = Expect::Nothing;
            ++whole_;
        }
        return;
    }
}

} // namespace pes::perf
