// SPDX-License-Identifier: Apache-2.0
// The timestamp unit of a trace block: tsControl, tsLower, tsUpper. Encoders and the funnel have
// one each; usually one unit counts and the others are its slaves, so that all messages of a
// system carry one time.
//
// Timing: the counter is computed from the hart's cycle. A register write takes effect in the next
// cycle. A prescaled counter changes every 4^tsPrescale cycles since it
// started.
#pragma once

#include "hw/common/register_block.h"
#include "hw/interface/trace/timestamp.h"
#include "hw/interface/types.h"

#include <cstdint>
#include <vector>

namespace pes::trace {

/// tsType: how the unit was built; software cannot change it.
enum class TimestampType : std::uint8_t {
    None = 0,
    External = 1,     ///< always runs; software cannot stop or reset it
    InternalBus = 2,  ///< counts the bus clock, which is the hart's clock on this platform
    InternalCore = 3, ///< counts the hart's clock
    Slave = 4,        ///< shows the time of another unit
};

/// Whether tsControl has the fields that choose which messages carry a timestamp.
enum class MessageTimestamps : std::uint8_t { Absent, Present };

struct TimestampConfig {
    TimestampType type = TimestampType::InternalCore;
    unsigned bits = kSiFiveTimestampBits; ///< tsWidth, 1 to 64
    MessageTimestamps messages = MessageTimestamps::Present;
    TimestampDialect dialect = TimestampDialect::SiFive; ///< of the messages; tsControl tells it
};

class TimestampUnit {
  public:
    /// A slave needs a master, which outlives it; no other type has one. Throws
    /// std::invalid_argument otherwise, and on a width outside its range.
    explicit TimestampUnit(const TimestampConfig& config, const TimestampUnit* master = nullptr);
    TimestampUnit(const TimestampUnit&) = delete;
    TimestampUnit& operator=(const TimestampUnit&) = delete;

    /// tsControl, tsLower and tsUpper, for the block that the unit belongs to.
    std::vector<Register> registers();

    /// The counter at cycle `at`; 0 while it is not active. Of a slave: its master's.
    std::uint64_t time(Cycle at) const;

    /// Which messages carry a timestamp: tsEnable with tsBranch, tsInstrumentation, tsOwnership.
    bool on_indirect_branches() const;
    bool on_all_branches() const;
    bool on_instrumentation() const;
    bool on_ownership() const;

    const TimestampConfig& config() const { return config_; }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    bool counts_itself() const;
    std::uint32_t writable() const;
    void write_control(std::uint32_t value, Cycle at);
    std::uint32_t read_control() const;
    std::uint64_t counter(Cycle at) const;
    std::uint64_t time_high(Cycle at) const;

    const TimestampConfig config_;
    const TimestampUnit* const master_;
    std::uint32_t control_ = 0; ///< the writable fields
    std::uint64_t base_ = 0;    ///< the counter's value in `since_`
    Cycle since_ = 0;           ///< cycle in which it last started or stopped
};

} // namespace pes::trace
