// SPDX-License-Identifier: Apache-2.0
// Call stacks from the registers and the memory of a hart, by the call frame information of its
// programs: .debug_frame and .eh_frame (DWARF 5, section 6.4). Programs need no frame pointers.
//
// A function without such information is followed only while its return address is still in ra:
// the innermost one, until it calls another.
#pragma once

#include "hw/interface/types.h"
#include "platform/program/symbolizer.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace pes {

class CallFrames {
  public:
    using Registers = std::array<std::uint64_t, 32>; ///< x0..x31
    /// Copies guest memory into the bytes; false if it cannot be read.
    using ReadMemory = std::function<bool(Address, std::span<std::byte>)>;

    /// Where an address of the guest is in the programs.
    using Place = std::function<Address(Address)>;

    /// A hart between two instructions. All addresses are the guest's.
    struct Moment {
        Address pc;
        const Registers& registers;
        const ReadMemory& read; ///< of the stack
        Place place = [](Address address) { return address; };
    };

    /// Frames further out are left away.
    static constexpr std::size_t kDeepest = 127;

    explicit CallFrames(const Symbolizer& symbolizer);
    CallFrames(const CallFrames&) = delete;
    CallFrames& operator=(const CallFrames&) = delete;
    ~CallFrames();

    /// The calls that have not returned, innermost first, by their places.
    std::vector<Address> calls(const Moment& moment) const;
    /// Those of the instruction at the place `sampled`, which ran a few before.
    std::vector<Address> calls_around(Address sampled, const Moment& moment) const;

  private:
    class Information;

    const Information* information_at(Address place) const;
    bool is_other_function(Address place, Address other) const;
    std::optional<Address> call_before(Address behind, const Place& place) const;
    std::optional<Address> call_shortly_before(Address pc, const Place& place) const;

    const Symbolizer& symbolizer_;
    std::vector<std::unique_ptr<Information>> information_; ///< of each program
};

} // namespace pes
