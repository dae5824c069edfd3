// SPDX-License-Identifier: Apache-2.0
// A PMU profile from a TOML file (docs/profiles.md): the same tables as those built in, owned here.
#pragma once

#include "hw/interface/pmu/profile.h"

#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

class ProfileFile {
  public:
    /// Throws UserError that names file, line and what was expected.
    explicit ProfileFile(const std::filesystem::path& file);
    ProfileFile(const ProfileFile&) = delete;
    ProfileFile& operator=(const ProfileFile&) = delete;

    /// As long as this object lives.
    const PmuProfile& profile() const { return profile_; }
    const std::filesystem::path& path() const { return path_; }

  private:
    friend class ProfileReader;

    std::filesystem::path path_;
    std::deque<std::string> texts_; ///< what the tables point to; a deque never moves them
    std::vector<EventRow> events_;
    std::vector<SbiEventRow> sbi_events_;
    std::vector<RawEventRow> raw_events_;
    PmuProfile profile_{};
};

/// The profile that is called so, or that a file of this name describes: with a dot or a slash in
/// it, `text` is a file. Throws UserError. `keeper` gets what owns the tables of a file.
const PmuProfile& open_profile(const std::string& text, std::shared_ptr<const ProfileFile>& keeper);

/// "cva6, u74": for messages.
std::string profile_names();

} // namespace pes
