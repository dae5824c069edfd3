// SPDX-License-Identifier: Apache-2.0
// Host files over HTIF: a block of eight 64-bit words {system call, arguments...}; its address is
// stored to `tohost`, the host replaces word 0 with the result and stores 1 to `fromhost`. On a
// machine without HTIF (QEMU virt) `tohost` is plain memory and nobody answers; one probe at boot
// decides, so no later call can hang.
#include "firmware/boot/spin_lock.h"
#include "firmware/sbi/harts.h"
#include "firmware/sbi/machine.h"

extern "C" {
alignas(64) __attribute__((section(".tohost"), used)) volatile uint64_t tohost = 0;
alignas(64) __attribute__((section(".tohost"), used)) volatile uint64_t fromhost = 0;
}

namespace pes {

namespace {

constexpr uint64_t kSystemCallWrite = 64;
// The host answers within one store on the platform; Spike looks every few thousand instructions.
constexpr unsigned kProbePolls = 100'000;

alignas(64) volatile uint64_t block[8];
SpinLock block_lock;
bool answers = false;

bool ask_host(uint64_t file, uint64_t address, uint64_t length, unsigned polls) {
    block[0] = kSystemCallWrite;
    block[1] = file;
    block[2] = address;
    block[3] = length;
    fromhost = 0;
    asm volatile("fence" ::: "memory");
    tohost = reinterpret_cast<uint64_t>(&block[0]);
    for (unsigned poll = 0; polls == 0 || poll < polls; ++poll) {
        if (fromhost != 0) {
            fromhost = 0;
            asm volatile("fence" ::: "memory");
            return true;
        }
    }
    tohost = 0;
    return false;
}

} // namespace

void probe_host() {
    answers =
        ask_host(sbi::host::kConsoleFile, reinterpret_cast<uint64_t>(&block[0]), 0, kProbePolls);
}

bool host_answers() {
    return answers;
}

int64_t host_write(uint64_t file, uint64_t physical_address, uint64_t length) {
    constexpr unsigned kForEver = 0; // it answered the probe
    block_lock.acquire(take_messages);
    ask_host(file, physical_address, length, kForEver);
    const auto result = static_cast<int64_t>(block[0]);
    block_lock.release();
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
