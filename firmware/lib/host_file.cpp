// SPDX-License-Identifier: Apache-2.0
#include "firmware/lib/host_file.h"

#include "firmware/lib/host_call.h"

namespace pes {
namespace {

constexpr unsigned kPolls = 100'000; // the platform answers within the store
constexpr int64_t kNoSuchCall = -38; // ENOSYS
constexpr uint64_t kWriteCreateTruncate = 01 | 0100 | 01000;

int64_t ask(uint64_t number, const host_call::Arguments& arguments) {
    int64_t result = kNoSuchCall;
    host_call::call(number, arguments, kPolls, result);
    return result;
}

} // namespace

int64_t host_file_create(const char* name) {
    size_t length = 1; // with the NUL
    while (name[length - 1] != '\0') {
        ++length;
    }
    return ask(host_call::kOpenAt,
               {{static_cast<uint64_t>(host_call::kCurrentDirectory),
                 reinterpret_cast<uint64_t>(name), length, kWriteCreateTruncate}});
}

int64_t host_file_write(int64_t file, const volatile void* bytes, size_t length) {
    return ask(host_call::kWrite,
               {{static_cast<uint64_t>(file), reinterpret_cast<uint64_t>(bytes), length, 0}});
}

int64_t host_file_close(int64_t file) {
    return ask(host_call::kClose, {{static_cast<uint64_t>(file), 0, 0, 0}});
}

} // namespace pes
