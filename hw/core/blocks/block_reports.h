// SPDX-License-Identifier: Apache-2.0
// What the observers of a hart are told of its blocks (HartObserver::blocks_ahead). Blocks that
// native code replays are told of some at a time.
#pragma once

#include "hw/core/blocks/memo.h"
#include "hw/core/hart_parts.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace pes {

class BlockReports {
  public:
    explicit BlockReports(HartParts& hart) : hart_(hart) {}

    /// At the start of a stretch of blocks. False: observers want single instructions.
    bool begin() {
        on_ = !hart_.observers.empty();
        renew_room();
        return room_ != 0;
    }
    bool on() const { return on_; }
    /// True if somebody came or left since then, or wants single instructions now.
    bool changed() const {
        return on_ == hart_.observers.empty() ||
               hart_.observers.blocks_ahead(hart_.time.decode) == 0;
    }
    /// Whether outcomes have what is told of them: from the first observer on, or always if the
    /// truth has a window.
    bool keeps_steps() const { return keeps_steps_; }
    void keep_steps() { keeps_steps_ = true; }

    /// Blocks that may run before the next one is told of.
    std::size_t room() const { return room_; }
    void renew_room() { renew_room_from(hart_.time.decode); }
    /// The same where blocks that native code has replayed are untold: asks from the first of them
    /// on.
    void renew_room_behind_told() { renew_room_from(told_until_); }
    /// True if observers want single instructions from here on.
    bool out_of_room() {
        if (room_ == 0) {
            renew_room();
        }
        return room_ == 0;
    }

    /// The pipeline takes the first instructions of a block.
    void begin_block(Cycle from) {
        from_ = from;
        count_ = 0;
    }
    void retires(const Instruction& instruction, Cycle at) {
        if (!keeps_steps_) {
            return;
        }
        const std::uint32_t before = count_ == 0 ? 0 : steps_[count_ - 1].half_words;
        steps_[count_++] = {.cycles = static_cast<std::uint32_t>(at - from_),
                            .half_words = before + instruction.length / 2U,
                            .decoded = static_cast<std::uint32_t>(hart_.time.decode - from_)};
    }
    /// Of the instructions since begin_block().
    std::span<const RetiredStep> steps() const { return std::span(steps_).first(count_); }
    Cycle from() const { return from_; } ///< begin_block()
    /// Tells of these.
    void tell_steps(const Block& block);
    /// Of a block that has been replayed up to now.
    void tell(const Outcome& outcome);
    /// Of the first `end` of `replayed`, a ring, those since the last call or forget_replayed(); of
    /// the last one only if it is known what is behind it.
    void tell_replayed(std::span<const Outcome* const> replayed, std::size_t end,
                       std::optional<Address> next_pc);
    void forget_replayed(std::size_t end) {
        told_ = end;
        told_until_ = hart_.time.decode;
    }
    std::size_t untold(std::size_t end) const { return end - told_; }

  private:
    void renew_room_from(Cycle at) { room_ = hart_.observers.blocks_ahead(at); }
    void tell(std::span<const RetiredBlock> blocks);

    static constexpr std::size_t kAtATime = 16;

    HartParts& hart_;
    bool on_ = false;
    bool keeps_steps_ = false;
    std::size_t room_ = 0;
    std::size_t told_ = 0; ///< of the ring
    Cycle told_until_ = 0; ///< decode cycle of the last one of those
    Cycle from_ = 0;
    std::size_t count_ = 0;
    std::array<RetiredStep, Block::kMaximum> steps_{}; ///< the first `count_` of them
    std::array<RetiredBlock, kAtATime> reports_{};     ///< of tell_replayed()
};

} // namespace pes
