// SPDX-License-Identifier: Apache-2.0
// Instruction fetches of a hart: the page of the pc, translated and checked once, and the decoded
// instructions in it.
#pragma once

#include "hw/core/arch/arch_state.h"
#include "hw/core/arch/causes.h"
#include "hw/core/hart_config.h"
#include "hw/core/hart_time.h"
#include "hw/core/memory/decode_cache.h"
#include "hw/core/memory/host_memory.h"
#include "hw/core/memory/mmu.h"
#include "hw/core/timing/code_reader.h"

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace pes {

/// Why the instruction at the pc cannot be fetched.
struct FetchFault {
    Cause cause = Cause::InstructionAccess;
    Address address = 0; ///< of the half-word that faults, for tval
    enum class Half : std::uint8_t { First, Second } half = Half::First;
    const PageWalk* walk = nullptr; ///< that found no translation; null if none was made
};

class CodeMemory final : public CodeReader {
  public:
    static constexpr Address kPageMask = ~Address{0xFFF};

    struct Page {
        static constexpr Address kNone = 1; ///< never equal to a page address
        Address virtual_page = kNone;
        Address physical_page = 0;
        DecodedPage* decoded = nullptr;
        std::uint64_t version = 0;      ///< of the decoded page
        bool uniform_protection = true; ///< PMP has one answer for all of it
        bool global = false;            ///< mapped in every address space alike
        const PageWalk* walk = nullptr; ///< walk of the entry, charged to the first fetch
    };

    CodeMemory(const HartConfig& config, const ArchState& arch, Mmu& mmu, HostMemory& host,
               const HartTime& time);

    /// The instruction at the pc, valid until the next call; null: see fault().
    const Instruction* fetch() {
        if (!in_page(arch_.pc) && !enter()) [[unlikely]] {
            return nullptr;
        }
        const Instruction& slot = (*page_.decoded)[(arch_.pc & ~kPageMask) / 2];
        const bool ready = slot.execute != nullptr && page_.uniform_protection;
        return ready ? &slot : decode_at_pc();
    }
    const FetchFault& fault() const { return fault_; }
    /// Of what fetch() has returned, if that lies in two pages; else null.
    const SecondHalf* second_half(const Instruction& fetched) const {
        return &fetched == &across_pages_ ? &second_half_ : nullptr;
    }

    /// The page of the last fetch(), or of follow().
    const Page& page() const { return page_; }
    bool in_page(Address pc) const { return (pc & kPageMask) == page_.virtual_page; }
    /// The physical address of a pc in the page.
    Address physical(Address pc) const { return page_.physical_page | (pc & ~kPageMask); }
    const PageWalk* take_walk() { return std::exchange(page_.walk, nullptr); }
    /// Enters the page of the pc as fetch() would. False if that takes a page walk or a trap.
    bool follow();

    /// Call when translation or privilege may have changed.
    void leave_page() { page_ = {}; }
    /// Call when protection has changed.
    void forget_pages();
    /// FENCE.I: what is still in memory stays decoded.
    void flush();

    /// The 32-bit instruction that crosses into the next page, if it may certainly be executed:
    /// addresses are not translated.
    std::optional<std::uint32_t> word_across_pages(Address physical);
    /// The instruction after the current one, if it is in the same page.
    std::optional<Instruction> next_in_page();
    /// Decodes with the extensions and sources of this hart.
    Instruction decode_word(std::uint32_t word) const;

    // For the timing model (code_reader.h)
    bool translates() const override { return arch_.fetch_is_translated(); }
    std::optional<CodePage> code_page(Address page) override;
    const PageWalk* walk_code(Address page) override;
    void keep_walked() override { mmu_.keep_walked(); }
    const Instruction* instruction_at(Address physical) override;
    std::optional<std::uint64_t> integer_register(RegisterIndex index) const override {
        return arch_.x[index];
    }
    std::optional<Address> data_at(Address address) const override;

    /// Which instructions are decoded, and those that differ from memory. The page of the pc must
    /// be the one that was saved.
    void state(class Archive& archive);
    /// After a restored state: the instruction in decode, with its word.
    const Instruction* instruction_again(std::uint32_t raw) {
        return &(across_pages_ = decode_word(raw));
    }

  private:
    bool enter();
    bool open(const Translation& translation);
    DecodedPage& decoded_page(Address physical);
    const Instruction* decode_at_pc();
    const Instruction* decode_at(Address physical, DecodedPage& decoded);
    const Instruction* decode_again(DecodedPage& page, Address offset);
    const Instruction* decode_across_pages(std::uint16_t low);
    /// The 16 bits at this address, if they may be executed.
    std::optional<std::uint16_t> parcel(Address physical);
    const Instruction* fail(const FetchFault& fault) {
        fault_ = fault;
        return nullptr;
    }

    const HartConfig& config_;
    const ArchState& arch_;
    Mmu& mmu_;
    HostMemory& host_;
    const HartTime& time_;
    Page page_;
    DecodeCache decoded_;
    struct Recent {
        Page page;
        Privilege privilege = Privilege::Machine;
        std::uint64_t context = 0;
    };
    std::array<Recent, 256> recent_{}; ///< by number of the page; those of context_ are valid
    std::uint64_t context_ = 1;        ///< grows with each forget_pages()
    Instruction across_pages_;
    SecondHalf second_half_;
    PageWalk first_walk_; ///< of the first half's page, if the second needs one too
    FetchFault fault_;
};

} // namespace pes
