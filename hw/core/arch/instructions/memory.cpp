// SPDX-License-Identifier: Apache-2.0
// Loads and stores, integer and floating point.
#include "hw/core/arch/decode.h"
#include "hw/core/arch/execution.h"
#include "hw/core/arch/float/format.h"

#include <array>

namespace pes {

namespace {

using U64 = std::uint64_t;

Address effective_address(const Execution& hart, const Instruction& i) {
    return hart.x(i.rs1) + static_cast<U64>(i.imm);
}

/// T's signedness is the extension.
template <typename T>
void load(Execution& hart, const Instruction& i) {
    T value{};
    if (hart.load(i, effective_address(hart, i), value)) {
        hart.x(i.rd) = static_cast<U64>(static_cast<std::int64_t>(value));
    }
}

template <typename T>
void store(Execution& hart, const Instruction& i) {
    hart.store(i, effective_address(hart, i), static_cast<T>(hart.x(i.rs2)));
}

template <typename T>
void float_load(Execution& hart, const Instruction& i) {
    if (!hart.csr().float_enabled()) {
        hart.raise_illegal(i);
        return;
    }
    T value{};
    if (hart.load(i, effective_address(hart, i), value)) {
        if constexpr (sizeof(T) == 4) {
            hart.x(i.rd) = fp::box32(value);
        } else {
            hart.x(i.rd) = value;
        }
        hart.csr().mark_float_dirty();
    }
}

/// fsw stores the low word as it is, boxed or not.
template <typename T>
void float_store(Execution& hart, const Instruction& i) {
    if (!hart.csr().float_enabled()) {
        hart.raise_illegal(i);
        return;
    }
    store<T>(hart, i);
}

constexpr InstructionRow row(std::string_view name, std::uint32_t op, std::uint32_t funct3,
                             Format format, TimingClass timing, Handler handler) {
    const Encoding e = with_funct3(opcode(op), funct3);
    const auto size = static_cast<std::uint8_t>(1U << (funct3 & 3));
    return {name, e.match, e.mask, format, timing, handler, size};
}

constexpr std::array kMemoryRows{
    row("lb", 0x03, 0, Format::I, TimingClass::Load, load<std::int8_t>),
    row("lh", 0x03, 1, Format::I, TimingClass::Load, load<std::int16_t>),
    row("lw", 0x03, 2, Format::I, TimingClass::Load, load<std::int32_t>),
    row("ld", 0x03, 3, Format::I, TimingClass::Load, load<std::int64_t>),
    row("lbu", 0x03, 4, Format::I, TimingClass::Load, load<std::uint8_t>),
    row("lhu", 0x03, 5, Format::I, TimingClass::Load, load<std::uint16_t>),
    row("lwu", 0x03, 6, Format::I, TimingClass::Load, load<std::uint32_t>),
    of(IsaExtension::F,
       row("flw", 0x07, 2, Format::FLoad, TimingClass::Load, float_load<std::uint32_t>)),
    of(IsaExtension::D,
       row("fld", 0x07, 3, Format::FLoad, TimingClass::Load, float_load<std::uint64_t>)),
    row("sb", 0x23, 0, Format::S, TimingClass::Store, store<std::uint8_t>),
    row("sh", 0x23, 1, Format::S, TimingClass::Store, store<std::uint16_t>),
    row("sw", 0x23, 2, Format::S, TimingClass::Store, store<std::uint32_t>),
    row("sd", 0x23, 3, Format::S, TimingClass::Store, store<std::uint64_t>),
    of(IsaExtension::F,
       row("fsw", 0x27, 2, Format::FStore, TimingClass::Store, float_store<std::uint32_t>)),
    of(IsaExtension::D,
       row("fsd", 0x27, 3, Format::FStore, TimingClass::Store, float_store<std::uint64_t>)),
};

} // namespace

std::span<const InstructionRow> memory_rows() {
    return kMemoryRows;
}

} // namespace pes
