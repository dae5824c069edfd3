// SPDX-License-Identifier: Apache-2.0
#include "platform/host/output_set.h"

#include "platform/host/temporary_files.h"
#include "platform/host/user_error.h"

#include <unistd.h>

#include <optional>

namespace pes {

namespace fs = std::filesystem;

OutputDirectory::OutputDirectory(const fs::path& path) : path_(path) {
    std::error_code error;
    made_ = fs::create_directory(path, error);
    if (!made_ && !fs::is_directory(path)) {
        throw UserError("cannot make the directory '" + path.string() +
                        "': " + (error ? error.message() : "a file of that name is there"));
    }
    if (made_) {
        temporary_files::note_directory(path_);
    }
}

void OutputDirectory::keep() {
    if (made_) {
        temporary_files::forget(path_);
        made_ = false;
    }
}

OutputDirectory::~OutputDirectory() {
    if (made_) {
        std::error_code ignored; // only if it is still empty
        fs::remove(path_, ignored);
        temporary_files::forget(path_);
    }
}

/// The outermost one first, so that the last one made is the first one removed.
void OutputSet::make_directory(const fs::path& path) {
    const fs::path parent = path.parent_path();
    std::error_code ignored;
    if (!parent.empty() && parent != path && !fs::exists(parent, ignored)) {
        make_directory(parent);
    }
    directories_.emplace_front(path);
}

OutputFile* OutputSet::open(const std::string& path) {
    if (path.empty()) {
        return nullptr;
    }
    require_no_input(path);
    require_not_taken(path);
    OutputFile* const file = &files_.emplace_back(path);
    units_.push_back({file});
    return file;
}

OutputFile* OutputSet::open_companion(const std::string& path) {
    OutputFile* const file = open(path);
    units_.pop_back();
    units_.back().push_back(file);
    return file;
}

void OutputSet::reserve(const std::string& path) {
    require_writable_place(path);
    require_no_input(path);
    require_not_taken(path);
}

void OutputSet::require_writable_place(const std::string& path) {
    std::error_code error;
    const fs::path folder = fs::absolute(path).parent_path();
    const bool wanted =
        path != "-" && (!fs::exists(path, error) || fs::is_regular_file(path, error));
    if (!wanted) {
        throw UserError("cannot write '" + path + "': expected a regular file");
    }
    if (!fs::is_directory(folder, error) || access(folder.c_str(), W_OK) != 0) {
        throw UserError("cannot write '" + path + "': expected a directory that can be written");
    }
}

/// Terminals and pipes may be read and written at once.
void OutputSet::require_no_input(const std::string& path) const {
    std::error_code ignored;
    for (const std::string& input : inputs_) {
        if (fs::is_regular_file(path, ignored) && fs::equivalent(path, input, ignored)) {
            throw UserError("cannot write '" + path + "': it is an input of this command");
        }
    }
}

void OutputSet::require_not_taken(const std::string& path) {
    if (path == "-") {
        if (!taken_.insert(path).second) {
            throw UserError("two outputs go to the standard output, expected a file for one");
        }
        return;
    }
    std::error_code error;
    if (fs::exists(path, error) && !fs::is_regular_file(path, error)) {
        return; // a device takes what comes
    }
    const fs::path place = fs::weakly_canonical(fs::absolute(path), error);
    if (!taken_.insert(error ? fs::path(path) : place).second) {
        throw UserError("two outputs go to '" + path + "', expected one file for each");
    }
}

/// Between the names of a unit no signal ends the process.
void OutputSet::commit(const Unit& unit) {
    for (OutputFile* file : unit) {
        file->finish();
    }
    const temporary_files::SignalsHeld held;
    for (OutputFile* file : unit) {
        file->publish();
    }
}

void OutputSet::commit() {
    std::optional<UserError> first;
    for (OutputDirectory& directory : directories_) {
        directory.keep();
    }
    for (const Unit& unit : units_) {
        try {
            commit(unit);
        } catch (const UserError& error) {
            if (!first) {
                first = error;
            }
        }
    }
    if (first) {
        throw UserError(*first);
    }
}

} // namespace pes
