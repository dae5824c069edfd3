// SPDX-License-Identifier: Apache-2.0
#include "platform/kit/repetitions.h"

#include "hw/common/module_logger.h"
#include "platform/host/collapsing_sink.h"

#include <vector>

namespace pes::kit {
namespace {

/// In front of each sink of the program. They live as long as the loggers: as the process.
using FrontSinks = std::vector<std::shared_ptr<CollapsingSink>>;

FrontSinks& front_sinks() {
    static FrontSinks* const sinks = new FrontSinks; // outlives what a program destroys at its end
    return *sinks;
}

void put_in_front() {
    module_log() = spdlog::default_logger()->clone("pes-vp");
    for (spdlog::sink_ptr& sink : module_log()->sinks()) {
        auto front = std::make_shared<CollapsingSink>(sink);
        front->set_level(sink->level());
        front_sinks().push_back(front);
        sink = std::move(front);
    }
}

void tell() {
    for (const auto& sink : front_sinks()) {
        sink->tell_repetitions();
    }
}

} // namespace

std::shared_ptr<const void> limit_repetitions() {
    static std::weak_ptr<const void> current;
    std::shared_ptr<const void> users = current.lock();
    if (!users) {
        if (!module_log()) {
            put_in_front();
        }
        users = std::shared_ptr<const void>(&front_sinks(), [](const void*) { tell(); });
        current = users;
    }
    return users;
}

} // namespace pes::kit
