// SPDX-License-Identifier: Apache-2.0
// Memory accesses of the PDIS memory buffer: "Asynchronous Write Privilege and Address Translation"
// of Ssamb. menvcfg.PDISS = 0: M-mode without translation; 1: S-mode and satp. Its writes and page
// walks neither take time of the hart nor change a TLB.
#pragma once

#include "hw/common/buffer_memory.h"
#include "hw/core/arch/arch_state.h"
#include "hw/core/feed/interrupt_inputs.h"
#include "hw/core/hart_config.h"
#include "hw/core/hart_time.h"
#include "hw/core/memory/data_memory.h"

#include <cstdint>

namespace pes {

class BufferPort final : public BufferMemory {
  public:
    BufferPort(const HartConfig& config, ArchState& arch, DataMemory& memory,
               InterruptInputs& interrupts, const HartTime& time)
        : config_(config), arch_(arch), memory_(memory), interrupts_(interrupts), time_(time) {}

    /// Sets the buffer's interrupt: bit `number` of mip.
    void connect(unsigned number);
    void fenced() { ++fences_; }

    std::optional<Address> translate(Address address) override;
    bool store(Address physical, std::span<const std::uint64_t> words) override;
    std::uint64_t fences() const override { return fences_; }
    void interrupt(Cycle at) override;

    void state(class Archive& archive); ///< of a checkpoint

  private:
    bool store_over_the_bus(Address physical, std::span<const std::uint64_t> words);
    bool supervisor() const { return arch_.csr.environment(menvcfg::kPdiss); }

    const HartConfig& config_;
    ArchState& arch_;
    DataMemory& memory_;
    InterruptInputs& interrupts_;
    const HartTime& time_;
    Interrupt line_{};
    std::uint64_t fences_ = 0;
};

} // namespace pes
