// SPDX-License-Identifier: Apache-2.0
// Lines of source files, as far as the files that debug information names are on this machine.
#pragma once

#include "platform/program/source_path.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pes::trace {

class SourceText {
  public:
    explicit SourceText(SourcePath path = {}) : path_(std::move(path)) {}

    /// Line `number` (from 1) without blanks around it; empty if there is no such line or file.
    std::string_view line(const std::string& file, unsigned number);

  private:
    SourcePath path_;
    std::unordered_map<std::string, std::vector<std::string>> files_;
};

} // namespace pes::trace
