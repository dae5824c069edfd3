// SPDX-License-Identifier: Apache-2.0
// Instruction trace packets of E-Trace ("Efficient Trace for RISC-V" 2.0, chapter "Instruction
// Trace Encoder Output Packets"), and the parameters of an encoder that a decoder has to know.
#pragma once

#include "hw/interface/types.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace pes::trace::etrace {

/// Widths in bits and sizes as powers of two, named as the specification names them with _p.
/// Fixed for an encoder; a stream does not tell them.
struct Parameters {
    unsigned iaddress_width = 64; ///< 1 to 64
    unsigned iaddress_lsb = 1;    ///< low bits of an address that are not sent: 0 to 2
    unsigned privilege_width = 2; ///< 1 to 3
    unsigned ecause_width = 6;    ///< 1 to 16
    unsigned context_width = 0;   ///< 0 (nocontext) to 64
    unsigned time_width = 0;      ///< 0 (notime) to 64
    unsigned return_stack_size = 5;
    unsigned call_counter_size = 0;
    unsigned bpred_size = 6; ///< 0: no branch prediction
    unsigned cache_size = 5; ///< 0: no jump target cache
    unsigned f0s_width = 1;

    bool operator==(const Parameters&) const = default;

    constexpr unsigned address_field() const { return iaddress_width - iaddress_lsb; }
    constexpr unsigned irdepth_width() const {
        return return_stack_size + (return_stack_size > 0 ? 1 : 0) + call_counter_size;
    }
    constexpr Address address_mask() const { return ~Address{0} >> (64 - iaddress_width); }
};

/// A parameter by the name that the file beside a trace has for it, with its bounds.
struct NamedParameter {
    const char* name;
    unsigned Parameters::*member;
    unsigned least;
    unsigned most;
};
inline constexpr unsigned kMostTableSize = 12; ///< of the four *_size parameters
inline constexpr std::array<NamedParameter, 11> kNamedParameters{{
    {"iaddress_width", &Parameters::iaddress_width, 8, 64},
    {"iaddress_lsb", &Parameters::iaddress_lsb, 0, 2},
    {"privilege_width", &Parameters::privilege_width, 1, 3},
    {"ecause_width", &Parameters::ecause_width, 1, 16},
    {"context_width", &Parameters::context_width, 0, 64},
    {"time_width", &Parameters::time_width, 0, 64},
    {"return_stack_size", &Parameters::return_stack_size, 0, kMostTableSize},
    {"call_counter_size", &Parameters::call_counter_size, 0, kMostTableSize},
    {"bpred_size", &Parameters::bpred_size, 0, kMostTableSize},
    {"cache_size", &Parameters::cache_size, 0, kMostTableSize},
    {"f0s_width", &Parameters::f0s_width, 0, 2},
}};

/// Run-time modes: ioptions of a support packet, from bit 0 up. The specification leaves number and
/// order to the implementation; these are those of its reference flow.
struct Options {
    bool implicit_return = false;
    bool implicit_exception = false;
    bool full_address = false;
    bool jump_target_cache = false;
    bool branch_prediction = false;

    bool operator==(const Options&) const = default;
};

enum class Format : std::uint8_t {
    Extension = 0, ///< branch count or jump target index
    Branch = 1,    ///< branch map, with an address or without
    Address = 2,
    Sync = 3,
};
enum class Extension : std::uint8_t { BranchCount = 0, JumpTarget = 1 };
enum class Sync : std::uint8_t { Start = 0, Trap = 1, Context = 2, Support = 3 };
enum class BranchFormat : std::uint8_t { NoAddress = 0, Address = 2, AddressMissed = 3 };
enum class QualStatus : std::uint8_t {
    NoChange = 0,
    EndedReported = 1, ///< ended_rep: the packet before was sent because trace ends
    TraceLost = 2,
    EndedNotReported = 3, ///< ended_ntr: the packet before was due to an updiscon in any case
};

inline constexpr unsigned kMostBranches = 31; ///< in a branch map
/// A branch count is sent less this, so that shorter ones are branch maps.
inline constexpr std::uint32_t kCountBase = 31;
/// A count that cannot grow is sent with the address of its last branch.
inline constexpr std::uint32_t kMostCount = 0xFFFF'FFFF;

/// One packet. Which members mean something is the format's business (packet_codec.h).
struct Packet {
    Format format = Format::Sync;
    Sync sync = Sync::Start;
    Extension extension = Extension::BranchCount;

    // Start, Trap, Context
    bool branch = true; ///< the address is no branch, or one that is not taken
    std::uint8_t privilege = 0;
    std::uint64_t time = 0;
    std::uint64_t context = 0;

    // Trap
    std::uint16_t ecause = 0; ///< without the interrupt bit
    bool interrupt = false;
    bool thaddr = false; ///< the address is that of the first instruction of the handler
    std::uint64_t tval = 0;

    // Support
    bool ienable = false;
    std::uint8_t encoder_mode = 0; ///< 0: branch trace
    QualStatus qual_status = QualStatus::NoChange;
    Options ioptions;

    // Branch, JumpTarget: 1 to 31; a branch map without an address (0 on the wire) has 31.
    std::uint8_t branches = 0;
    std::uint32_t branch_map = 0; ///< oldest in bit 0; 1 = not taken

    // BranchCount, JumpTarget
    std::uint32_t branch_count = 0; ///< as sent, less kCountBase
    BranchFormat branch_format = BranchFormat::NoAddress;
    std::uint32_t index = 0;

    // Where there is an address: in bytes, whole for Start and Trap, else the difference to the
    // last one (modulo the width of addresses) unless Options::full_address.
    bool has_address = false; ///< of Branch; formats 2 and 3 have one anyway
    Address address = 0;
    bool notify = false;
    bool updiscon = false; ///< follows an updiscon, and a packet of format 3 follows
    bool irreport = false;
    std::uint32_t irdepth = 0; ///< if irreport

    bool operator==(const Packet&) const = default;

    bool is(Sync what) const { return format == Format::Sync && sync == what; }
    /// A "synchronization packet" of the specification: a decoder can begin here.
    bool synchronises() const { return is(Sync::Start) || is(Sync::Trap); }
    /// It names the place of an instruction.
    bool locates() const;
};

inline bool Packet::locates() const {
    switch (format) {
    case Format::Sync:
        return synchronises();
    case Format::Address:
        return true;
    case Format::Branch:
        return has_address;
    case Format::Extension:
        return extension == Extension::JumpTarget || branch_format != BranchFormat::NoAddress;
    }
    return false;
}

} // namespace pes::trace::etrace
