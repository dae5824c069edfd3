// SPDX-License-Identifier: Apache-2.0
#include "hw/pdis/record.h"

#include "hw/interface/riscv/instruction_class.h"
#include "hw/interface/riscv/transfer_type.h"

#include <algorithm>

namespace pes::pdis {

namespace {

using End = SampledInstruction::End;

/// One bit for each kind of control transfer, in the order of their types.
std::uint64_t transfer_bit(const SampledInstruction& instruction) {
    const auto type = transfer_type(classify_flow(instruction.raw), instruction.taken);
    return std::uint64_t{1} << (header::kTransferShift + static_cast<unsigned>(type));
}

std::uint64_t flag(bool set, std::uint64_t bits) {
    return set ? bits : 0;
}

/// L1 is the last level of either kind, so both bits say the same.
std::uint64_t access_bits(const SampledInstruction& instruction) {
    const bool store =
        instruction.decoded.type == DecodedType::Store && instruction.end == End::Retired;
    return flag(instruction.dtlb_miss, header::kFirstTlbMiss | header::kLastTlbMiss) |
           flag(instruction.l1d_miss, header::kFirstMiss | header::kLastMiss) |
           static_cast<std::uint64_t>(instruction.source) << header::kSourceShift |
           // It retires when its data are in the store buffer.
           flag(store && instruction.source == DataSource::Unknown, header::kPartial);
}

std::uint64_t header_of(const SampledInstruction& instruction) {
    const auto type = static_cast<std::uint64_t>(instruction.decoded.type);
    const bool flushed = instruction.end == End::Flushed;
    std::uint64_t word = type | flag(!flushed, header::kFetchValid);
    if (flushed) {
        constexpr std::uint64_t kMispredict = 1, kOther = 3;
        word |= header::kFlushed |
                (instruction.flush == SampledInstruction::Flush::Mispredict ? kMispredict : kOther)
                    << header::kFlushShift;
    } else {
        word |= flag(instruction.itlb_miss, header::kItlbMiss) |
                flag(instruction.l1i_miss, header::kIcacheMiss);
    }
    if (instruction.decoded.type == DecodedType::Transfer) {
        word |= transfer_bit(instruction) | flag(instruction.mispredicted, header::kMispredicted);
    } else if (instruction.decoded.type != DecodedType::Other) {
        word |= access_bits(instruction);
    }
    return word;
}

struct Latency {
    std::uint64_t cycles = 0;
    bool valid = false;
};

Latency between(Cycle from, Cycle to) {
    if (from == kNever || to == kNever) {
        return {};
    }
    return {.cycles = std::min<std::uint64_t>(to - from, latency::kMost), .valid = true};
}

std::uint64_t latencies_of(const SampledTimes& times) {
    const Latency list[] = {
        between(times.decoded, times.ended), between(times.decoded, times.dispatched),
        between(times.dispatched, times.issued), between(times.issued, times.completed),
        between(times.oldest, times.ended)};
    std::uint64_t word = 0;
    for (unsigned number = 0; number < std::size(list); ++number) {
        word |= list[number].cycles << (latency::kBits * number);
        if (number != 0) {
            word |= std::uint64_t{list[number].valid} << (latency::kFirstValid + number - 1);
        }
    }
    return word;
}

/// Which address belongs to a control transfer: that of a not-taken branch and of a trap return is
/// not captured.
bool has_target(const SampledInstruction& instruction) {
    const FlowKind kind = classify_flow(instruction.raw).kind;
    return instruction.end == End::Retired &&
           (instruction.taken || kind == FlowKind::DirectJump || kind == FlowKind::IndirectJump);
}

} // namespace

Record make_record(const SampledInstruction& instruction, std::uint64_t control) {
    Record record{};
    record[kHeader] = header_of(instruction);
    record[kPc] = instruction.decoded.pc;
    record[kTime] = (control & control::kTs) != 0 && instruction.time_open ? instruction.time : 0;
    record[kLatencies] = latencies_of(instruction.times);
    const auto capture = [&record](Word word, std::uint64_t valid, std::uint64_t value) {
        record[word] = value;
        record[kHeader] |= valid;
    };
    if (instruction.end == End::Flushed) {
        capture(kAddress1, header::kAddress1Valid, instruction.flushed_by);
    } else if (instruction.data) {
        capture(kAddress1, header::kAddress1Valid, *instruction.data);
        if (instruction.physical && (control & control::kPa) != 0) {
            capture(kAddress2, header::kAddress2Valid, *instruction.physical >> 2);
        }
    } else if (has_target(instruction)) {
        capture(kAddress1, header::kAddress1Valid, instruction.target);
    }
    return record;
}

} // namespace pes::pdis
