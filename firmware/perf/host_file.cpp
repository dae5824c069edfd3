// SPDX-License-Identifier: Apache-2.0
// Host files over HTIF: the address of a block of eight words {system call, arguments...} is stored
// to `tohost`; the host replaces word 0 with the result and stores 1 to `fromhost`. The calls are
// those of Linux, with the length of the name (its NUL included) behind the name.
#include "firmware/perf/host_file.h"

#include "firmware/perf/lock.h"

extern "C" {
alignas(64) __attribute__((section(".tohost"), used)) volatile uint64_t tohost = 0;
alignas(64) __attribute__((section(".tohost"), used)) volatile uint64_t fromhost = 0;
}

namespace pes::perf {

namespace {

constexpr uint64_t kOpenAt = 56;
constexpr uint64_t kClose = 57;
constexpr uint64_t kWrite = 64;

constexpr uint64_t kCurrentDirectory = static_cast<uint64_t>(-100); // AT_FDCWD
constexpr uint64_t kWriteOnly = 01;                                 // O_WRONLY
constexpr uint64_t kCreate = 0100;                                  // O_CREAT
constexpr uint64_t kTruncate = 01000;                               // O_TRUNC
constexpr uint64_t kOwnerWritesAllRead = 0644;

// The host answers within the store on the platform; where nobody does, the call fails.
constexpr unsigned kPolls = 100'000;
constexpr int64_t kNoAnswer = -1;

alignas(64) volatile uint64_t block[8];
Lock lock; // harts share the block and the two words

struct Call {
    uint64_t number;
    uint64_t arguments[5];
};

int64_t ask_host(const Call& call) {
    const LockGuard guard(lock);
    block[0] = call.number;
    for (unsigned i = 0; i < 5; ++i) {
        block[i + 1] = call.arguments[i];
    }
    fromhost = 0;
    machine::order_memory();
    tohost = reinterpret_cast<uint64_t>(&block[0]);
    for (unsigned poll = 0; poll < kPolls; ++poll) {
        if (fromhost != 0) {
            fromhost = 0;
            machine::order_memory();
            return static_cast<int64_t>(block[0]);
        }
    }
    tohost = 0;
    return kNoAnswer;
}

uint64_t size_with_nul(const char* text) {
    uint64_t size = 1;
    while (*text++ != '\0') {
        ++size;
    }
    return size;
}

} // namespace

Status HostFile::create(const char* name) {
    descriptor_ =
        ask_host({kOpenAt,
                  {kCurrentDirectory, reinterpret_cast<uint64_t>(name), size_with_nul(name),
                   kWriteOnly | kCreate | kTruncate, kOwnerWritesAllRead}});
    return descriptor_ < 0 ? Status::Error : Status::Ok;
}

Status HostFile::write(const void* data, uint64_t bytes) {
    auto address = reinterpret_cast<uint64_t>(data);
    while (bytes != 0) {
        const int64_t written =
            ask_host({kWrite, {static_cast<uint64_t>(descriptor_), address, bytes, 0, 0}});
        if (written <= 0 || static_cast<uint64_t>(written) > bytes) {
            return Status::Error;
        }
        address += static_cast<uint64_t>(written);
        bytes -= static_cast<uint64_t>(written);
    }
    return Status::Ok;
}

Status HostFile::close() {
    const int64_t result = ask_host({kClose, {static_cast<uint64_t>(descriptor_), 0, 0, 0, 0}});
    return result < 0 ? Status::Error : Status::Ok;
}

} // namespace pes::perf
