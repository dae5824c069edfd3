// SPDX-License-Identifier: Apache-2.0
// The timestamp unit of a trace block, behind either set of registers (timestamp_registers.cpp).
// Encoders and the funnel have one each; usually one unit counts and the others are its slaves, so
// that all messages of a system carry one time.
//
// Timing: the counter is computed from the hart's cycle. A register write takes effect in the next
// cycle. A prescaled counter changes every 4^tsPrescale cycles since it
// started.
#pragma once

#include "hw/common/register_block.h"
#include "hw/interface/trace/timestamp.h"
#include "hw/interface/types.h"
#include "hw/trace/register_set.h"

#include <cstdint>
#include <vector>

namespace pes::trace {

/// tsType, trTsMode: how the unit was built; software cannot change it.
enum class TimestampType : std::uint8_t {
    None = 0,
    External = 1,     ///< always runs; software cannot stop or reset it
    InternalBus = 2,  ///< counts the bus clock, which is the hart's clock on this platform
    InternalCore = 3, ///< counts the hart's clock
    Slave = 4,        ///< shows the time of another unit; 1.0 calls it shared
};

/// Whether the control register has the fields that choose which messages carry a timestamp.
enum class MessageTimestamps : std::uint8_t { Absent, Present };

struct TimestampConfig {
    TimestampType type = TimestampType::InternalCore;
    unsigned bits = kSiFiveTimestampBits; ///< tsWidth, 1 to 64
    MessageTimestamps messages = MessageTimestamps::Present;
    TimestampDialect dialect = TimestampDialect::SiFive; ///< of the messages; tsControl tells it
};

/// The messages of the program trace that carry a timestamp. Values: tsBranch.
enum class TimestampedBranches : std::uint8_t {
    None = 0,
    Indirect = 1, ///< those that need an address, synchronise or report an event
    All = 3,
};

inline constexpr unsigned kMostPrescale = 3;

/// What software chooses.
struct TimestampFields {
    bool active = false; ///< else the unit is held in reset: every field and the counter are 0
    bool count = false;
    bool run_in_debug = false;
    unsigned prescale = 0; ///< 0 to kMostPrescale: the clock / 4^n
    bool enable = false;   ///< timestamps in messages
    TimestampedBranches branches = TimestampedBranches::None;
    bool instrumentation = false;
    bool ownership = false;
};

class TimestampUnit {
  public:
    /// A slave needs a master, which outlives it; no other type has one. Throws
    /// std::invalid_argument otherwise, and on a width outside its range.
    explicit TimestampUnit(const TimestampConfig& config, const TimestampUnit* master = nullptr);
    TimestampUnit(const TimestampUnit&) = delete;
    TimestampUnit& operator=(const TimestampUnit&) = delete;

    /// For the block that the unit belongs to: control, lower and upper half of the time.
    std::vector<Register> registers(RegisterSet set = RegisterSet::SiFive);

    /// The counter at cycle `at`; 0 while it is not active. Of a slave: its master's.
    std::uint64_t time(Cycle at) const {
        if (!fields_.active || config_.type == TimestampType::None) {
            return 0;
        }
        if (config_.type == TimestampType::Slave) {
            return master_->time(at) & mask_;
        }
        return (config_.type == TimestampType::External ? at : counter(at)) & mask_;
    }

    /// Which messages carry a timestamp: enable with the fields behind it.
    bool on_indirect_branches() const {
        return fields_.enable && fields_.branches != TimestampedBranches::None;
    }
    bool on_all_branches() const {
        return fields_.enable && fields_.branches == TimestampedBranches::All;
    }
    bool on_instrumentation() const { return fields_.enable && fields_.instrumentation; }
    bool on_ownership() const { return fields_.enable && fields_.ownership; }

    const TimestampConfig& config() const { return config_; }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    bool counts_itself() const;
    bool stamps_messages() const;
    /// Fields that the unit does not have stay 0. `reset`: the counter starts again.
    void control(const TimestampFields& wanted, bool reset, Cycle at);
    std::uint64_t counter(Cycle at) const {
        if (!fields_.count || at < since_) {
            return base_;
        }
        return base_ + ((at - since_) >> (2 * fields_.prescale));
    }
    std::uint64_t time_high(Cycle at) const;

    std::vector<Register> sifive_registers();
    std::uint32_t read_sifive() const;
    void write_sifive(std::uint32_t value, Cycle at);
    std::vector<Register> standard_registers();
    std::uint32_t read_standard() const;
    void write_standard(std::uint32_t value, Cycle at);

    const TimestampConfig config_;
    const TimestampUnit* const master_;
    const std::uint64_t mask_; ///< of the counter's bits
    TimestampFields fields_;
    std::uint64_t base_ = 0; ///< the counter's value in `since_`
    Cycle since_ = 0;        ///< cycle in which it last started or stopped
};

} // namespace pes::trace
