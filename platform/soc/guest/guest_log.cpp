// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/guest/guest_log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace pes {

GuestLog::GuestLog(const std::string& program, const std::string& level)
    : sink_(std::make_shared<CollapsingSink>(std::make_shared<spdlog::sinks::stderr_sink_st>())) {
    auto logger = std::make_shared<spdlog::logger>(program, sink_);
    logger->set_level(spdlog::level::from_str(level));
    logger->set_pattern(program + ": %l: [%n] %v");
    spdlog::set_default_logger(std::move(logger));
}

} // namespace pes
