// SPDX-License-Identifier: Apache-2.0
// The settings of the modules: the same keys, values and files as those of `pes-vp run --set` and
// `--config` (docs/settings.md). Modules that belong together get the same settings.
#pragma once

#include <systemc>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace pes {
struct PlatformConfig;
}

namespace pes::kit {

/// A mistake of the user: one sentence that names what is wrong and what was expected. Thrown by
/// constructors and, for what is only known then, at the end of elaboration.
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class Settings {
  public:
    /// The defaults: CVA6, its counters, its addresses.
    Settings() : Settings(std::vector<std::string>()) {}
    /// The defaults, then the TOML file (if not empty), then each "key=value". Throws Error.
    explicit Settings(const std::vector<std::string>& assignments,
                      const std::filesystem::path& file = {});

    /// The value of a key, as TOML writes it. Throws Error if there is no such key.
    std::string value(std::string_view key) const;
    /// The period of the harts' clock, clock_hz.
    sc_core::sc_time cycle() const;

    const PlatformConfig& internal() const { return *config_; } ///< for the modules

  private:
    std::shared_ptr<const PlatformConfig> config_;
};

} // namespace pes::kit
