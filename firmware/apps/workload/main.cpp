// SPDX-License-Identifier: Apache-2.0
// The workload: five hot functions of clearly different weight, sampled on cycles, loads and
// mispredicted branches at once. Full buffers and the rest at the end go to the host's sample file.
#include "firmware/apps/runtime/user.h"
#include "firmware/apps/workload/workload.h"

#ifndef WORKLOAD_SCALE
#define WORKLOAD_SCALE 1 // multiplies the rounds of every function
#endif
#ifndef WORKLOAD_LOADS // selectors of the machine's PMU profile: by default CVA6's
#define WORKLOAD_LOADS 5
#define WORKLOAD_MISPREDICTS 10
#endif

namespace {

using namespace pes;

constexpr size_t kBufferSize = 16 * 1024; // 256 records

struct SampledEvent {
    uint64_t counter; // 0 = cycle
    uint64_t event;
    uint64_t period; // a prime, so that it does not fall into step with a loop
};
constexpr SampledEvent kSampled[] = {
    {0, 0, 20011}, // cycles
    {3, WORKLOAD_LOADS, 5003},
    {4, WORKLOAD_MISPREDICTS, 1009},
};

struct HotFunction {
    const char* name;
    uint64_t (*run)(unsigned rounds);
    unsigned rounds;
};
constexpr HotFunction kFunctions[] = {
    {"matrix", workload::multiply_matrices, 5}, {"checksum", workload::checksum_block, 20},
    {"sort", workload::sort_numbers, 4},        {"list", workload::walk_list, 80},
    {"search", workload::search_text, 4},
};

/// 0, or the error of the call that failed.
int64_t start_sampling() {
    void* buffer = user::map_memory(kBufferSize);
    if (buffer == nullptr) {
        return sbi::kFailed;
    }
    int64_t error =
        user::sampling(sbi::sampling::kSetBuffer, reinterpret_cast<uint64_t>(buffer), kBufferSize);
    for (const SampledEvent& sampled : kSampled) {
        if (error == 0) {
            error = user::sampling(sbi::sampling::kEnable, sampled.counter, sampled.event,
                                   sampled.period);
        }
    }
    return error == 0 ? user::sampling(sbi::sampling::kStart) : error;
}

uint64_t instructions_retired() {
    uint64_t count;
    asm volatile("rdinstret %0" : "=r"(count));
    return count;
}

} // namespace

int main() {
    const int64_t error = start_sampling();
    if (error != 0) {
        user::print_line("workload: runs without sampling (SBI error -",
                         static_cast<uint64_t>(-error), ")");
    }
    const uint64_t before = instructions_retired();
    for (const HotFunction& function : kFunctions) {
        user::print_line(function.name, " ", Hex{function.run(function.rounds * WORKLOAD_SCALE)});
    }
    const uint64_t instructions = instructions_retired() - before;
    user::print_line("workload: ", instructions, " instructions");
    if (error == 0) {
        user::sampling(sbi::sampling::kStop);
        const int64_t samples = user::sampling(sbi::sampling::kStatus, sbi::sampling::kSamples);
        const int64_t lost = user::sampling(sbi::sampling::kStatus, sbi::sampling::kLost);
        user::print_line("workload: ", static_cast<uint64_t>(samples), " samples, ",
                         static_cast<uint64_t>(lost), " lost");
    }
    return 0;
}
