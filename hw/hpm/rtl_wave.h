// SPDX-License-Identifier: Apache-2.0
// Every signal of counters in RTL as a waveform (group "rtl"): pins, registers and wires, named as
// in the SystemVerilog, ours or foreign. The registers that software knows are in group "hpm" too,
// with the same names for every kind of counters.
//
// The signals inside the RTL are known to its simulator only, which writes them as the text of a
// value change dump; this class parses the text. Nothing is dumped outside the window.
//
// A cycle is dumped once, with its inputs on the pins, before the clock edge that ends it. Clocks
// are left out, since they would never change.
#pragma once

#include "hw/common/wave.h"
#include "hw/hpm/rtl_model.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

class RtlWave {
  public:
    static constexpr const char* kGroup = "rtl";

    /// `scope` replaces the block's own scope. Sink and model must outlive the wave.
    RtlWave(WaveSink& sink, std::string scope, RtlModel& model);
    RtlWave(const RtlWave&) = delete;
    RtlWave& operator=(const RtlWave&) = delete;

    /// Call before the clock edge that ends `cycle`.
    void show(const RtlModel::Inputs& inputs, Cycle cycle);

    /// Of a checkpoint. The next dump has all signals, of which those that differ are shown.
    void state(class Archive& archive);

  private:
    /// At most 64 bits of a signal; a wider one has several.
    struct Part {
        std::string scope;
        std::string name;
        unsigned low; ///< its lowest bit in the signal
        unsigned width;
        SignalId id{};
        std::uint64_t published = 0;
    };

    void take(std::string_view text);
    void take_line(std::string_view line);
    void enter(std::string_view module);
    void add(std::string_view code, std::string_view name, unsigned width);
    void update(std::string_view code, std::string_view bits);

    WaveSink& sink_;
    const std::string scope_;
    std::string line_;                                            ///< as far as it has arrived
    std::vector<std::string> scopes_;                             ///< where the declarations are
    std::map<std::string, std::vector<Part>, std::less<>> parts_; ///< by the dump's code
    bool declared_ = false;
    Cycle at_ = 0;
    RtlModel& model_;
};

} // namespace pes
