// SPDX-License-Identifier: Apache-2.0
// The platform's own answer to what it is, through the host-target interface.
#include "firmware/lib/host_call.h"
#include "firmware/perf/machine.h"

namespace pes::perf::machine {

int64_t ask_platform(host_platform::Facts& facts, char* text, size_t room) {
    constexpr unsigned kPolls = 100'000; // the platform answers within the store
    constexpr int64_t kNoSuchCall = -38; // ENOSYS
    int64_t result = kNoSuchCall;
    host_call::call(host_platform::kCall,
                    {{reinterpret_cast<uint64_t>(&facts), reinterpret_cast<uint64_t>(text), room}},
                    kPolls, result);
    return result;
}

} // namespace pes::perf::machine
