// SPDX-License-Identifier: Apache-2.0
// The registers of native code, and how it reaches the members of the hart.
//
//   rbx   the hart's parts; members are at a distance from it
//   rbp   the BlockRunner, for the exits
//   r12   replayed blocks (NativeContext::replayed_count)
//   r13   the decode cycle (HartTime::decode)
//   r14   the limit (NativeContext::limit)
//   r15   the pages that accesses look into (DataMemory::quick_pages())
//   others hold nothing from one guest instruction or question to the next
#pragma once

#include "hw/core/blocks/native/native_context.h"
#include "hw/core/hart_parts.h"

#include <asmjit/x86.h>

#include <spdlog/spdlog.h>

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

/// Where the exits of all paths are, once for a hart.
struct Exits {
    const void* at_limit = nullptr;
    const void* stopped = nullptr;
    const void* answered = nullptr;
    const void* unanswered = nullptr;
    const void* behind = nullptr;
};

class CodeWriter final : private asmjit::ErrorHandler {
  public:
    CodeWriter(asmjit::CodeHolder& code, HartParts& parts, const NativeContext& lent,
               const Exits& ways)
        : hart(parts), context(lent), exits(ways) {
        code.setErrorHandler(this);
        code.attach(&a);
    }
    CodeWriter(const CodeWriter&) = delete;
    CodeWriter& operator=(const CodeWriter&) = delete;

    x86::Assembler a;
    HartParts& hart;
    const NativeContext& context;
    const Exits& exits;

    void load_registers() {
        a.mov(x86::r12, at(context.replayed_count));
        a.mov(x86::r13, at(&hart.time.decode));
        a.mov(x86::r14, at(context.limit));
        a.mov(x86::r15, at(hart.execution.data().quick_pages()));
    }
    void store_registers() {
        a.mov(at(context.replayed_count), x86::r12);
        a.mov(at(&hart.time.decode), x86::r13);
    }

    /// A member of the hart or of what belongs to it.
    x86::Mem at(const void* member, std::uint32_t size = 8) {
        const auto distance =
            reinterpret_cast<std::intptr_t>(member) - reinterpret_cast<std::intptr_t>(&hart);
        good_ = good_ && distance >= std::numeric_limits<std::int32_t>::min() &&
                distance <= std::numeric_limits<std::int32_t>::max();
        return {x86::rbx, static_cast<std::int32_t>(distance), size};
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
    template <typename Function>
    void call(Function* function) {
        a.call(Imm(reinterpret_cast<std::uintptr_t>(function)));
    }
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
    void handleError(asmjit::Error, const char* message, asmjit::BaseEmitter*) override {
        spdlog::error("native code of a block: {}; it stays without", message);
        good_ = false;
    }

    std::vector<std::function<void()>> aside_;
    bool good_ = true;
};

} // namespace pes::native
