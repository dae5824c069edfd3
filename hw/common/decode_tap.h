// SPDX-License-Identifier: Apache-2.0
// The contract between a hart and a unit that samples decoded instructions. The hart reports the
// instructions that it decodes, the unit selects one, and the hart reports how the selected
// instruction ended.
//
// Instructions are reported in decode order, including those that are flushed later. The hart may
// skip the reports to which the unit is indifferent; the totals include the skipped instructions.
#pragma once

#include "hw/common/event.h"
#include "hw/interface/types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace pes {

/// The type of an instruction by its explicit memory accesses and control transfers.
enum class DecodedType : std::uint8_t { Other, Load, Store, LoadStore, Transfer };

/// Groups of decoded instructions that are counted separately.
enum class DecodedGroup : std::uint8_t { All, Loads, Stores, LoadsStores, Transfers };
inline constexpr std::size_t kDecodedGroups = 5;

constexpr bool belongs_to(DecodedType type, DecodedGroup group) {
    switch (group) {
    case DecodedGroup::All:
        return true;
    case DecodedGroup::Loads:
        return type == DecodedType::Load || type == DecodedType::LoadStore;
    case DecodedGroup::Stores:
        return type == DecodedType::Store || type == DecodedType::LoadStore;
    case DecodedGroup::LoadsStores:
        return type == DecodedType::Load || type == DecodedType::Store ||
               type == DecodedType::LoadStore;
    case DecodedGroup::Transfers:
        break;
    }
    return type == DecodedType::Transfer;
}

/// Instructions decoded since reset; index = DecodedGroup.
using DecodedTotals = std::array<std::uint64_t, kDecodedGroups>;

struct DecodedInstruction {
    Address pc = 0;
    DecodedType type = DecodedType::Other;
    Cycle cycle = 0; ///< of its decode
};

/// Where the data of a load came from.
enum class DataSource : std::uint8_t { Unknown, FirstLevel, Memory, Device };

/// Cycle of each stage of an instruction; kNever if it did not reach the stage.
struct SampledTimes {
    Cycle decoded = kNever;
    Cycle dispatched = kNever; ///< reaches the issue stage
    Cycle issued = kNever;     ///< to its unit; an access: translated and sent
    Cycle completed = kNever;  ///< ready to retire or to trap
    Cycle oldest = kNever;     ///< becomes the oldest in flight
    Cycle ended = kNever;      ///< retires, traps or is flushed
};

/// A selected instruction and how it ended.
struct SampledInstruction {
    enum class End : std::uint8_t {
        Retired,
        Trapped, ///< an exception, or an interrupt in its place
        Flushed,
    };
    /// Why it was flushed.
    enum class Flush : std::uint8_t { None, Mispredict, Other };

    DecodedInstruction decoded;
    std::uint32_t raw = 0; ///< instruction word
    End end = End::Retired;
    SampledTimes times;
    std::uint64_t time = 0; ///< CSR `time` in the cycle in which it ended
    bool time_open = true;  ///< the mode that owns the unit may read `time`

    Flush flush = Flush::None;
    Address flushed_by = 0; ///< pc of the instruction that caused the flush

    bool itlb_miss = false; ///< of the fetch of its word, if this instruction caused the fetch
    bool l1i_miss = false;

    std::optional<Address> data; ///< virtual address of its access
    std::optional<Address> physical;
    bool dtlb_miss = false;
    bool l1d_miss = false;
    DataSource source = DataSource::Unknown;

    bool taken = false; ///< of a branch
    Address target = 0; ///< of a branch or jump that retires: the next pc
    bool mispredicted = false;
};

/// What becomes of an instruction that is decoded.
enum class DecodeVerdict : std::uint8_t {
    Passes,
    Sampled,  ///< ended() shall follow
    Collides, ///< would have been, but another one is
};

/// What becomes of the sample of an instruction that has ended.
enum class SampleFate : std::uint8_t { Recorded, Filtered, Dropped };

/// The end of a sampled instruction: what becomes of it, and what it asks of the hart.
struct SampleEffect {
    SampleFate fate = SampleFate::Recorded;
    bool overflow_interrupt = false; ///< LCOFI becomes pending
    /// The interrupt is taken before the next instruction retires.
    bool skidless = false;
};

class DecodeTap {
  public:
    DecodeTap() = default;
    DecodeTap(const DecodeTap&) = delete;
    DecodeTap& operator=(const DecodeTap&) = delete;
    virtual ~DecodeTap() = default;

    /// An instruction is decoded; the totals include it. If it is sampled, ended() comes after
    /// reports of younger instructions that are decoded meanwhile.
    virtual DecodeVerdict decoded(const DecodedInstruction& instruction,
                                  const DecodedTotals& totals) = 0;
    virtual SampleEffect ended(const SampledInstruction& instruction) = 0;
    /// Instructions decoded from now on belong to this mode.
    virtual void entered(Privilege mode, const DecodedTotals& totals) = 0;
    /// How many instructions after the last report may be skipped. kNever: all.
    virtual std::uint64_t indifferent_to() const = 0;
};

} // namespace pes
