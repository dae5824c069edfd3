// SPDX-License-Identifier: Apache-2.0
// The questions and answers of one block, while it is recorded.
#pragma once

#include "hw/core/timing/tables/questions.h"
#include "hw/interface/types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace pes {

/// What the answers so far tell about lines of L1I, those of the last ones.
class KnownLines {
  public:
    void clear() { count_ = 0; }
    std::optional<bool> present(Address line) const {
        for (std::size_t number = first(); number != count_; ++number) {
            const Known& known = known_[number % kMost];
            if (known.line == line) {
                return known.present;
            }
        }
        return std::nullopt;
    }
    void add(Address line, bool present) { known_[count_++ % kMost] = {line, present}; }
    /// Does no longer know what `of(line)` is true for.
    template <typename Of>
    void forget(Of of) {
        for (std::size_t number = first(); number != count_; ++number) {
            Known& known = known_[number % kMost];
            if (of(known.line)) {
                known.line = kNone;
            }
        }
    }

  private:
    static constexpr std::size_t kMost = 16;
    static constexpr Address kNone = ~Address{0};

    struct Known {
        Address line = kNone;
        bool present = false;
    };
    std::size_t first() const { return count_ < kMost ? 0 : count_ - kMost; }

    std::array<Known, kMost> known_{};
    std::size_t count_ = 0;
};

/// The questions of one block, in order. The first ones may be answered already; the tables are not
/// asked again for those.
class Tape {
  public:
    static constexpr std::size_t kMost = 512; ///< questions

    /// The block begins behind the decode in cycle `begin`.
    void rewind(std::span<const std::uint64_t> given, Cycle begin = 0) {
        given_ = given;
        begin_ = begin;
        count_ = 0;
        spoilt_ = false;
        computed_ = 0;
        known_lines_.clear();
    }
    /// The next instruction has fact number `operand`.
    void set_operand(std::uint8_t operand) { operand_ = operand; }
    std::uint8_t operand() const { return operand_; }
    /// The questions that follow are about an address that is no fact of the block's run, but is
    /// computed when this question is answered.
    static constexpr std::uint8_t kFirstComputed = 32, kMostComputed = 16;
    /// The entries that a walk reads.
    static constexpr std::uint8_t kFirstRead = kFirstComputed + kMostComputed, kMostReads = 3;
    static constexpr std::size_t kOperands = kFirstRead + kMostReads;
    void computed_operand() {
        if (computed_ == kMostComputed) {
            spoil();
            return;
        }
        operand_ = static_cast<std::uint8_t>(kFirstComputed + computed_++);
    }
    /// An input of the pipeline that does not come from the tables.
    void fact(Query query, std::uint64_t argument, std::uint64_t value, std::uint64_t subject = 0) {
        add(query, subject, argument, value);
    }
    /// The answer to the next question, if that has been answered already.
    std::optional<std::uint64_t> given() const {
        return count_ < given_.size() ? std::optional(given_[count_]) : std::nullopt;
    }
    /// What has no room spoils the tape.
    void add(Query query, std::uint64_t subject, std::uint64_t argument, std::uint64_t answer) {
        if (count_ == kMost) {
            spoil();
            return;
        }
        asked_[count_++] = {.query = query,
                            .operand = has_operand(query) ? operand_ : std::uint8_t{0},
                            .subject = asks_about_access(query) ? 0 : subject,
                            .argument = is_timed(query) ? argument - begin_ : argument,
                            .answer = answer};
    }
    std::span<const Question> asked() const { return std::span(asked_).first(count_); }
    /// The result depends on something that is not on the tape and must not be memoized.
    void spoil() { spoilt_ = true; }
    bool spoilt() const { return spoilt_; }
    KnownLines& known_lines() { return known_lines_; }

  private:
    std::span<const std::uint64_t> given_;
    Cycle begin_ = 0;
    std::array<Question, kMost> asked_{}; ///< the first `count_` of them
    std::size_t count_ = 0;
    std::uint8_t operand_ = 0;
    std::uint8_t computed_ = 0; ///< operands that are
    bool spoilt_ = false;
    KnownLines known_lines_;
};

} // namespace pes
