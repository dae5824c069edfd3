// SPDX-License-Identifier: Apache-2.0
// The model's side of the comparison: hart, counters, RAM, CLINT and PLIC without their SystemC
// shells, as in tests/fidelity/kernel_machine.h, and with timer interrupts.
#pragma once

#include "hw/core/hart.h"
#include "hw/hpm/hpm_bank.h"
#include "hw/irq/clint_device.h"
#include "hw/irq/plic_device.h"
#include "platform/config/config.h"
#include "tests/fidelity/fuzz/run_log.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pes::cycle_fuzz {

/// The core of v5.3.0 with its defects and a counter for every event.
PlatformConfig judged_config(std::span<const std::string> settings);

class Machine : private HartBus, private LevelSink {
  public:
    explicit Machine(const PlatformConfig& config);

    /// From reset to the end. With `recording` every step is noted, which takes the stepping path;
    /// without it the fast path runs and only the passes come back.
    RunLog run(const std::filesystem::path& elf, bool recording);

    Cycle cycles() const { return hart_.reached(); }
    const std::vector<std::byte>& ram() const { return ram_; }

  private:
    /// The software line has a sink of its own: both lines carry the hart's number.
    struct SoftwareLine : LevelSink {
        explicit SoftwareLine(Hart& of) : hart(of) {}
        void set_level(unsigned line, bool level, Cycle at) override;
        Hart& hart;
    };

    BusResult load(Address address, void* data, unsigned size, Cycle at) override;
    BusResult store(Address address, const void* data, unsigned size, Cycle at) override;
    bool direct_memory(Address address, DirectMemory& region) override;
    void reach(Cycle at) override { clint_.advance(at); }
    std::uint64_t time(Cycle at) const override { return clint_.mtime(at); }
    void set_level(unsigned line, bool level, Cycle at) override;

    void run_to_end();
    void set_horizon();
    std::uint64_t word(Address address) const;

    const PlatformConfig config_;
    std::vector<std::byte> ram_;
    Clint clint_;
    Plic plic_;
    std::unique_ptr<HpmBank> bank_;
    Hart hart_;
    SoftwareLine software_line_;
    Address tohost_ = 0;
    bool ended_ = false;
    std::string problem_;
};

} // namespace pes::cycle_fuzz
