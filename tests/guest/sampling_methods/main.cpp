// SPDX-License-Identifier: Apache-2.0
// Samples the loads of a loop by each method of the sampling calls, with records of both versions,
// and looks at the instructions that the samples name. One line a method; exit code 1 if a sample
// of method "cause" or "decoded" names another instruction than a load, or a record does not hold
// what it says.
#include "firmware/apps/runtime/user.h"
#include "hw/interface/maps/sample_record.h"
#include "hw/interface/pmu/counter_csr.h"

namespace {

using namespace pes;

constexpr uint64_t kCounter = kFirstProgrammable;
constexpr uint64_t kLoads = 5;        ///< of the profile cva6
constexpr uint64_t kDecodedLoads = 1; ///< the kind, for method "decoded"
constexpr uint64_t kPeriod = 37;
constexpr unsigned kRounds = 3000;
constexpr size_t kBufferSize = 65536; // for all samples of the largest kind
constexpr unsigned kWords = 64;

volatile uint64_t words[kWords];

__attribute__((noinline)) uint64_t work() {
    uint64_t sum = 0;
    for (unsigned i = 0; i < kRounds; ++i) {
        sum = sum * 5 + words[i % kWords];
        sum ^= sum >> 3;
    }
    return sum;
}

/// lb..lwu; c.lw, c.ld, c.lwsp, c.ldsp, c.fld and c.fldsp.
bool is_load(uint64_t pc) {
    const auto* const half = reinterpret_cast<const uint16_t*>(pc);
    const unsigned word = half[0];
    const unsigned funct3 = word >> 13;
    switch (word & 3) {
    case 0:
    case 2:
        return funct3 == 1 || funct3 == 2 || funct3 == 3;
    case 3:
        return (word & 0x7F) == 0x03;
    default:
        return false;
    }
}

/// jal or jalr that links, c.jalr.
bool is_call(uint64_t pc) {
    const auto* const half = reinterpret_cast<const uint16_t*>(pc);
    const unsigned word = half[0];
    return ((word & 0x7F) == 0x6F || (word & 0x7F) == 0x67) ? (word >> 7 & 0x1F) != 0
                                                            : (word & 0xF07F) == 0x9002;
}

struct Found {
    uint64_t samples = 0;
    uint64_t loads = 0; ///< whose pc is a load
    uint64_t wrong = 0; ///< records that do not hold what they should
};

bool is_near(uint64_t address, uint64_t other) {
    constexpr uint64_t kNear = 4096;
    return address - other + kNear < 2 * kNear;
}

bool is_word(uint64_t address) {
    const auto first = reinterpret_cast<uint64_t>(words);
    return address >= first && address < first + sizeof(words);
}

/// The parts of a record of version 2.
bool parts_are_right(const SampleRecord& record, uint64_t parts) {
    const auto* const details = reinterpret_cast<const SampleDetails*>(&record + 1);
    const auto* value = reinterpret_cast<const uint64_t*>(details + 1);
    uint64_t sampled = 0;
    unsigned values = 0;
    for (unsigned n = 0; n < 32; ++n) {
        if ((details->counters >> n & 1) != 0) {
            sampled = n == kCounter ? value[values] : sampled;
            ++values;
        }
    }
    const uint64_t* const registers = value + values;
    for (unsigned n = 0; n < 32; ++n) {
        values += details->registers >> n & 1;
    }
    constexpr unsigned kStackPointer = 2; // x1 is the first
    const uint64_t here = reinterpret_cast<uint64_t>(&sampled);
    const bool counters =
        (parts & sbi::sampling::kRecordCounters) == 0 || sampled == record.counter_value;
    const bool stack =
        (parts & sbi::sampling::kRecordRegisters) == 0 ||
        (details->registers == 0xFFFF'FFFE && is_near(registers[kStackPointer - 1], here));
    const bool data = (record.flags & kSampleCaused) == 0 || is_word(details->data_address) ||
                      is_near(details->data_address, here);
    const bool calls = (parts & sbi::sampling::kRecordCalls) == 0 ||
                       (details->calls != 0 && is_call(value[values]));
    return record.size == kSampleSize + sizeof(SampleDetails) + 8 * (values + details->calls) &&
           counters && stack && data && calls;
}

Found look_at(const void* buffer, uint64_t bytes, uint64_t parts) {
    Found found;
    const auto* at = static_cast<const unsigned char*>(buffer);
    for (const auto* end = at + bytes; at < end;) {
        const auto& record = *reinterpret_cast<const SampleRecord*>(at);
        const uint16_t version = parts == 0 ? kSampleVersion : kDetailedVersion;
        if (record.magic != kSampleMagic || record.version != version ||
            record.size < kSampleSize || (parts != 0 && !parts_are_right(record, parts))) {
            ++found.wrong;
            break;
        }
        ++found.samples;
        found.loads += is_load(record.pc) ? 1 : 0;
        at += record.size;
    }
    return found;
}

/// Fails if the firmware refuses a call.
bool sample(void* buffer, uint64_t method, uint64_t parts, Found& found) {
    const bool ready =
        user::sampling(sbi::sampling::kMethod, method) == 0 &&
        user::sampling(sbi::sampling::kRecord, parts) == 0 &&
        user::sampling(sbi::sampling::kSetBuffer, reinterpret_cast<uint64_t>(buffer),
                       kBufferSize) == 0 &&
        user::sampling(sbi::sampling::kEnable, kCounter,
                       method == sbi::sampling::kDecoded ? kDecodedLoads : kLoads, kPeriod) == 0 &&
        user::sampling(sbi::sampling::kStart) == 0;
    if (!ready) {
        return false;
    }
    const volatile uint64_t result = work();
    (void)result;
    // The program is its own tool: it reads the buffer before the supervisor writes it to the host.
    const int64_t bytes = user::sampling(sbi::sampling::kHandOver);
    if (bytes < 0) {
        return false;
    }
    found = look_at(buffer, static_cast<uint64_t>(bytes), parts);
    const bool resumed = user::sampling(sbi::sampling::kResume) == 0;
    const bool stopped = user::sampling(sbi::sampling::kStop) == 0;
    user::sampling(sbi::sampling::kDisable, kCounter);
    return resumed && stopped;
}

} // namespace

int main() {
    void* const buffer = user::map_memory(kBufferSize);
    if (buffer == nullptr) {
        return 1;
    }
    constexpr uint64_t kAll = sbi::sampling::kRecordDetails | sbi::sampling::kRecordCounters |
                              sbi::sampling::kRecordRegisters;
    uint64_t wrong = 0;
    constexpr uint64_t kMethods[] = {sbi::sampling::kInterrupted, sbi::sampling::kCause,
                                     sbi::sampling::kDecoded};
    constexpr const char* kNames[] = {"interrupted", "cause", "decoded"};
    const bool has_calls = user::sampling(sbi::sampling::kRecord, sbi::sampling::kRecordCalls) == 0;
    const uint64_t kParts[] = {0, sbi::sampling::kRecordDetails, kAll,
                               has_calls ? kAll | sbi::sampling::kRecordCalls : kAll};
    for (const uint64_t method : kMethods) {
        if (method == sbi::sampling::kDecoded &&
            user::sampling(sbi::sampling::kMethod, method) == sbi::kNotSupported) {
            break; // a hart without Smpdis
        }
        const bool exact = method != sbi::sampling::kInterrupted;
        for (const uint64_t parts : kParts) {
            Found found;
            if (!sample(buffer, method, parts, found)) {
                user::print_line("sampling_methods: the hart captures no causes, expected "
                                 "extensions.sspesa=true");
                return 2;
            }
            user::print_line("method ", kNames[method], ", parts ", parts, ": ", found.samples,
                             " samples, ", found.loads, " name a load, ", found.wrong, " wrong");
            wrong += found.wrong + (exact ? found.samples - found.loads : 0);
            wrong += found.samples == 0 ? 1 : 0;
        }
    }
    return wrong == 0 ? 0 : 1;
}
