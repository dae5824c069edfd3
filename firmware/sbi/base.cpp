// SPDX-License-Identifier: Apache-2.0
// The base extension, and the dispatch of calls by extension.
#include "firmware/boot/csr.h"
#include "firmware/pes/sampler.h"
#include "firmware/sbi/machine.h"
#include "firmware/sbi/pmu_delegation.h"

namespace pes {

namespace {

constexpr uint64_t kSpecVersion = 3U << 24;           // 3.0: major in 30:24, minor in 23:0
constexpr uint64_t kImplementationVersion = 1U << 16; // 1.0

struct Extension {
    uint64_t id;
    sbi::Result (*serve)(const sbi::Call&);
};

constexpr Extension kExtensions[] = {
    {sbi::kBase, base_extension},
    {sbi::kTimer, timer_extension},
    {sbi::kIpi, ipi_extension},
    {sbi::kRemoteFence, remote_fence_extension},
    {sbi::kHartState, hart_state_extension},
    {sbi::kReset, reset_extension},
    {sbi::kConsole, console_extension},
    {sbi::kPmu, pmu_extension},
    {sbi::kSampling, sampling_extension},
    {sbi::kHost, host_extension},
};

} // namespace

bool extension_available(uint64_t extension) {
    if (extension == sbi::kSampling) {
        return sampler().available();
    }
    if (extension == sbi::kPmu) {
        return !counters_delegated();
    }
    if (extension == sbi::kHost) {
        return host_answers();
    }
    if (extension <= sbi::kLegacyShutdown) {
        return true;
    }
    for (const Extension& known : kExtensions) {
        if (known.id == extension) {
            return true;
        }
    }
    return false;
}

sbi::Result base_extension(const sbi::Call& call) {
    switch (call.function) {
    case sbi::base::kSpecVersion:
        return {sbi::kSuccess, kSpecVersion};
    case sbi::base::kImplementationId:
        return {sbi::kSuccess, sbi::kImplementation};
    case sbi::base::kImplementationVersion:
        return {sbi::kSuccess, kImplementationVersion};
    case sbi::base::kProbeExtension:
        return {sbi::kSuccess, extension_available(call.argument[0]) ? 1U : 0U};
    case sbi::base::kVendorId:
        return {sbi::kSuccess, read_csr<csr::kMvendorid>()};
    case sbi::base::kArchitectureId:
        return {sbi::kSuccess, read_csr<csr::kMarchid>()};
    case sbi::base::kMachineImplementationId:
        return {sbi::kSuccess, read_csr<csr::kMimpid>()};
    default:
        return kSbiNotSupported;
    }
}

void serve_call(TrapFrame& frame) {
    frame.pc += 4;
    const uint64_t id = frame.x[kA7];
    if (serve_legacy(id, frame)) {
        return;
    }
    sbi::Result result = kSbiNotSupported;
    for (const Extension& extension : kExtensions) {
        if (extension.id == id) {
            result = extension.serve({frame.x[kA6], &frame.x[kA0]});
            break;
        }
    }
    frame.x[kA0] = static_cast<uint64_t>(result.error);
    frame.x[kA1] = result.value;
}

} // namespace pes
