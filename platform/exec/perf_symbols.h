// SPDX-License-Identifier: Apache-2.0
// What perf on the host needs for a perf.data of the guest: the files of the guest by their names
// under one folder (perf's --symfs), and the kernel's symbols (--kallsyms).
#pragma once

#include <filesystem>

namespace pes {

/// Throws UserError if the folder is there and is not one of these.
void check_symbol_folder(const std::filesystem::path& folder);

/// Makes it anew: links to `directory`, which the guest has under the same name, and to what `root`
/// has; a copy of `kallsyms`. Throws UserError.
void make_symbol_folder(const std::filesystem::path& folder, const std::filesystem::path& directory,
                        const std::filesystem::path& root, const std::filesystem::path& kallsyms);

} // namespace pes
