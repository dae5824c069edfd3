// SPDX-License-Identifier: Apache-2.0
// A modelled counter bank, with the pins of its RTL that are not part of the contract.
#pragma once

#include "hw/hpm/hpm_bank.h"
#include "hw/hpm/sample_registers.h"

#include <cstdint>
#include <memory>

namespace pes {

class ModelBank : public HpmBank {
  public:
    /// The comparators, bit n = counter n.
    virtual std::uint32_t reached() const = 0;

    /// The registers of Sspesa, or null.
    virtual const SampleRegisters* samples() const { return nullptr; }

    /// Only the group "hpm".
    virtual void attach_register_wave(WaveSink& sink, std::string_view scope) = 0;

    /// For test benches, as no hart of the platform has a debug mode: from the next cycle on the
    /// programmable counters stand still.
    virtual void set_debug(bool debug) = 0;

    /// For test benches, which know the mode of a cycle only when it has come: the mode from the
    /// next cycle on, at once. Not beside set_privilege().
    virtual void set_mode(Privilege mode) = 0;

  protected:
    using HpmBank::HpmBank;
};

/// The model of the registers that the profile has.
std::unique_ptr<ModelBank> make_model_bank(const CounterConfig& config);

} // namespace pes
