// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/file_sample.h"

#include "platform/host/input_file.h"

#include <filesystem>

namespace pes::trace {

std::string sample_of(const std::string& file) {
    constexpr std::size_t kSampleBytes = std::size_t{256} * 1024;
    std::error_code ignored;
    if (file == "-" || !std::filesystem::is_regular_file(file, ignored)) {
        return "";
    }
    InputFile input(file);
    std::string bytes(kSampleBytes, '\0');
    input.stream().read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(input.stream().gcount()));
    return bytes;
}

} // namespace pes::trace
