// SPDX-License-Identifier: Apache-2.0
// The platform of pes-vp without its SystemC shells, so that one process runs many kernels: hart,
// counters, RAM, CLINT and the registers of the PLIC, all with their default configuration.
#pragma once

#include "hw/core/hart.h"
#include "hw/hpm/hpm_bank.h"
#include "hw/irq/clint_device.h"
#include "hw/irq/plic_device.h"
#include "platform/config/config.h"
#include "tests/fidelity/measurement.h"

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace pes::fidelity {

/// What the kernels were measured on: the core with a counter for every event and with the defect
/// of all its generations that loads count no DTLB miss. `settings`: key=value, what else it has.
/// Throws UserError.
PlatformConfig kernel_config(std::span<const std::string> settings);

class KernelMachine : private HartBus, private LevelSink {
  public:
    explicit KernelMachine(const PlatformConfig& config);
    /// With counters of another kind; their configuration is the platform's.
    KernelMachine(PlatformConfig config, std::unique_ptr<HpmBank> bank);

    /// Runs the kernel from reset to its end. Throws UserError if the file is not such a kernel or
    /// does not end.
    Repetitions run(const std::filesystem::path& elf);

    const Hart& hart() const { return hart_; }
    std::span<const std::byte> ram() const { return ram_; }

  private:
    BusResult load(Address address, void* data, unsigned size, Cycle at) override;
    BusResult store(Address address, const void* data, unsigned size, Cycle at) override;
    bool direct_memory(Address address, DirectMemory& region) override;
    std::uint64_t time(Cycle at) const override { return clint_.mtime(at); }
    void set_level(unsigned line, bool level, Cycle at) override;

    std::uint64_t word(Address address) const;

    const PlatformConfig config_;
    std::vector<std::byte> ram_;
    Clint clint_;
    Plic plic_;
    std::unique_ptr<HpmBank> bank_;
    Hart hart_;
    Address tohost_ = 0;
    bool ended_ = false;
};

} // namespace pes::fidelity
