// SPDX-License-Identifier: Apache-2.0
#include "platform/exec/perf_symbols.h"

#include "platform/host/user_error.h"

namespace pes {

namespace fs = std::filesystem;

namespace {

constexpr const char* kKallsyms = "kallsyms";

} // namespace

void check_symbol_folder(const fs::path& folder) {
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(folder, ignored)) &&
        !fs::exists(folder / kKallsyms, ignored)) {
        throw UserError("'" + folder.string() +
                        "' is there and was not made by pes-vp, expected a name that is free");
    }
}

void make_symbol_folder(const fs::path& folder, const fs::path& directory, const fs::path& root,
                        const fs::path& kallsyms) {
    check_symbol_folder(folder);
    try {
        const fs::path here = folder / directory.relative_path();
        fs::remove_all(folder);
        fs::create_directories(here.parent_path());
        fs::create_directory_symlink(directory, here);
        for (const fs::directory_entry& entry : fs::directory_iterator(root)) {
            const fs::path name = folder / entry.path().filename();
            if (!fs::exists(name)) {
                fs::create_symlink(fs::absolute(entry.path()), name);
            }
        }
        fs::copy_file(kallsyms, folder / kKallsyms);
    } catch (const fs::filesystem_error& error) {
        throw UserError("'" + folder.string() + "': " + error.code().message());
    }
}

} // namespace pes
