// SPDX-License-Identifier: Apache-2.0
// What the kernel asks of the firmware: console, end of the run, files of the host. Addresses are
// physical; lengths stay within a page.
#pragma once

#include <stdint.h>

namespace pes::proxy {

inline constexpr uint64_t kStackBytes = 8 << 20;
inline constexpr uint64_t kExitOfSignal = 128; ///< as shells have it

void console_put(char byte);
/// Bytes written.
int64_t console_write(uint64_t physical, uint64_t length);
/// Waits for one. -1: the input has ended, which only the firmware that gives files says.
int console_get();

[[noreturn]] void end_run(uint64_t exit_code);

enum class Whence : uint64_t { Begin, Current, End };

// Results are Linux's: a number or -errno. kNoSuchCall: the firmware gives no files.
int64_t host_open(const char* name, uint64_t flags);
int64_t host_close(uint64_t file);
int64_t host_seek(uint64_t file, int64_t offset, Whence whence);
int64_t host_read(uint64_t file, uint64_t physical, uint64_t length);
int64_t host_write(uint64_t file, uint64_t physical, uint64_t length);

} // namespace pes::proxy
