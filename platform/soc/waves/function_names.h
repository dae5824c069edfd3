// SPDX-License-Identifier: Apache-2.0
// The functions of the booted programs, numbered as a wave meets them.
#pragma once

#include "hw/common/archive.h"
#include "hw/common/wave.h"
#include "hw/interface/types.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pes {

class FunctionNames final : public WaveTexts {
  public:
    static constexpr std::uint64_t kOutside = 0; ///< of every function
    static constexpr std::string_view kOutsideText = "-";

    /// `name_of`: the function around an address, empty if there is none. Asked once an address.
    explicit FunctionNames(std::function<std::string(Address)> name_of);

    std::uint64_t number_of(Address pc);
    std::string_view text_of(std::uint64_t number) const override;

    /// Of a checkpoint: their numbers, which are values of signals.
    void state(Archive& archive);

  private:
    std::uint64_t look_up(Address pc);

    std::function<std::string(Address)> name_of_;
    std::unordered_map<Address, std::uint64_t> known_;
    std::map<std::string, std::uint64_t, std::less<>> numbers_;
    std::vector<std::string_view> names_; ///< by number; the map has the characters
};

} // namespace pes
