// SPDX-License-Identifier: Apache-2.0
// The registers of native code, and how it reaches the members of the hart.
//
//   rbx   the middle of the integer registers; members of the hart are at a distance from it
//   rbp   the middle of the facts that handlers have noted
//   r12   replayed blocks (NativeContext::replayed_count)
//   r13   the decode cycle (HartTime::decode)
//   r14   the limit (NativePlan::limit)
//   r15   the pages that accesses look into (DataMemory::quick_pages())
//   rax, rcx  from one instruction to the next, maybe its result (InstructionCode)
//   others hold nothing from one guest instruction or question to the next
#pragma once

#include "hw/core/blocks/native/native_context.h"
#include "hw/core/hart_parts.h"

#include <asmjit/x86.h>

#include <spdlog/spdlog.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace pes::native {

namespace x86 = asmjit::x86;
using asmjit::Imm;
using asmjit::Label;

/// Where the code is that all paths share (shared_code.h).
struct SharedCode {
    /// `base` and `facts` of CodeWriter; `code` of a node.
    using Enter = Node* (*)(const void* base, const void* facts, const void* code);
    const void* enter = nullptr;

    // Where code leaves to, with the arguments of the NativeExits behind the first.
    const void* at_limit = nullptr;
    const void* stopped = nullptr;
    const void* answered = nullptr;
    const void* unanswered = nullptr;
    const void* behind = nullptr;

    // What is called. Registers that are scratch change.

    /// A translated address in rax: rcx becomes the physical one and rdx what rax lacks to be the
    /// host's. Carry: its page is not known, or it is misaligned.
    const void*& translated(Access access, unsigned bytes) {
        return translated_[index(access, bytes)];
    }
    const void* translated(Access access, unsigned bytes) const {
        return translated_[index(access, bytes)];
    }
    /// Runs the handler of the instruction at rsi, which has edx % kMostFacts noted facts before it
    /// and the index edx / kMostFacts in the block of the node at rcx. If it stops the block,
    /// leaves to `stopped`.
    const void* handler = nullptr;
    static constexpr unsigned kMostFacts = 64;
    /// Behind the outcome at rax: NativeExits::pause, if that uses up the plan's budget or was the
    /// last that the plan allows.
    const void* pause = nullptr;

  private:
    static std::size_t index(Access access, unsigned bytes) {
        return (access == Access::Load ? 0 : 4) + static_cast<std::size_t>(std::countr_zero(bytes));
    }
    std::array<const void*, 8> translated_{};
};

class CodeWriter final : private asmjit::ErrorHandler {
  public:
    CodeWriter(asmjit::CodeHolder& code, HartParts& parts, const NativeContext& lent,
               const SharedCode& common)
        : hart(parts), context(lent), shared(common) {
        code.setErrorHandler(this);
        code.attach(&a);
    }
    CodeWriter(const CodeWriter&) = delete;
    CodeWriter& operator=(const CodeWriter&) = delete;

    x86::Assembler a;
    HartParts& hart;
    const NativeContext& context;
    const SharedCode& shared;

    static const void* base(HartParts& hart) { return &hart.arch().x[kMiddle]; }
    static const void* facts(HartParts& hart) { return &hart.notes().facts[kMiddle]; }
    void load_registers() {
        a.mov(x86::r12, at(context.replayed_count));
        a.mov(x86::r13, at(&hart.time.decode));
        a.mov(x86::r14, at(&context.plan->limit));
        a.mov(x86::r15, at(hart.execution.data().quick_pages()));
    }
    void store_registers() {
        a.mov(at(context.replayed_count), x86::r12);
        a.mov(at(&hart.time.decode), x86::r13);
    }

    /// A member of the hart or of what belongs to it.
    x86::Mem at(const void* member, std::uint32_t size = 8) {
        return {x86::rbx, distance(base(hart), member), size};
    }
    x86::Mem byte_at(const void* member) { return at(member, 1); }
    x86::Mem long_at(const void* member) { return at(member, 4); }
    /// An element of an array that is a member.
    x86::Mem element(const void* array, const x86::Gp& index, unsigned shift, std::uint32_t size) {
        x86::Mem place = at(array, size);
        place.setIndex(index, shift);
        return place;
    }
    x86::Mem x(RegisterIndex index) { return at(&hart.arch().x[index]); }
    x86::Mem fact(std::size_t number) {
        return {x86::rbp, distance(facts(hart), &hart.notes().facts[number]), 8};
    }

    void set(const x86::Gp& to, std::uint64_t value) {
        if (value == 0) {
            a.xor_(to.r32(), to.r32());
        } else if (value <= std::numeric_limits<std::uint32_t>::max()) {
            a.mov(to.r32(), Imm(value));
        } else {
            a.mov(to, Imm(value));
        }
    }
    void set(const x86::Gp& to, const void* address) {
        set(to, static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address)));
    }
    /// The BlockRunner, for a function that is called.
    void set_runner() { a.lea(x86::rdi, at(context.runner)); }
    template <typename Function>
    void call(Function* function) {
        a.call(Imm(reinterpret_cast<std::uintptr_t>(function)));
    }
    /// Of the SharedCode.
    void call_shared(const void* code) { a.call(Imm(reinterpret_cast<std::uintptr_t>(code))); }
    void jump(const void* code) { a.jmp(Imm(reinterpret_cast<std::uintptr_t>(code))); }
    /// Compares with any value. Changes r11.
    void compare(const x86::Gp& with, std::uint64_t value) {
        if (value <= std::numeric_limits<std::int32_t>::max()) {
            a.cmp(with, Imm(value));
        } else {
            set(x86::r11, value);
            a.cmp(with, x86::r11);
        }
    }

    /// Code that is rarely needed comes behind all other code.
    void aside(std::function<void()> write) { aside_.push_back(std::move(write)); }
    void write_asides() {
        for (std::size_t index = 0; index < aside_.size(); ++index) { // they may add more
            const std::function<void()> write = std::move(aside_[index]);
            write();
        }
    }
    /// False if there is something that the host's instructions cannot say.
    bool good() const { return good_; }

  private:
    /// So most of what is near it is within reach of a byte.
    static constexpr std::size_t kMiddle = 16;

    std::int32_t distance(const void* from, const void* to) {
        const auto bytes =
            reinterpret_cast<std::intptr_t>(to) - reinterpret_cast<std::intptr_t>(from);
        good_ = good_ && bytes >= std::numeric_limits<std::int32_t>::min() &&
                bytes <= std::numeric_limits<std::int32_t>::max();
        return static_cast<std::int32_t>(bytes);
    }
    void handleError(asmjit::Error, const char* message, asmjit::BaseEmitter*) override {
        spdlog::error("native code of a block: {}; it stays without", message);
        good_ = false;
    }

    std::vector<std::function<void()>> aside_;
    bool good_ = true;
};

} // namespace pes::native
