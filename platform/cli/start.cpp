// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/start.h"

#include "platform/cli/options.h"
#include "platform/cli/run_command.h"
#include "platform/host/end_request.h"
#include "platform/host/temporary_files.h"
#include "platform/host/user_error.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <systemc>

/// Called by the SystemC library between its set-up and its clean-up.
int sc_main(int argc, char** argv) {
    pes::temporary_files::remove_on_signals();
    try {
        // SystemC reports the end of a run on standard output, which belongs to the guest.
        sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
        const std::optional<pes::Options> options = pes::parse_command_line(argc, argv);
        return options ? pes::run_command(*options) : 0;
    } catch (const pes::ToldUserError&) {
        return pes::kUserErrorExit;
    } catch (const pes::UserError& error) {
        std::fprintf(stderr, "pes-vp: %s\n", error.what());
    } catch (const std::exception& error) {
        if (pes::is_out_of_memory(error)) {
            std::fputs("pes-vp: out of memory: no result is written\n", stderr);
            return pes::kOutOfMemoryExit;
        }
        std::fprintf(stderr, "pes-vp: cannot go on: %s\n", error.what());
    }
    return pes::kUserErrorExit;
}

int pes::start(int argc, char** argv) {
    ::setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1); // the library's banner goes to stderr
    return sc_core::sc_elab_and_sim(argc, argv);
}
