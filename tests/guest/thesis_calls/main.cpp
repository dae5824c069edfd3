// SPDX-License-Identifier: Apache-2.0
// The thesis's four calls as a program makes them that follows its listings and looks at no result.
// VARIANT says which: what is served samples and ends with 0, what is not says so and does not.
#include "firmware/apps/runtime/user.h"
#include "hw/interface/maps/sample_record.h"

namespace {

using namespace pes;

constexpr uint64_t kFloatingPoint = 21;
constexpr uint64_t kThreshold = 3;
constexpr size_t kPage = 4096;

enum class Variant {
    Listed,       ///< event and counter 3, threshold 1; what is left in a0 of the buffer call
    AddressFirst, ///< the buffer's address in a0
    LastCounter,  ///< event and counter 8, threshold 6
    OldNumbers,   ///< event and counter 1
    OneNumber,    ///< threshold 3 for counter 3
    UnknownCall,  ///< 13 for the threshold
    NoBuffer,     ///< an address that is nobody's
};

void add_floats() {
    volatile float sum = 0.5F;
    for (unsigned i = 0; i < 64; ++i) {
        sum = sum + 1.25F;
    }
}

} // namespace

int main() {
    constexpr auto kVariant = Variant::VARIANT;
    constexpr bool kLast = kVariant == Variant::LastCounter;
    constexpr uint64_t kCounter = kVariant == Variant::OldNumbers ? 1 : kLast ? 8 : 3;
    constexpr uint64_t kComparator = kVariant == Variant::OneNumber ? 3 : kLast ? 6 : 1;
    const auto* buffer = static_cast<const SampleRecord*>(user::map_memory(kPage));
    const auto address = reinterpret_cast<uint64_t>(buffer);
    switch (kVariant) {
    case Variant::AddressFirst:
        user::call(system_call::kThesisBuffer, address);
        break;
    case Variant::NoBuffer:
        user::call(system_call::kThesisBuffer, 0, 64);
        break;
    default: // mmap has left the address in a0
        user::call(system_call::kThesisBuffer, address, address);
    }
    user::call(system_call::kThesisEvent, kCounter, kFloatingPoint);
    user::call(system_call::kThesisCounter, kCounter, 0);
    user::call(kVariant == Variant::UnknownCall ? 13 : system_call::kThesisThreshold, kComparator,
               kThreshold);
    add_floats();
    user::call(system_call::kThesisThreshold, kComparator, 0);
    if (buffer->magic == kSampleMagic) {
        user::print_line("first sample: counter ", buffer->counter, " event ", buffer->event,
                         " threshold ", buffer->threshold);
    }
    return 0;
}
