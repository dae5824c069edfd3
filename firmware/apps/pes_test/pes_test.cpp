// SPDX-License-Identifier: Apache-2.0
// The PES test of the thesis: 15 float additions with event 21 (floating point) on hpmcounter3 and
// threshold 3, through the thesis's four calls. The handler in machine mode takes a sample whenever
// the counter has reached 3; the program then prints what it finds in its buffer.
#include "firmware/apps/runtime/user.h"
#include "hw/interface/maps/sample_record.h"

namespace {

using namespace pes;

// hpmcounter3, by the numbers of the thesis's calls.
constexpr uint64_t kCounter = 3;
constexpr uint64_t kComparator = 1;
constexpr uint64_t kFloatingPoint = 21;
constexpr uint64_t kThreshold = 3;
constexpr unsigned kAdditions = 15;
constexpr size_t kBufferSize = 4096;

__attribute__((noinline)) float add_floats() {
    volatile float sum = 0.5F;
    const volatile float term = 1.25F;
    for (unsigned i = 0; i < kAdditions; ++i) {
        sum = sum + term;
    }
    return sum;
}

bool set_up(void* buffer) {
    return user::call(system_call::kThesisBuffer, kBufferSize,
                      reinterpret_cast<uint64_t>(buffer)) == 0 &&
           user::call(system_call::kThesisEvent, kCounter, kFloatingPoint) == 0 &&
           user::call(system_call::kThesisCounter, kCounter, 0) == 0 &&
           user::call(system_call::kThesisThreshold, kComparator, kThreshold) == 0;
}

void tear_down() {
    user::call(system_call::kThesisThreshold, kComparator, 0);
    user::call(system_call::kThesisEvent, kCounter, 0);
}

} // namespace

int main() {
    auto* buffer = static_cast<SampleRecord*>(user::map_memory(kBufferSize));
    if (buffer == nullptr) {
        user::print_line("PES test: no memory for the sample buffer");
        return 1;
    }
    if (!set_up(buffer)) {
        user::print_line("PES test: sampling refused (no PES unit, or not the events of CVA6)");
        return 2;
    }
    const float sum = add_floats();
    tear_down();

    uint64_t samples = 0;
    for (; samples < kBufferSize / sizeof(SampleRecord) && buffer[samples].magic == kSampleMagic;
         ++samples) {
        user::print_line("  sample ", samples, ": pc ", Hex{buffer[samples].pc}, " cycle ",
                         buffer[samples].cycle, " counter ", buffer[samples].counter_value);
    }
    user::print_line("PES test: ", kAdditions, " additions, event ", kFloatingPoint, ", threshold ",
                     kThreshold, ": ", samples, " samples");
    constexpr float kExpected = 0.5F + kAdditions * 1.25F; // exact in binary
    return sum == kExpected && samples != 0 ? 0 : 3;
}
