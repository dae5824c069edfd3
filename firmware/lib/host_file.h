// SPDX-License-Identifier: Apache-2.0
// Files on the host for bare-metal programs (`pes-vp run --guest-files DIR`). Addresses are
// physical, as the host sees them.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace pes {

/// Creates or empties the file of this plain name: a descriptor, or a negative Linux errno; -ENOSYS
/// (-38) if no host answers.
int64_t host_file_create(const char* name);
/// Bytes written, or a negative errno.
int64_t host_file_write(int64_t file, const volatile void* bytes, size_t length);
int64_t host_file_close(int64_t file);

} // namespace pes
