// SPDX-License-Identifier: Apache-2.0
// TSTAMP in its two dialects. Synchronising messages carry the time itself, all others
//   SiFive   the time XOR the time of the previous message of the same source,
//   N-Trace  the difference to it.
// A stream does not say which: read in the wrong dialect, its times are nonsense.
#pragma once

#include "hw/interface/trace/message_layout.h"

#include <optional>

namespace pes::trace {

enum class TimestampDialect : std::uint8_t { SiFive, NTrace };

inline constexpr unsigned kMostTimestampBits = 64;
inline constexpr unsigned kSiFiveTimestampBits = 40; ///< what their encoders have

struct TimestampFormat {
    TimestampDialect dialect = TimestampDialect::SiFive;
    unsigned bits = kSiFiveTimestampBits; ///< of the counter: where the time wraps

    bool operator==(const TimestampFormat&) const = default;

    constexpr std::uint64_t mask() const {
        return ~std::uint64_t{0} >> (kMostTimestampBits - bits);
    }
};

/// The encoder's side, one for each source.
class TimestampCompressor {
  public:
    explicit TimestampCompressor(TimestampFormat format) : format_(format) {}

    /// The field for a message sent at `time`.
    std::uint64_t compress(std::uint64_t time, TimestampKind kind) {
        const std::uint64_t now = time & format_.mask();
        const std::uint64_t previous = previous_;
        previous_ = now;
        if (kind == TimestampKind::Absolute) {
            return now;
        }
        return format_.dialect == TimestampDialect::SiFive ? now ^ previous
                                                           : (now - previous) & format_.mask();
    }
    template <typename Archive>
    void state(Archive& archive) { ///< of a checkpoint
        archive(previous_);
    }

  private:
    TimestampFormat format_;
    std::uint64_t previous_ = 0;
};

/// The decoder's side, one for each source. Time goes on over wraps of the counter as long as less
/// than one period lies between two messages.
class TimestampExpander {
  public:
    explicit TimestampExpander(TimestampFormat format) : format_(format) {}

    /// The time of a message with this field; nothing before the first absolute one.
    std::optional<std::uint64_t> expand(std::uint64_t field, TimestampKind kind) {
        return advance(field, kind) ? std::optional(time_) : std::nullopt;
    }

    /// The same in two steps, for loops over many messages: whether the time is known, and then it.
    bool advance(std::uint64_t field, TimestampKind kind) {
        if (kind == TimestampKind::Relative && !known_) {
            return false;
        }
        const std::uint64_t mask = format_.mask();
        std::uint64_t low = field & mask;
        if (kind == TimestampKind::Relative) {
            low = format_.dialect == TimestampDialect::SiFive ? (time_ ^ field) & mask
                                                              : (time_ + field) & mask;
        }
        const std::uint64_t previous = time_;
        time_ = (time_ & ~mask) | low;
        if (time_ < previous) {
            time_ += mask + 1; // of 64 bits: adds nothing
        }
        known_ = true;
        return true;
    }
    std::uint64_t time() const { return time_; }

    /// A message was lost: relative timestamps mean nothing until the next absolute one.
    void lose() { known_ = false; }

  private:
    TimestampFormat format_;
    std::uint64_t time_ = 0;
    bool known_ = false;
};

} // namespace pes::trace
