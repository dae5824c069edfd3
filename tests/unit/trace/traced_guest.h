// SPDX-License-Identifier: Apache-2.0
// A hart with RAM and counters that runs firmware for a while. A counter that reaches its threshold
// raises the external interrupt. Loads from outside RAM read as a UART that is always ready, stores
// go nowhere.
#pragma once

#include "hw/core/hart.h"
#include "hw/hpm/tlm_bank.h"

#include <filesystem>
#include <map>
#include <vector>

namespace pes::trace::test {

class TracedGuest : private HartBus, private LevelSink {
  public:
    explicit TracedGuest(const std::filesystem::path& elf, const Extensions& extensions = {});

    Hart& hart() { return hart_; }
    /// Returns early only if the guest waits or is lost.
    void run_to(Cycle cycle);

  private:
    BusResult load(Address address, void* data, unsigned size, Cycle at) override;
    BusResult store(Address address, const void* data, unsigned size, Cycle at) override;
    bool direct_memory(Address address, DirectMemory& region) override;
    std::uint64_t time(Cycle at) const override { return at; }
    void set_level(unsigned line, bool level, Cycle at) override;

    HartConfig config_;
    std::vector<std::byte> ram_;
    TlmCounterBank bank_;
    Hart hart_;
};

/// All that retires, and the instructions by address.
class RetirementLog : public HartObserver {
  public:
    void retired(const Retirement& retirement) override {
        executed.push_back(retirement.pc);
        code[retirement.pc] = retirement.raw;
    }
    void trapped(const TrapTaken&) override { ++traps; }

    std::vector<Address> executed;
    std::map<Address, std::uint32_t> code;
    unsigned traps = 0;
};

} // namespace pes::trace::test
