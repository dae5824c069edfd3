// SPDX-License-Identifier: Apache-2.0
// What a threshold interrupt costs: work in user mode, sampled on cycles every PERIOD through the
// firmware's sampling extension. PERIOD 0: the same work without sampling.
#include "firmware/apps/runtime/user.h"
#include "tb/lab/programs/cost/work.h"

namespace {

using namespace pes;

constexpr size_t kBufferSize = 16 * 1024; // 256 records

bool start_sampling() {
    void* const buffer = user::map_memory(kBufferSize);
    return buffer != nullptr &&
           user::sampling(sbi::sampling::kSetBuffer, reinterpret_cast<uint64_t>(buffer),
                          kBufferSize) == 0 &&
           user::sampling(sbi::sampling::kEnable, 0, 0, PERIOD) == 0 &&
           user::sampling(sbi::sampling::kStart) == 0;
}

} // namespace

int main() {
    if (PERIOD != 0 && !start_sampling()) {
        return 1;
    }
    const uint64_t result = lab_work();
    if (PERIOD != 0) {
        user::sampling(sbi::sampling::kStop);
    }
    return result == 0 ? 1 : 0;
}
