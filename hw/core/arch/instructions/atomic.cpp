// SPDX-License-Identifier: Apache-2.0
// A extension: LR/SC and AMOs, on main memory only. Reservations: memory/reservation.h.
#include "hw/core/arch/decode.h"
#include "hw/core/arch/execution.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace pes {

namespace {

using U64 = std::uint64_t;
using U32 = std::uint32_t;

template <typename T>
U64 sign_extended(T value) {
    return static_cast<U64>(static_cast<std::int64_t>(static_cast<std::make_signed_t<T>>(value)));
}

template <typename T, auto Operation>
void amo(Execution& hart, const Instruction& i) {
    std::byte* const word = hart.atomic_word(hart.x(i.rs1), sizeof(T), Access::Store);
    if (word == nullptr) {
        return;
    }
    T old{};
    std::memcpy(&old, word, sizeof(T));
    const T updated = Operation(old, static_cast<T>(hart.x(i.rs2)));
    std::memcpy(word, &updated, sizeof(T));
    hart.atomic_word_stored(word, sizeof(T));
    hart.x(i.rd) = sign_extended(old);
}

template <typename T>
void load_reserved(Execution& hart, const Instruction& i) {
    const std::byte* const word = hart.atomic_word(hart.x(i.rs1), sizeof(T), Access::Load);
    if (word == nullptr) {
        return;
    }
    T value{};
    std::memcpy(&value, word, sizeof(T));
    hart.reserve();
    hart.x(i.rd) = sign_extended(value);
}

template <typename T>
void store_conditional(Execution& hart, const Instruction& i) {
    std::byte* const word = hart.atomic_word(hart.x(i.rs1), sizeof(T), Access::Store);
    if (word == nullptr) {
        return;
    }
    const bool success = hart.take_reservation();
    if (success) {
        const T value = static_cast<T>(hart.x(i.rs2));
        std::memcpy(word, &value, sizeof(T));
        hart.atomic_word_stored(word, sizeof(T));
    }
    hart.x(i.rd) = success ? 0 : 1;
}

/// funct5 with any aq and rl bits: the model is sequentially consistent.
constexpr Encoding atomic(U32 funct5, U32 funct3) {
    const Encoding e = with_funct3(opcode(0x2F), funct3);
    return {e.match | funct5 << 27, e.mask | 0xF800'0000};
}

template <typename T>
constexpr InstructionRow row(std::string_view name, U32 funct5, TimingClass timing,
                             Handler handler) {
    Encoding e = atomic(funct5, sizeof(T) == 4 ? 2 : 3);
    if (timing == TimingClass::LoadReserved) {
        e = with_rs2(e, 0);
    }
    return of(IsaExtension::A, {name, e.match, e.mask, Format::R, timing, handler, sizeof(T)});
}
template <typename T>
constexpr InstructionRow amo_row(std::string_view name, U32 funct5, Handler handler) {
    return row<T>(name, funct5, TimingClass::Amo, handler);
}

template <typename T>
using Signed = std::make_signed_t<T>;

template <typename T>
constexpr T swap(T, T b) {
    return b;
}
template <typename T>
constexpr T add(T a, T b) {
    return a + b;
}
template <typename T>
constexpr T exclusive_or(T a, T b) {
    return a ^ b;
}
template <typename T>
constexpr T bit_and(T a, T b) {
    return a & b;
}
template <typename T>
constexpr T bit_or(T a, T b) {
    return a | b;
}
template <typename T>
constexpr T minimum(T a, T b) {
    return static_cast<Signed<T>>(a) < static_cast<Signed<T>>(b) ? a : b;
}
template <typename T>
constexpr T maximum(T a, T b) {
    return static_cast<Signed<T>>(a) < static_cast<Signed<T>>(b) ? b : a;
}
template <typename T>
constexpr T minimum_unsigned(T a, T b) {
    return std::min(a, b);
}
template <typename T>
constexpr T maximum_unsigned(T a, T b) {
    return std::max(a, b);
}

constexpr std::array kAtomicRows{
    row<U32>("lr.w", 0x02, TimingClass::LoadReserved, load_reserved<U32>),
    row<U32>("sc.w", 0x03, TimingClass::StoreConditional, store_conditional<U32>),
    amo_row<U32>("amoswap.w", 0x01, amo<U32, swap<U32>>),
    amo_row<U32>("amoadd.w", 0x00, amo<U32, add<U32>>),
    amo_row<U32>("amoxor.w", 0x04, amo<U32, exclusive_or<U32>>),
    amo_row<U32>("amoand.w", 0x0C, amo<U32, bit_and<U32>>),
    amo_row<U32>("amoor.w", 0x08, amo<U32, bit_or<U32>>),
    amo_row<U32>("amomin.w", 0x10, amo<U32, minimum<U32>>),
    amo_row<U32>("amomax.w", 0x14, amo<U32, maximum<U32>>),
    amo_row<U32>("amominu.w", 0x18, amo<U32, minimum_unsigned<U32>>),
    amo_row<U32>("amomaxu.w", 0x1C, amo<U32, maximum_unsigned<U32>>),
    row<U64>("lr.d", 0x02, TimingClass::LoadReserved, load_reserved<U64>),
    row<U64>("sc.d", 0x03, TimingClass::StoreConditional, store_conditional<U64>),
    amo_row<U64>("amoswap.d", 0x01, amo<U64, swap<U64>>),
    amo_row<U64>("amoadd.d", 0x00, amo<U64, add<U64>>),
    amo_row<U64>("amoxor.d", 0x04, amo<U64, exclusive_or<U64>>),
    amo_row<U64>("amoand.d", 0x0C, amo<U64, bit_and<U64>>),
    amo_row<U64>("amoor.d", 0x08, amo<U64, bit_or<U64>>),
    amo_row<U64>("amomin.d", 0x10, amo<U64, minimum<U64>>),
    amo_row<U64>("amomax.d", 0x14, amo<U64, maximum<U64>>),
    amo_row<U64>("amominu.d", 0x18, amo<U64, minimum_unsigned<U64>>),
    amo_row<U64>("amomaxu.d", 0x1C, amo<U64, maximum_unsigned<U64>>),
};

} // namespace

std::span<const InstructionRow> atomic_rows() {
    return kAtomicRows;
}

} // namespace pes
