// SPDX-License-Identifier: Apache-2.0
// One run of pes-vp with everything it leaves behind, and the comparison of two: the ways through
// the hart must not differ in any byte.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pes::paths {

/// A command line of pes-vp.
struct Invocation {
    std::filesystem::path program;    ///< empty: `options` name firmware and kernel
    std::vector<std::string> options; ///< of `pes-vp run` or `profile` that name no output
    std::vector<std::string> files;   ///< options that take an output file: "--vcd", "--truth"
    std::string memory;               ///< dumped at the end: SYMBOL:BYTES
    bool profiled = false;            ///< `pes-vp profile`
};

/// Bytes by name: "exit code", "messages" (standard error, and the tables of a profile), "console",
/// "samples", "stats" without the host's time, "memory", and each of Invocation::files, those of
/// further harts too ("truth", "truth.hart1"), a report without its command line.
using Outputs = std::map<std::string, std::string>;

/// Runs in `directory`, which is removed afterwards. `more` options follow the run's own. Throws
/// std::runtime_error if it does not end or leaves an output out.
Outputs execute(const std::string& platform, const Invocation& run,
                const std::vector<std::string>& more, const std::filesystem::path& directory);

/// Where they differ first, output by output; nothing if they agree.
std::optional<std::string> difference(const Outputs& left, const Outputs& right);

} // namespace pes::paths
