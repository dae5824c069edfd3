// SPDX-License-Identifier: Apache-2.0
#include "platform/program/source_path.h"

#include "platform/host/user_error.h"

#include <filesystem>
#include <iterator>

namespace pes {
namespace {

using std::filesystem::path;

bool is_file(const path& file) {
    std::error_code failed;
    return std::filesystem::is_regular_file(file, failed);
}

path without_first(const path& name) {
    path rest;
    for (auto part = std::next(name.begin()); part != name.end(); ++part) {
        rest /= *part;
    }
    return rest;
}

} // namespace

SourcePath::SourcePath(std::vector<std::string> directories)
    : directories_(std::move(directories)) {
    for (const std::string& directory : directories_) {
        std::error_code failed;
        if (!std::filesystem::is_directory(directory, failed)) {
            throw UserError("--source-path got '" + directory + "', expected a directory");
        }
    }
}

std::string SourcePath::find(const std::string& name) const {
    if (directories_.empty() || (path(name).is_absolute() && is_file(name))) {
        return name;
    }
    for (path rest = path(name).lexically_normal().relative_path(); !rest.empty();
         rest = without_first(rest)) {
        for (const std::string& directory : directories_) {
            if (path file = path(directory) / rest; is_file(file)) {
                return file.string();
            }
        }
    }
    return name;
}

} // namespace pes
