// SPDX-License-Identifier: Apache-2.0
// The type of a module's logger, for headers; sources that log include module_logger.h.
#pragma once

#include <memory>

namespace spdlog {
class logger;
}

namespace pes {

using Logger = std::shared_ptr<spdlog::logger>;

} // namespace pes
