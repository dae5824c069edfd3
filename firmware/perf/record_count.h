// SPDX-License-Identifier: Apache-2.0
// The whole records of a hart in a trace buffer: read back as a decoder would, because nothing else
// tells which messages were still on their way to the sink when the buffer was full.
#pragma once

#include "hw/interface/trace/perf_record.h"

#include <stdint.h>

namespace pes::perf {

struct StimulusFilter {
    unsigned source_bits = 0;
    unsigned source = 0; ///< SRC; 0 without the field
    unsigned stimulus = 0;
};

class RecordCounter {
  public:
    explicit RecordCounter(const StimulusFilter& filter) : filter_(filter) {}

    void add(uint8_t slice);
    uint64_t whole() const { return whole_; }

  private:
    enum class Expect : uint8_t {
        Nothing, ///< a header, a record, or the high half of the last value
        Type,
        Mask,
        EventType,
        EventCode,
        EventHigh,
        Info,
        Address,
        AddressHigh,
        Value,
    };

    void message();
    void store(unsigned tag, uint32_t value);
    void word(uint32_t value);
    void byte(uint8_t value);
    void after_address();

    const StimulusFilter filter_;
    // Of the message in hand
    unsigned field_ = 0; ///< variable field: 0 with what is fixed before it
    unsigned bits_ = 0;  ///< of it
    uint64_t head_ = 0;
    uint64_t data_ = 0;
    bool inside_ = false;
    // Of the records
    Expect expect_ = Expect::Nothing;
    perf_record::EventType event_ = perf_record::EventType::General;
    unsigned counters_ = 0;  ///< of a record
    unsigned remaining_ = 0; ///< addresses, definitions or values to come
    uint64_t whole_ = 0;
};

} // namespace pes::perf
