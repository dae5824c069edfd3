// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/osd_options.h"

#include "platform/cli/option_kinds.h"
#include "platform/host/user_error.h"

#include <map>
#include <string>

namespace pes {

void add_osd_options(CLI::App& run, Options& options) {
    static const std::map<std::string, ThreadTracking> kSwitch{{"on", ThreadTracking::On},
                                                               {"off", ThreadTracking::Off}};
    add_word(run, "--osd-trace", options.osd_trace, "FILE",
             "Packets of the software trace module; those of hart N go to FILE.hartN");
    add_choice(run, "--osd-threads", options.osd_threads, kSwitch, "on|off",
               "Events for writes of the thread pointer; default off");
}

void check_osd_options(const CLI::App& run, const Options& options) {
    if (options.osd_trace.empty() && run.count("--osd-threads") != 0) {
        throw UserError("--osd-threads needs --osd-trace FILE");
    }
}

} // namespace pes
