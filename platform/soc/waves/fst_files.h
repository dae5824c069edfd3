// SPDX-License-Identifier: Apache-2.0
// The files of GTKWave's FST library, which is compiled to call pes_fst_fopen() and so on
// (platform/soc/CMakeLists.txt) where it means those of the C library. None of its files gets a
// name, so that nothing is left behind however a run ends; and a failed write is noted, which the
// library itself does not do.
#pragma once

#include "platform/host/file_descriptor.h"

#include <cstdio>
#include <optional>
#include <string_view>

namespace pes {

/// Of one writer; there is one at a time.
class FstFiles {
  public:
    /// The library's name for the result.
    static constexpr const char* kResult = "wave.fst";

    FstFiles();
    FstFiles(const FstFiles&) = delete;
    FstFiles& operator=(const FstFiles&) = delete;
    ~FstFiles();

    std::FILE* open_result();
    void note(int error) { error_ = error_ == 0 ? error : error_; }

    /// Of the first write that failed, or 0.
    int error() const { return error_; }
    /// The whole file, once the library has closed it; nothing if it could not be made.
    const std::optional<FileDescriptor>& result() const { return result_; }

  private:
    std::optional<FileDescriptor> result_;
    int error_ = 0;
};

} // namespace pes
