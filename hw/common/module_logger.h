// SPDX-License-Identifier: Apache-2.0
// One named logger per module.
#pragma once

#include "hw/common/logger.h"

#include <spdlog/spdlog.h>

#include <memory>
#include <string>

namespace pes {

/// What the loggers of modules are copies of; null: the default logger.
inline Logger& module_log() {
    static Logger log;
    return log;
}

/// The logger of module `name`. It is created on first use, with the sinks and the level of
/// module_log() at that time.
inline Logger module_logger(const std::string& name) {
    if (auto existing = spdlog::get(name)) {
        return existing;
    }
    auto logger = (module_log() ? module_log() : spdlog::default_logger())->clone(name);
    spdlog::register_logger(logger);
    return logger;
}

} // namespace pes
