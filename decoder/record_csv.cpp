// SPDX-License-Identifier: Apache-2.0
#include "decoder/record_csv.h"

#include <spdlog/fmt/fmt.h>

#include <span>
#include <string>

namespace pes {

namespace {

/// "NAMEn=value" for each bit n, separated by spaces.
std::string list(const char* name, std::uint32_t mask, std::span<const std::uint64_t> values) {
    std::string text;
    std::size_t next = 0;
    for (unsigned bit = 0; bit < 32; ++bit) {
        if ((mask >> bit & 1) != 0) {
            text += fmt::format("{}{}{}={:#x}", text.empty() ? "" : " ", name, bit, values[next++]);
        }
    }
    return text;
}

} // namespace

RecordCsv::RecordCsv(std::ostream& out) : out_(out) {
    out_ << "hart,cycle,counter,event,privilege,pc,caused,lengthened,counter_value,threshold,lost,"
            "interrupted_pc,data_address,satp,counters,registers,calls\n";
}

void RecordCsv::write(const SampleRecord& record, const RecordDetails* details) {
    out_ << fmt::format("{},{},{},{:#x},{},{:#x},{:d},{:d},{},{},{},", record.hart, record.cycle,
                        record.counter, record.event, record.privilege, record.pc,
                        (record.flags & kSampleCaused) != 0,
                        (record.flags & kSampleLengthened) != 0, record.counter_value,
                        record.threshold, record.lost);
    if (details == nullptr) {
        out_ << ",,,,,\n";
        return;
    }
    const SampleDetails& fixed = details->fixed;
    out_ << fmt::format("{:#x},{:#x},{:#x},{},{},{:#x}\n", fixed.interrupted_pc, fixed.data_address,
                        fixed.satp, list("c", fixed.counters, details->counters),
                        list("x", fixed.registers, details->registers),
                        fmt::join(details->calls, " "));
}

} // namespace pes
