// SPDX-License-Identifier: Apache-2.0
// Host files over HTIF (firmware/lib/host_call.h). On a machine without HTIF (QEMU virt) nobody
// answers; one probe at boot decides, so no later call can hang.
#include "firmware/boot/spin_lock.h"
#include "firmware/lib/host_call.h"
#include "firmware/sbi/harts.h"
#include "firmware/sbi/machine.h"

namespace pes {

namespace {

// The host answers within one store on the platform; Spike looks every few thousand instructions.
constexpr unsigned kProbePolls = 100'000;

SpinLock call_lock;
bool answers = false;

} // namespace

void probe_host() {
    int64_t result = 0;
    answers = host_call::call(
        host_call::kWrite, {{sbi::host::kConsoleFile, reinterpret_cast<uint64_t>(&answers), 0, 0}},
        kProbePolls, result);
}

bool host_answers() {
    return answers;
}

int64_t host_write(uint64_t file, uint64_t physical_address, uint64_t length) {
    int64_t result = 0;
    call_lock.acquire(take_messages);
    host_call::call(host_call::kWrite, {{file, physical_address, length, 0}}, host_call::kForEver,
                    result); // it answered the probe
    call_lock.release();
    return result;
}

sbi::Result host_extension(const sbi::Call& call) {
    if (call.function != sbi::host::kWrite || !answers) {
        return kSbiNotSupported;
    }
    const uint64_t file = call.argument[0];
    if (file != sbi::host::kConsoleFile && file != sbi::host::kSampleFile) {
        return {sbi::kInvalidParam, 0};
    }
    if (!supervisor_owns(call.argument[1], call.argument[2])) {
        return {sbi::kInvalidAddress, 0};
    }
    const int64_t written = host_write(file, call.argument[1], call.argument[2]);
    if (written < 0) {
        return {sbi::kIo, 0};
    }
    return {sbi::kSuccess, static_cast<uint64_t>(written)};
}

} // namespace pes
