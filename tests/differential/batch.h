// SPDX-License-Identifier: Apache-2.0
// Many random programs, a few at a time: which ones, and what became of them. Shared by the
// comparison with QEMU and that of the two ways through the hart.
#pragma once

#include "tests/differential/program.h"
#include "tests/differential/toolchain.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace pes::differential {

struct BatchOptions {
    std::string seeds = "0..9"; ///< "A..B", both included, or one seed
    std::uint64_t first_seed = 0;
    std::uint64_t last_seed = 0;
    std::vector<Mix> mixes; ///< all of them if empty
    unsigned jobs = 1;      ///< programs at a time
    unsigned maximum_reports = 3;
};

/// --seeds, --mix, --jobs, --reports.
void add_batch_options(CLI::App& app, BatchOptions& options);
/// --compiler, --work.
void add_tool_options(CLI::App& app, Tools& tools);
/// After parsing: reads the range of seeds, completes the mixes, builds the runtime. Throws
/// CLI::ValidationError, std::runtime_error.
void prepare(BatchOptions& options, const Tools& tools);

/// The difference that the program of this seed and mix shows, if any; called by several threads.
using Check = std::function<std::optional<std::string>(std::uint64_t seed, Mix mix)>;

/// Prints the first differences whole, of the others one line. Returns how many there are; throws
/// what `check` throws.
std::uint64_t run_batch(const BatchOptions& options, const Check& check);

/// Programs in a batch.
std::uint64_t size_of(const BatchOptions& options);

} // namespace pes::differential
