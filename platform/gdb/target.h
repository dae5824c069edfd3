// SPDX-License-Identifier: Apache-2.0
// The debugged machine, as a session of gdb sees it. It stands still while it is asked.
#pragma once

#include "hw/interface/types.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pes::gdb {

/// gdb's numbers of RISC-V registers: x0 to x31, pc, f0 to f31, each CSR, the privilege mode.
/// [gdb/riscv-tdep.h]
inline constexpr unsigned kPc = 32;
inline constexpr unsigned kFirstFloat = 33;
inline constexpr unsigned kFirstCsr = 65;
inline constexpr unsigned kPrivilege = 4161;

struct RegisterDescription {
    unsigned number; ///< gdb's
    std::string name;
};

enum class PointKind : std::uint8_t { Breakpoint, WriteWatch, ReadWatch, AccessWatch };

struct Point {
    PointKind kind = PointKind::Breakpoint;
    Address address = 0;
    std::uint64_t size = 0; ///< bytes that are watched

    bool operator==(const Point&) const = default;
};

/// Why the machine stands still.
enum class StopReason : std::uint8_t {
    Start, ///< nothing has run yet
    Breakpoint,
    Step,
    WriteWatch,
    ReadWatch,
    AccessWatch,
    Interrupt,  ///< the user wants it
    CannotGoOn, ///< the run ends next, because no instruction can follow
    NoHistory,  ///< on the way back: nothing earlier is known
};

struct Stop {
    StopReason reason = StopReason::Start;
    unsigned hart = 0;
    Address address = 0; ///< of the watched memory
};

/// How a hart goes on: up to a halt, or behind the first instruction that leaves a range.
struct Motion {
    bool steps = false;
    std::pair<Address, Address> range{}; ///< of addresses, to the second one exclusively
    /// The client takes it to stand still: it goes on because harts share time, and what it halts
    /// for is nothing that the client could be told.
    bool unasked = false;
};

/// How the machine goes back.
enum class WayBack : std::uint8_t {
    Step,     ///< to the state before the last instruction of a hart
    Continue, ///< to the last breakpoint or watched access
};

class Target {
  public:
    Target() = default;
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;
    virtual ~Target() = default;

    virtual unsigned harts() const = 0;
    /// A word or two about what the hart does.
    virtual std::string describe(unsigned hart) = 0;

    /// Floating-point registers and CSRs, besides those that every hart has.
    virtual const std::vector<RegisterDescription>& registers() const = 0;
    /// Nothing if it has no value at present.
    virtual std::optional<std::uint64_t> read_register(unsigned hart, unsigned number) = 0;
    virtual bool write_register(unsigned hart, unsigned number, std::uint64_t value) = 0;

    /// At an address of the hart's present mode. Returns how many bytes, from the first on, there
    /// are.
    virtual std::size_t read_memory(unsigned hart, Address address, std::span<std::byte> bytes) = 0;
    virtual bool write_memory(unsigned hart, Address address, std::span<const std::byte> bytes) = 0;

    virtual bool insert(const Point& point) = 0;
    virtual bool remove(const Point& point) = 0;

    /// A command of `monitor`: what to print, which ends with a new line.
    virtual std::string command(unsigned hart, std::string_view line) = 0;
};

} // namespace pes::gdb
