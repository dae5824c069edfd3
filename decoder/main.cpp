// SPDX-License-Identifier: Apache-2.0
// pes-decode: sample records -> profiles, trace files -> messages.
#include "decoder/command_line.h"
#include "decoder/commands.h"
#include "platform/host/end_request.h"
#include "platform/host/output_file.h"
#include "platform/host/temporary_files.h"
#include "platform/host/user_error.h"

#include <exception>
#include <iostream>

namespace {

template <typename... Handlers>
struct Overloaded : Handlers... {
    using Handlers::operator()...;
};
template <typename... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

} // namespace

int main(int argc, char** argv) {
    pes::temporary_files::remove_on_signals();
    try {
        return std::visit(
            Overloaded{[](const pes::SamplesCommand& command) { return pes::run_samples(command); },
                       [](const pes::CompareCommand& command) { return pes::run_compare(command); },
                       [](const pes::SkidCommand& command) { return pes::run_skid(command); },
                       [](const pes::ExportCommand& command) { return pes::run_export(command); },
                       [](const pes::ReportCommand& command) { return pes::run_report(command); },
                       [](const pes::TraceCommand& command) { return pes::run_trace(command); },
                       [](const pes::PrintCommand& command) {
                           pes::print(command.text);
                           return pes::kExitOk;
                       }},
            pes::parse_command_line(argc, argv));
    } catch (const pes::UserError& error) {
        std::cerr << "pes-decode: " << error.what() << '\n';
    } catch (const std::exception& error) {
        if (pes::is_out_of_memory(error)) {
            std::cerr << "pes-decode: out of memory: no result is written\n";
            return pes::kOutOfMemoryExit;
        }
        std::cerr << "pes-decode: cannot go on: " << error.what() << '\n';
    }
    return pes::kUserErrorExit;
}
