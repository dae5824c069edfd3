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

namespace {

/// Of a host that answered the probe.
int64_t ask(uint64_t number, const host_call::Arguments& arguments) {
    int64_t result = 0;
    call_lock.acquire(take_messages);
    host_call::call(number, arguments, host_call::kForEver, result);
    call_lock.release();
    return result;
}

/// Of files that the supervisor has opened the host's error number is the value.
sbi::Result answer(int64_t result) {
    return {sbi::kSuccess, static_cast<uint64_t>(result)};
}

sbi::Result write(uint64_t file, uint64_t address, uint64_t length) {
    if (file != sbi::host::kConsoleFile && file < sbi::host::kSampleFile) {
        return {sbi::kInvalidParam, 0};
    }
    if (!supervisor_owns(address, length)) {
        return {sbi::kInvalidAddress, 0};
    }
    const int64_t written = host_write(file, address, length);
    if (written < 0 && file < sbi::host::kFirstOpened) {
        return {sbi::kIo, 0};
    }
    return answer(written);
}

} // namespace

int64_t host_write(uint64_t file, uint64_t physical_address, uint64_t length) {
    return ask(host_call::kWrite, {{file, physical_address, length, 0}});
}

sbi::Result host_extension(const sbi::Call& call) {
    const uint64_t* const argument = call.argument;
    if (!answers) {
        return kSbiNotSupported;
    }
    switch (call.function) {
    case sbi::host::kWrite:
        return write(argument[0], argument[1], argument[2]);
    case sbi::host::kOpen:
        return supervisor_owns(argument[0], argument[1])
                   ? answer(ask(host_call::kOpenAt,
                                {{static_cast<uint64_t>(host_call::kCurrentDirectory), argument[0],
                                  argument[1], argument[2]}}))
                   : sbi::Result{sbi::kInvalidAddress, 0};
    case sbi::host::kClose:
        return answer(ask(host_call::kClose, {{argument[0], 0, 0, 0}}));
    case sbi::host::kSeek:
        return answer(ask(host_call::kSeek, {{argument[0], argument[1], argument[2], 0}}));
    case sbi::host::kRead:
        return supervisor_owns(argument[1], argument[2])
                   ? answer(ask(host_call::kRead, {{argument[0], argument[1], argument[2], 0}}))
                   : sbi::Result{sbi::kInvalidAddress, 0};
    default:
        return kSbiNotSupported;
    }
}

} // namespace pes
