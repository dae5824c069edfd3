// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/run_consoles.h"

#include "platform/host/end_request.h"

#include <algorithm>
#include <cstdio>

namespace pes {

RunConsoles::RunConsoles(const Options& options, OutputSet& outputs) {
    open(main_, "--console", options.console.empty() ? "-" : options.console, outputs);
    if (!options.virtio_console.empty()) {
        open(virtio_, "--virtio-console", options.virtio_console, outputs);
    }
    if (!main_.line) {
        main_.input = open_console_source(options.console_input, [this] { flush(); });
    }
}

void RunConsoles::open(End& end, const std::string& option, const std::string& name,
                       OutputSet& outputs) {
    if (ConsoleLine::is_name(name)) {
        end.console.emplace(end.line.emplace(option, name));
        end.input = source_of(*end.line);
    } else {
        end.console.emplace(*outputs.open(name));
    }
}

void RunConsoles::connect(HostSide& side) {
    side.console_input = main_.input.get();
    side.virtio_console = virtio_.console ? &*virtio_.console : nullptr;
    side.virtio_console_input = virtio_.input.get();
}

void RunConsoles::await_clients() {
    for (End* end : ends()) {
        if (end->line) {
            end->line->await_client([] { return end_requested() != EndRequest::None; });
        }
    }
}

void RunConsoles::flush() {
    for (End* end : ends()) {
        if (end->console) {
            end->console->flush();
        }
    }
}

void RunConsoles::look() {
    flush();
    for (End* end : ends()) {
        if (end->input) {
            end->input->look();
        }
    }
}

bool RunConsoles::has_terminal() const {
    return main_.input && main_.input->is_terminal();
}

bool RunConsoles::is_live() const {
    return std::ranges::any_of(ends(),
                               [](const End* end) { return end->input && end->input->is_live(); });
}

void RunConsoles::finish_lines() {
    for (End* end : ends()) {
        if (!end->line) {
            continue;
        }
        end->line->finish();
        if (end->line->lost() != 0) {
            std::fprintf(
                stderr, "pes-vp: %s: %llu bytes of output are lost: nobody has read them\n",
                end->line->option().c_str(), static_cast<unsigned long long>(end->line->lost()));
        }
    }
}

} // namespace pes
