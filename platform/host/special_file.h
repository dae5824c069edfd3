// SPDX-License-Identifier: Apache-2.0
// Pipes, devices and whatever else is no regular file, opened without waiting in open(): a pipe
// whose other end nobody has opened yet gets kPatience for that, and is then an error.
#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>

namespace pes {

inline constexpr std::chrono::seconds kPatience{2};

/// Opens `stream` on the file, which exists. Throw UserError if that cannot be done.
void open_special(std::ifstream& stream, const std::filesystem::path& path);
void open_special(std::ofstream& stream, const std::filesystem::path& path);
/// The descriptor, which the caller closes.
int open_special_output(const std::filesystem::path& path);

/// True for what open() may wait for: no file, no directory, and something is there.
bool is_special(const std::filesystem::path& path);

/// Throws UserError "`what` 'PATH': ..." for one, where the file is read more than once.
void require_no_special(const char* what, const std::filesystem::path& path);

} // namespace pes
