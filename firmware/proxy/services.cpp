// SPDX-License-Identifier: Apache-2.0
#include "firmware/proxy/services.h"

#include "firmware/boot/csr.h"
#include "firmware/proxy/errors.h"
#include "firmware/supervisor/sbi_call.h"
#include "hw/interface/maps/finisher.h"
#include "platform.h"

namespace pes::proxy {

namespace {

bool has_debug_console() {
    static const uint64_t there =
        sbi_call(sbi::kBase, sbi::base::kProbeExtension, sbi::kConsole).value;
    return there != 0;
}

int64_t host_call(uint64_t function, uint64_t first, uint64_t second = 0, uint64_t third = 0) {
    const sbi::Result result = sbi_call(sbi::kHost, function, first, second, third);
    switch (result.error) {
    case sbi::kSuccess:
        return static_cast<int64_t>(result.value);
    case sbi::kNotSupported:
        return kNoSuchCall;
    case sbi::kInvalidAddress:
        return kBadAddress;
    default:
        return kIoError;
    }
}

} // namespace

void console_put(char byte) {
    sbi_call(sbi::kLegacyPutchar, 0, static_cast<uint8_t>(byte));
}

int64_t console_write(uint64_t physical, uint64_t length) {
    if (!has_debug_console()) {
        for (uint64_t i = 0; i < length; ++i) {
            console_put(reinterpret_cast<const char*>(physical)[i]);
        }
        return static_cast<int64_t>(length);
    }
    uint64_t done = 0;
    while (done < length) {
        const sbi::Result result =
            sbi_call(sbi::kConsole, sbi::console::kWrite, length - done, physical + done);
        if (result.error != sbi::kSuccess) {
            return kIoError;
        }
        done += result.value;
    }
    return static_cast<int64_t>(length);
}

int console_get() {
    constexpr uint64_t kInput = 0;
    const char nothing = 0;
    for (;;) {
        const int64_t key = sbi_call(sbi::kLegacyGetchar, 0).error;
        if (key >= 0) {
            return static_cast<int>(key);
        }
        if (host_read(kInput, reinterpret_cast<uint64_t>(&nothing), 0) == 0) {
            return -1;
        }
    }
}

/// Exit codes are an implementation's own reason of this project's firmware; behind another one the
/// kernel writes what that would into the test finisher.
[[noreturn]] void end_run(uint64_t exit_code) {
    if (sbi_call(sbi::kBase, sbi::base::kImplementationId).value == sbi::kImplementation) {
        shut_down(exit_code);
    }
    write_csr<csr::kSatp>(0); // devices are not in the map
    asm volatile("sfence.vma" ::: "memory");
    auto* const finisher = reinterpret_cast<volatile uint32_t*>(uint64_t{PES_FINISHER_BASE});
    *finisher = exit_code == 0
                    ? finisher::kPass
                    : static_cast<uint32_t>(exit_code << finisher::kCodeShift) | finisher::kFail;
    for (;;) {
        asm volatile("wfi");
    }
}

int64_t host_open(const char* name, uint64_t flags) {
    uint64_t length = 1; // with the NUL
    while (name[length - 1] != '\0') {
        ++length;
    }
    return host_call(sbi::host::kOpen, reinterpret_cast<uint64_t>(name), length, flags);
}

int64_t host_close(uint64_t file) {
    return host_call(sbi::host::kClose, file);
}

int64_t host_seek(uint64_t file, int64_t offset, Whence whence) {
    return host_call(sbi::host::kSeek, file, static_cast<uint64_t>(offset),
                     static_cast<uint64_t>(whence));
}

int64_t host_read(uint64_t file, uint64_t physical, uint64_t length) {
    return host_call(sbi::host::kRead, file, physical, length);
}

int64_t host_write(uint64_t file, uint64_t physical, uint64_t length) {
    return host_call(sbi::host::kWrite, file, physical, length);
}

} // namespace pes::proxy
