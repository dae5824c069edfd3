// SPDX-License-Identifier: Apache-2.0
// The pipeline's state between two instructions, relative to the decode cycle of the last one: two
// moments with the same words take the same cycles for the same instructions and answers.
//
// Each part of the pipeline has one template relative_state(archive) that names its members with
// the cycle from which on they matter; a past that cannot matter any more is the same past. The
// writer turns them into words, the reader turns the words back into members.
//
// Words: values are 1..0x7FFF, a run of n zeros is 0x8000 | n. 64 bits that are not all zero are a
// 1 and four raw words.
#pragma once

#include "hw/interface/types.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>

namespace pes {

/// A small value, so that a function that writes a whole state keeps it in registers.
class StateWriter {
  public:
    static constexpr bool kSaves = true;
    using Words = std::array<std::uint16_t, 2048>;

    /// Cycles are relative to `base`. What is written lies in `words`.
    StateWriter(Cycle base, Words& words)
        : base_(base), latest_(base + kFloors), words_(words.data()) {}

    /// A cycle that makes no difference as long as it is not after `floor`.
    [[gnu::always_inline]] void cycle(Cycle cycle, Cycle floor) {
        if (cycle <= floor) {
            ++zeros_;
            return;
        }
        number(cycle - floor);
        latest_ = std::max(latest_, cycle);
    }
    /// A cycle near the base that always matters.
    void cycle(Cycle cycle) {
        number(cycle - base_ + kNear);
        latest_ = std::max(latest_, cycle);
    }
    [[gnu::always_inline]] void number(std::uint64_t value) {
        if (value == 0) {
            ++zeros_;
            return;
        }
        all_ |= value;
        end_zeros();
        put(value);
    }
    void zeros(std::uint64_t count) { zeros_ += count; }
    void flag(bool value) { number(value ? 1 : 0); }
    void bits(std::uint64_t value) {
        if (value == 0) {
            ++zeros_;
            return;
        }
        number(1);
        for (unsigned shift = 0; shift < 64; shift += 16) {
            put(value >> shift);
        }
    }
    /// The state is one that words cannot hold.
    void give_up() { all_ = kZeros; }

    /// Call last. False: the words mean nothing.
    bool complete() {
        end_zeros();
        return all_ < kZeros;
    }
    std::span<const std::uint16_t> words() const { return {words_, count_}; }
    /// The latest cycle in the state.
    Cycle latest() const { return latest_; }

  private:
    friend class StateReader;
    static constexpr std::uint64_t kZeros = 0x8000;
    static constexpr Cycle kNear = 0x4000;
    static constexpr Cycle kFloors = 4; ///< from the base to the latest floor, at least

    void put(std::uint64_t word) {
        words_[count_] = static_cast<std::uint16_t>(word);
        if (++count_ == std::tuple_size_v<Words>) [[unlikely]] {
            give_up();
            count_ = 0;
        }
    }
    void end_zeros() {
        if (zeros_ != 0) {
            put(kZeros | zeros_);
            zeros_ = 0;
        }
    }

    Cycle base_;
    Cycle latest_;
    std::uint64_t zeros_ = 0;
    std::uint64_t all_ = 0; ///< numbers, or-ed
    std::uint16_t* words_;  ///< the first `count_` of them
    std::size_t count_ = 0;
};

class StateReader {
  public:
    static constexpr bool kSaves = false;

    StateReader(Cycle base, std::span<const std::uint16_t> words) : base_(base), words_(words) {}

    void cycle(Cycle& cycle, Cycle floor) { cycle = floor + next(); }
    void cycle(Cycle& cycle) { cycle = base_ + next() - StateWriter::kNear; }
    void number(std::uint64_t& value) { value = next(); }
    void flag(bool& value) { value = next() != 0; }
    void bits(std::uint64_t& value) {
        value = 0;
        if (next() != 0) {
            for (unsigned shift = 0; shift < 64; shift += 16) {
                value |= std::uint64_t{words_[position_++]} << shift;
            }
        }
    }

    /// So many of the next values are 0, if not more; skip_zeros() goes on behind that many.
    std::uint64_t zeros_ahead() {
        if (zeros_ == 0 && words_[position_] >= StateWriter::kZeros) {
            zeros_ = words_[position_++] - StateWriter::kZeros;
        }
        return zeros_;
    }
    void skip_zeros(std::uint64_t count) { zeros_ -= count; }

  private:
    std::uint64_t next() {
        if (zeros_ != 0) {
            --zeros_;
            return 0;
        }
        const std::uint64_t word = words_[position_++];
        if (word >= StateWriter::kZeros) {
            zeros_ = word - StateWriter::kZeros - 1;
            return 0;
        }
        return word;
    }

    Cycle base_;
    std::span<const std::uint16_t> words_;
    std::size_t position_ = 0;
    std::uint64_t zeros_ = 0;
};

} // namespace pes
