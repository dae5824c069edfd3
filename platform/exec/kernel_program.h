// SPDX-License-Identifier: Apache-2.0
// The running kernel as an ELF file, for whoever wants names and code of it: its own table of
// symbols (/proc/kallsyms, with those of modules), and the code as it lies in memory, with what the
// kernel has patched.
#pragma once

#include "hw/interface/types.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace pes {

/// Copies memory at a virtual address of the kernel, inside of one page; false if there is none.
using ReadKernelMemory = std::function<bool(Address, std::span<std::byte>)>;

/// Empty if the table has no code, as one that is read without rights has no addresses. What cannot
/// be read, such as code that the kernel has dropped behind its start, is in no section, nor are
/// its symbols in the file.
std::vector<std::byte> kernel_program(std::string_view kallsyms, const ReadKernelMemory& read);

} // namespace pes
