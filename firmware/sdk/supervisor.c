// SPDX-License-Identifier: Apache-2.0
// Supervisor mode, on any SBI firmware: console, end and harts by its calls. Files on the host are
// an extension of this project's firmware; others have none.
#include "firmware/sdk/below.h"
#include <pes.h>
#include <pes_platform.h>
#include <pes_sbi.h>

const char pes_trap_format[] = "scause %#lx, sepc %#lx, stval %#lx";

static bool probe(uint64_t extension) {
    const struct sbiret answer =
        pes_sbi_call(SBI_EXT_BASE, SBI_EXT_BASE_PROBE_EXT, extension, 0, 0, 0, 0);
    return answer.error == SBI_SUCCESS && answer.value != 0;
}

long pes_host_call(enum HostCall number, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    enum { kNoSuchCall = -38, kIoError = -5, kBadAddress = -14 };
    struct sbiret answer = {SBI_ERR_NOT_SUPPORTED, 0};
    switch (number) {
    case kOpenAt:
        answer = pes_sbi_call(SBI_EXT_PES_HOST, SBI_EXT_PES_HOST_OPEN, b, c, d, 0, 0);
        break;
    case kClose:
        answer = pes_sbi_call(SBI_EXT_PES_HOST, SBI_EXT_PES_HOST_CLOSE, a, 0, 0, 0, 0);
        break;
    case kLseek:
        answer = pes_sbi_call(SBI_EXT_PES_HOST, SBI_EXT_PES_HOST_SEEK, a, b, c, 0, 0);
        break;
    case kRead:
        answer = pes_sbi_call(SBI_EXT_PES_HOST, SBI_EXT_PES_HOST_READ, a, b, c, 0, 0);
        break;
    case kWrite:
        answer = pes_sbi_call(SBI_EXT_PES_HOST, SBI_EXT_PES_HOST_WRITE, a, b, c, 0, 0);
        break;
    }
    switch (answer.error) {
    case SBI_SUCCESS:
        return (long)answer.value;
    case SBI_ERR_NOT_SUPPORTED:
        return kNoSuchCall;
    case SBI_ERR_INVALID_ADDRESS:
        return kBadAddress;
    default:
        return kIoError;
    }
}

/// The Debug Console, or the console call of SBI 0.1, which older firmware has.
static long write_all(const char* text, size_t size) {
    static int has_debug_console = -1;
    if (has_debug_console < 0) {
        has_debug_console = probe(SBI_EXT_DBCN);
    }
    size_t done = 0;
    while (done < size) {
        if (has_debug_console == 0) {
            pes_sbi_call(SBI_EXT_0_1_CONSOLE_PUTCHAR, 0, (uint8_t)text[done++], 0, 0, 0, 0);
            continue;
        }
        const struct sbiret answer = pes_sbi_call(SBI_EXT_DBCN, SBI_EXT_DBCN_CONSOLE_WRITE,
                                                  size - done, (uint64_t)(text + done), 0, 0, 0);
        if (answer.error != SBI_SUCCESS) {
            return -5; // EIO
        }
        done += answer.value;
    }
    return (long)size;
}

/// Texts of different harts do not mix.
long pes_console_write(const char* text, size_t size) {
    static pes_lock lock;
    pes_acquire(&lock);
    const long result = write_all(text, size);
    pes_release(&lock);
    return result;
}

/// Exit codes are an implementation's own reason of this project's firmware. With another one the
/// program writes what that would into the test finisher.
_Noreturn void pes_end_run(uint32_t code) {
    const struct sbiret implementation =
        pes_sbi_call(SBI_EXT_BASE, SBI_EXT_BASE_GET_IMP_ID, 0, 0, 0, 0, 0);
    if (implementation.value == PES_SBI_IMPLEMENTATION) {
        pes_sbi_call(SBI_EXT_SRST, SBI_EXT_SRST_RESET, SBI_SRST_RESET_TYPE_SHUTDOWN,
                     PES_SBI_EXIT_CODE_REASON | (code & 0xFFFF), 0, 0, 0);
    }
    enum { kPass = 0x5555, kFail = 0x3333 };
    volatile uint32_t* const finisher = (volatile uint32_t*)(uintptr_t)PES_FINISHER_BASE;
    *finisher = code == 0 ? kPass : (code & 0xFFFF) << 16 | kFail;
    for (;;) {
        __asm__ volatile("wfi");
    }
}

extern void pes_hart_arrives(void); ///< crt0.S

bool pes_wake_hart(unsigned hart) {
    struct sbiret state;
    do { // its work is done, and it may still be on its way into the firmware
        state = pes_sbi_call(SBI_EXT_HSM, SBI_EXT_HSM_HART_STATUS, hart, 0, 0, 0, 0);
    } while (state.error == SBI_SUCCESS && state.value != SBI_HSM_STATE_STOPPED);
    return state.error == SBI_SUCCESS && pes_sbi_call(SBI_EXT_HSM, SBI_EXT_HSM_HART_START, hart,
                                                      (uint64_t)pes_hart_arrives, 0, 0, 0)
                                                 .error == SBI_SUCCESS;
}

void pes_hart_woken(unsigned hart) {
    (void)hart; // the firmware has
}
