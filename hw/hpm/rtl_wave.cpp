// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/rtl_wave.h"

namespace pes {
namespace {

struct Pin {
    const char* name;
    unsigned width;
};

constexpr std::array<Pin, 8> kInputPins{{{"pulses_i", kEventCount},
                                         {"retire_valid_i", 2},
                                         {"retire_pc_i(0)", 64},
                                         {"retire_pc_i(1)", 64},
                                         {"priv_lvl_i", 2},
                                         {"csr_addr_i", 12},
                                         {"csr_we_i", 1},
                                         {"csr_wdata_i", 64}}};
constexpr std::array<Pin, 5> kOutputPins{{{"reached_o", 32},
                                          {"sample_reached_o", 32},
                                          {"sample_cycle_o", 64},
                                          {"sample_pc_o", 64},
                                          {"sample_priv_o", 2}}};

} // namespace

RtlWave::RtlWave(WaveSink& sink, const std::string& scope) : sink_(sink) {
    const auto declare = [&](auto& signals, const auto& pins) {
        for (std::size_t i = 0; i < pins.size(); ++i) {
            signals[i].id = sink.declare(kGroup, scope, pins[i].name, pins[i].width, 0);
        }
    };
    declare(inputs_, kInputPins);
    declare(outputs_, kOutputPins);
}

void RtlWave::ticked(const RtlModel::Inputs& in, const RtlModel::Outputs& out, Cycle cycle) {
    // One cycle before the window counts too, so that no older value is dated into it.
    if (cycle + 2 < sink_.window_from() || cycle >= sink_.window_to()) {
        return;
    }
    publish<kInputs>(inputs_,
                     {in.pulses, (std::uint64_t{1} << in.retired) - 1, in.retire_pc[0],
                      in.retire_pc[1], static_cast<std::uint64_t>(in.privilege), in.csr,
                      in.write ? 1U : 0U, in.write_data},
                     cycle);
    publish<kOutputs>(
        outputs_,
        {out.reached, out.sample_reached, out.sample_cycle, out.sample_pc, out.sample_privilege},
        cycle + 1);
}

template <std::size_t Count>
void RtlWave::publish(std::array<Signal, Count>& signals,
                      const std::array<std::uint64_t, Count>& values, Cycle at) {
    for (std::size_t i = 0; i < Count; ++i) {
        if (values[i] != signals[i].published) {
            signals[i].published = values[i];
            sink_.change(signals[i].id, at, values[i]);
        }
    }
}

} // namespace pes
