// SPDX-License-Identifier: Apache-2.0
// Three privilege modes: the workload's five functions in user mode, and between them calls that
// the supervisor serves or hands on to the firmware.
#include "firmware/apps/runtime/user.h"
#include "firmware/apps/workload/workload.h"

namespace {

using namespace pes;

constexpr unsigned kCalls = 150; ///< behind each function

struct Part {
    uint64_t (*run)(unsigned rounds);
    unsigned rounds;
};
constexpr Part kParts[] = {
    {workload::multiply_matrices, 1}, {workload::checksum_block, 3}, {workload::sort_numbers, 1},
    {workload::walk_list, 16},        {workload::search_text, 1},
};

/// Of the calls: those that reach the firmware, and one that the supervisor serves alone.
[[gnu::noipa]] uint64_t call_layers(uint64_t value) {
    for (unsigned i = 0; i < kCalls; ++i) {
        const auto samples = user::sampling(sbi::sampling::kStatus, sbi::sampling::kSamples);
        value = value * 31 + static_cast<uint64_t>(samples);
        user::write(system_call::kFileConsole, "", 0);
    }
    return value;
}

} // namespace

int main() {
    uint64_t value = 1;
    for (const Part& part : kParts) {
        value ^= part.run(part.rounds);
        value = call_layers(value);
    }
    user::print_line("layers ", Hex{value});
    return 0;
}
