// SPDX-License-Identifier: Apache-2.0
// The platform of pes-vp without its SystemC shells, so that one process runs many kernels: hart,
// counters, RAM, CLINT and the registers of the PLIC, all with their default configuration.
#pragma once

#include "hw/core/hart.h"
#include "hw/hpm/tlm_bank.h"
#include "platform/config.h"
#include "tests/fidelity/measurement.h"

#include <filesystem>
#include <vector>

namespace pes::fidelity {

class KernelMachine : private HartBus, private LevelSink {
  public:
    /// The hart of `generation`, with the defect of both that loads count no DTLB miss.
    explicit KernelMachine(CoreGeneration generation);

    /// Runs the kernel from reset to its end. Throws UserError if the file is not such a kernel or
    /// does not end.
    Repetitions run(const std::filesystem::path& elf);

  private:
    static PlatformConfig configure(CoreGeneration generation);

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
    TlmCounterBank bank_;
    Hart hart_;
    Address tohost_ = 0;
    bool ended_ = false;
};

} // namespace pes::fidelity
