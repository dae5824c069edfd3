// SPDX-License-Identifier: Apache-2.0
#include "platform/output_set.h"

#include "platform/user_error.h"

namespace pes {

OutputFile* OutputSet::open(const std::string& path) {
    if (path.empty()) {
        return nullptr;
    }
    std::error_code error;
    const bool device =
        std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error);
    const std::filesystem::path place =
        std::filesystem::weakly_canonical(std::filesystem::absolute(path), error);
    if (!device && !taken_.insert(error ? std::filesystem::path(path) : place).second) {
        throw UserError("two outputs go to '" + path + "', expected one file for each");
    }
    return &files_.emplace_back(path);
}

void OutputSet::commit() {
    for (OutputFile& file : files_) {
        file.commit();
    }
}

} // namespace pes
