// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/run_debugger.h"

#include "platform/host/end_request.h"

#include <cstdio>
#include <utility>

namespace pes {
namespace {

constexpr const char* kTitle = "--gdb";

} // namespace

RunDebugger::RunDebugger(const std::string& address, Soc& soc, DebugHooks hooks)
    : server_(kTitle, parse_server_address(kTitle, address)),
      target_(soc, server_, std::move(hooks)) {}

void RunDebugger::await_client() {
    std::fprintf(stderr, "pes-vp: --gdb: waiting for gdb, \"target remote %s\"\n",
                 server_.name().c_str());
    server_.await_client([] { return end_requested() != EndRequest::None; });
}

} // namespace pes
