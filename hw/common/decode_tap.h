// SPDX-License-Identifier: Apache-2.0
// The contract between a hart and a unit that samples decoded instructions: the hart reports what
// it decodes, the unit says which of these it wants to know more about, and the hart tells it how
// that one ended.
//
// Instructions are reported in the order in which they are decoded, those that are thrown away
// included. The hart need not report one by one what the unit is indifferent to: the totals tell.
#pragma once

#include "hw/common/event.h"
#include "hw/interface/types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace pes {

/// What an instruction is to a sampler, by what it does explicitly.
enum class DecodedType : std::uint8_t { Other, Load, Store, LoadStore, Transfer };

/// Groups of decoded instructions that are counted apart.
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

/// Decoded since reset; index = DecodedGroup.
using DecodedTotals = std::array<std::uint64_t, kDecodedGroups>;

struct DecodedInstruction {
    Address pc = 0;
    DecodedType type = DecodedType::Other;
    Cycle cycle = 0; ///< of its decode
};

/// Who answers a load.
enum class DataSource : std::uint8_t { Unknown, FirstLevel, Memory, Device };

/// The stages of an instruction; kNever: it did not come as far.
struct SampledTimes {
    Cycle decoded = kNever;
    Cycle dispatched = kNever; ///< it reaches the issue stage
    Cycle issued = kNever;     ///< to its unit; of an access: translated, and on its way
    Cycle completed = kNever;  ///< could retire, or take its trap
    Cycle oldest = kNever;     ///< nothing older is left
    Cycle ended = kNever;      ///< retires, traps, or is thrown away
};

/// How an instruction ended that the unit has chosen.
struct SampledInstruction {
    enum class End : std::uint8_t {
        Retired,
        Trapped, ///< an exception, or an interrupt in its place
        Flushed,
    };
    /// What has thrown it away.
    enum class Flush : std::uint8_t { None, Mispredict, Other };

    DecodedInstruction decoded;
    std::uint32_t raw = 0; ///< instruction word
    End end = End::Retired;
    SampledTimes times;
    std::uint64_t time = 0; ///< CSR `time` in the cycle in which it ended
    bool time_open = true;  ///< the mode that the unit belongs to may read it

    Flush flush = Flush::None;
    Address flushed_by = 0; ///< pc

    bool itlb_miss = false; ///< of the fetch of its word, if that was fetched for it
    bool l1i_miss = false;

    std::optional<Address> data; ///< virtual address of its access
    std::optional<Address> physical;
    bool dtlb_miss = false;
    bool l1d_miss = false;
    DataSource source = DataSource::Unknown;

    bool taken = false; ///< a branch
    Address target = 0; ///< of a branch or jump that retires: the next pc
    bool mispredicted = false;
};

/// What the end of a sampled instruction asks of the hart.
struct SampleEffect {
    bool overflow_interrupt = false; ///< LCOFI becomes pending
    /// It is to be taken before the next instruction retires.
    bool skidless = false;
};

class DecodeTap {
  public:
    DecodeTap() = default;
    DecodeTap(const DecodeTap&) = delete;
    DecodeTap& operator=(const DecodeTap&) = delete;
    virtual ~DecodeTap() = default;

    /// An instruction is decoded; the totals include it. True: ended() shall follow. That comes
    /// after reports of younger instructions that are decoded meanwhile.
    virtual bool decoded(const DecodedInstruction& instruction, const DecodedTotals& totals) = 0;
    virtual SampleEffect ended(const SampledInstruction& instruction) = 0;
    /// What is decoded from now on is of this mode.
    virtual void entered(Privilege mode, const DecodedTotals& totals) = 0;
    /// So many instructions behind the last one reported need not be. kNever: none at all.
    virtual std::uint64_t indifferent_to() const = 0;
};

} // namespace pes
