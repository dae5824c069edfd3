// SPDX-License-Identifier: Apache-2.0
// What a full buffer has no place for: when its sink stops, messages are still on their way.
#include "firmware/perf/hart_state.h"
#include "firmware/perf/record_count.h"

namespace pes::perf {

namespace {

/// Bytes of a buffer from its base on.
class BufferReader {
  public:
    explicit BufferReader(const HartState& hart)
        : unit_(hart.sink_unit), base_(hart.sink->buffer.base),
          in_sram_(hart.sink->requested == 0) {
        if (in_sram_) {
            unit_.set_read_pointer(0);
        }
    }
    uint32_t next_word() {
        if (in_sram_) {
            return unit_.take_data();
        }
        const auto* word = reinterpret_cast<const volatile uint32_t*>(base_);
        base_ += sizeof *word;
        return *word;
    }

  private:
    TraceUnit unit_;
    uint64_t base_;
    bool in_sram_;
};

uint64_t whole_records(const HartState& hart) {
    RecordCounter counter({.source_bits = hart.encoder.source_bits(),
                           .source = hart.encoder.source(),
                           .stimulus = hart.stimulus.channel()});
    BufferReader reader(hart);
    for (uint64_t left = hart.sink->buffer.size; left != 0; left -= sizeof(uint32_t)) {
        const uint32_t word = reader.next_word();
        for (unsigned shift = 0; shift < 32; shift += 8) {
            counter.add(static_cast<uint8_t>(word >> shift));
        }
    }
    return counter.whole();
}

} // namespace

void count_lost_records(HartState& hart) {
    const LockGuard guard(library.lock);
    if (hart.counted || !hart.sink_unit.full()) {
        return;
    }
    machine::order_memory();
    hart.lost_records = hart.records - whole_records(hart);
    hart.counted = true;
}

} // namespace pes::perf
