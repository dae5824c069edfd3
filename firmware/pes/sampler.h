// SPDX-License-Identifier: Apache-2.0
// Precise event sampling, machine side: the state behind the sampling calls and the handler of the
// two interrupts.
//
// Each hart has its own. On hart 0 a counter that reaches its threshold raises PLIC id 8. The
// handler writes one 64-byte record per fired counter (hw/interface/maps/sample_record.h) at
// mhpmmmaped + mhpmmoffset, advances the offset and sets the counter back. When no further record
// fits, the comparator raises id 9: the buffer is announced to the supervisor by a software
// interrupt, the supervisor takes it (hand_over), reads it and gives it back (resume). A threshold
// that fires while there is no room is counted in `lost`, which every later record carries.
#pragma once

#include "firmware/boot/frame.h"
#include "firmware/pes/decoded.h"
#include "firmware/pes/sample_parts.h"
#include "firmware/pes/throttle.h"
#include "firmware/sbi/counters.h"
#include "firmware/sbi/sbi.h"

#include <stdint.h>

namespace pes {

class Sampler {
  public:
    /// Looks for the PES CSRs and, if they are there, opens the interrupts.
    void probe();
    bool available() const { return available_; }

    // The calls of the sampling extension; docs/sbi.md has their errors.
    sbi::Result enable(uint64_t counter, uint64_t event, uint64_t threshold);
    sbi::Result disable(uint64_t counter);
    sbi::Result set_buffer(uint64_t base, uint64_t size);
    sbi::Result start();
    sbi::Result stop();
    sbi::Result status(uint64_t item) const;
    sbi::Result hand_over();
    sbi::Result resume();
    sbi::Result set_modes(uint64_t modes);
    sbi::Result set_method(uint64_t method);
    sbi::Result set_record(uint64_t parts);

    // The thesis's calls act on one register each.
    bool set_thesis_event(uint64_t counter, uint64_t event);
    bool set_thesis_threshold(uint64_t counter, uint64_t threshold);
    bool set_thesis_counter(uint64_t counter, uint64_t value);
    bool set_thesis_buffer(uint64_t size, uint64_t base);

    // The two interrupts. Sampled counters are inhibited while these run. `frame`: the registers
    // of the program, if they are at hand.
    void take_samples(uint64_t entry_cycle, const TrapFrame* frame = nullptr);
    void announce_full();
    /// The program goes on behind them.
    void leave() { throttle_.leave(sampled(), Throttle::Way::Interrupt); }

  private:
    struct Fired {
        unsigned counter;
        uint64_t event;
        uint64_t value; ///< events counted since the counter was armed
    };

    /// An interrupt for samples.
    struct Entry {
        uint64_t cycle;
        const TrapFrame* frame;
    };

    template <unsigned N>
    void examine(const Entry& entry);
    void take(const Fired& fired, const Entry& entry);
    void record(const Fired& fired, const Entry& entry);
    SampleRecord plain_record(const Fired& fired, const Entry& entry) const;
    void record_detailed(const Fired& fired, const Entry& entry);
    uint32_t sampled() const { return static_cast<uint32_t>(machine_local().sampled); }
    bool may_take(uint64_t counter) const;
    void filter(unsigned n) const;
    bool by_decode(unsigned n) const { return (by_decode_ >> n & 1) != 0; }
    sbi::Result enable_decoded(unsigned n, uint64_t kind, uint64_t period);
    void take_over(unsigned n, uint64_t event, uint64_t period);
    /// What stands still while samples are taken.
    uint32_t held() const { return enabled_ | (by_decode_ != 0 ? decoded::kHold : 0); }
    void arm(unsigned n, uint64_t period);
    void hold(uint32_t mask);
    void begin(uint32_t mask);
    sbi::Result attach(uint64_t base, uint64_t size);

    bool available_ = false;
    bool knows_causes_ = false;  ///< the hart has mhpmmspc
    bool knows_decoded_ = false; ///< the hart has Smpdis and counts its samples
    bool knows_calls_ = false;   ///< it has control transfer records
    sbi::sampling::State state_ = sbi::sampling::kStopped;
    uint32_t enabled_ = 0; ///< counters of the extension, running or not
    uint64_t base_ = 0;
    uint64_t size_ = 0;
    uint64_t samples_ = 0;
    uint64_t lost_ = 0;
    uint64_t throttled_ = 0; ///< thresholds that fired after a longer period than asked for
    uint64_t filtered_ = 0;  ///< that were found in a mode that is not sampled
    uint64_t modes_ = 0;     ///< of the counters that are enabled from now on
    uint64_t method_ = sbi::sampling::kInterrupted; ///< likewise
    uint32_t by_cause_ = 0;                         ///< bit n: samples of counter n name the cause
    uint32_t by_decode_ = 0;                        ///< the bit of the counter that counts samples
    uint64_t kind_ = 0;                             ///< of the instructions that it samples
    uint64_t parts_ = 0;                            ///< of a record, sbi::sampling::kRecord..
    uint64_t record_size_ = kSampleSize;            ///< with these parts, at most
    Throttle throttle_;
    uint8_t modes_of_[kCounterLimit] = {};
    uint64_t wanted_[kCounterLimit] = {}; ///< events between two samples, as asked for
    uint64_t period_[kCounterLimit] = {}; ///< the same, as it is
};

extern Sampler samplers[PES_MAX_HARTS];

/// Of the hart that asks.
inline Sampler& sampler() {
    return samplers[hart_id()];
}

/// One of the thesis's calls; the value for a0.
int64_t thesis_call(uint64_t extension, uint64_t number, uint64_t value);

} // namespace pes
