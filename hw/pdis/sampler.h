// SPDX-License-Identifier: Apache-2.0
// Smpdis and Sspdis: samples decoded instructions. The counter of decoded instructions selects one
// when it overflows; what the pipeline then does with that one is filtered and recorded.
// docs/precise-sampling.md, "Decoded-instruction sampling".
//
// The counter is a view of the hart's totals: count = base + total - total at base. So it needs no
// report of the instructions between two samples.
//
// A write to a register holds for the instructions behind the one that writes, as if the pipeline
// were emptied; the sample of that instruction itself ends under the settings of its selection.
#pragma once

#include "hw/common/csr_owner.h"
#include "hw/common/decode_tap.h"
#include "hw/pdis/memory_buffer.h"
#include "hw/pdis/record.h"

#include <cstdint>
#include <optional>

namespace pes::pdis {

struct SamplerConfig {
    std::uint32_t mpdisctl = 0x7D0;
    /// spdisctl; spdiscounter, spdisevmask, spdisevmatch and spdisfilter follow, and with Ssamb
    /// spdisambcs and spdisambaddr.
    std::uint32_t spdisctl = 0x5D0;
    std::uint32_t stateen_bit = 53; ///< PDIS in mstateen0
    std::uint32_t lambi = 16;       ///< interrupt of the memory buffer
};

/// What became of the selections. Each overflow is in one of the first four; with mpdisctl.ACC = 1
/// so is each accelerated selection.
struct SampleCounts {
    std::uint64_t samples = 0;    ///< qualified and recorded
    std::uint64_t collisions = 0; ///< overflows while a sample is active
    std::uint64_t filtered = 0;   ///< discarded by a filter
    std::uint64_t dropped = 0;    ///< there was no place for the record
    std::uint64_t overflows = 0;
    std::uint64_t accelerated = 0; ///< selections without an overflow
};

class Sampler final : public DecodeTap,
                      public CsrOwner,
                      public IndirectCsrOwner,
                      public CounterBitOwner {
  public:
    explicit Sampler(const SamplerConfig& config = {}) : config_(config) {}

    /// Records go to memory from now on (Ssamb).
    void use(BufferMemory& memory) { buffer_.emplace(memory); }

    /// How many CSRs there are from SamplerConfig::spdisctl on.
    unsigned supervisor_csrs() const { return buffer_ ? kBufferAddress + 1 : kBufferControl; }

    const SamplerConfig& config() const { return config_; }
    const SampleCounts& counts() const { return counts_; }
    /// A selected instruction has not ended.
    bool active() const { return active_.has_value(); }

    // DecodeTap
    DecodeVerdict decoded(const DecodedInstruction& instruction,
                          const DecodedTotals& totals) override;
    SampleEffect ended(const SampledInstruction& instruction) override;
    void entered(Privilege mode, const DecodedTotals& totals) override;
    std::uint64_t indifferent_to() const override;

    // CsrOwner
    std::uint64_t read(std::uint16_t number) const override;
    void write(const CsrWrite& write) override;
    // IndirectCsrOwner: the record, if it is not written to memory
    bool has(const IndirectRegister& which) const override;
    std::uint64_t read(const IndirectRegister& which) const override;
    void write(const IndirectRegister& which, const CsrWrite& write) override;
    // CounterBitOwner
    bool overflowed() const override { return (control_ & control::kOf) != 0; }
    bool inhibited() const override { return inhibited_; }
    void inhibit(bool inhibited) override;

    void state(Archive& archive); ///< of a checkpoint

  private:
    /// Offsets from SamplerConfig::spdisctl.
    enum Register : unsigned {
        kControl,
        kCounter,
        kEventMask,
        kEventMatch,
        kFilter,
        kBufferControl, ///< this and the next only with a buffer
        kBufferAddress
    };

    /// What has been selected, with the settings that hold for it.
    struct Active {
        std::uint64_t control = 0;
        std::uint64_t mask = 0;
        std::uint64_t match = 0;
        std::uint64_t filter = 0;
        void state(Archive& archive);
    };

    bool runs() const;
    DecodedGroup group() const { return static_cast<DecodedGroup>(control_ & control::kSel); }
    std::uint64_t total() const { return totals_[static_cast<std::size_t>(group())]; }
    /// COUNT, which may have passed its 32 bits by 1.
    std::uint64_t count() const { return base_ + (counting_ ? total() - total_at_base_ : 0); }
    /// The count goes on from `value` under the present settings.
    void rebase(std::uint64_t value);
    bool keep(const Record& record, Cycle at);
    std::uint64_t hardwired() const { return buffer_ ? control::kMem : 0; }
    bool qualifies(const Active& active, const Record& record) const;
    void write_control(std::uint64_t value, std::uint64_t mask);
    void write_filter(std::uint64_t value);

    SamplerConfig config_;
    Privilege mode_ = Privilege::Machine;
    DecodedTotals totals_{}; ///< of the last report

    std::uint64_t control_ = 0; ///< mpdisctl
    std::uint64_t mask_ = 0, match_ = 0, filter_ = 0;
    std::uint64_t initial_ = 0; ///< INITVAL
    bool inhibited_ = false;    ///< mcountinhibit[1]

    std::uint64_t base_ = 0; ///< COUNT when the view was set
    std::uint64_t total_at_base_ = 0;
    bool counting_ = false;

    std::optional<Active> active_; ///< has not ended
    Cycle active_until_ = 0;       ///< the last one has, in this cycle
    bool accelerate_ = false;      ///< the next one that counts is selected
    Record record_{};              ///< the last one recorded
    std::optional<MemoryBuffer> buffer_;
    SampleCounts counts_;
};

} // namespace pes::pdis
