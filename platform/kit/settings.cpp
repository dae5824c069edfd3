// SPDX-License-Identifier: Apache-2.0
#include <pes-vp/settings.h>

#include "hw/common/systemc/clock_domain.h"
#include "platform/config/settings.h"
#include "platform/kit/errors.h"
#include "platform/kit/repetitions.h"

namespace pes::kit {
namespace {

/// Every module has a copy of its settings: they live as long as what logs.
struct Shared {
    std::shared_ptr<const void> log = limit_repetitions();
    PlatformConfig config;
};

} // namespace

Settings::Settings(const std::vector<std::string>& assignments, const std::filesystem::path& file)
    : config_(in_words_of("", [&] {
          const auto shared = std::make_shared<const Shared>(
              Shared{.config = make_config(file, assignments, "setting")});
          return std::shared_ptr<const PlatformConfig>(shared, &shared->config);
      })) {}

std::string Settings::value(std::string_view key) const {
    const Setting* const setting = find_setting(key);
    if (setting == nullptr) {
        const std::string_view near = nearest_key(key);
        throw Error("there is no setting '" + std::string(key) + "', expected " +
                    (near.empty() ? "one of `pes-vp run --show-config`"
                                  : "for example '" + std::string(near) + "'"));
    }
    return print_value(*setting, *config_);
}

sc_core::sc_time Settings::cycle() const {
    return ClockDomain(config_->clock_hz).period();
}

} // namespace pes::kit
