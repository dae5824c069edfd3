// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/guest/no_progress.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace pes {
namespace {

constexpr unsigned kPieceShift = 6; // 64 bytes of code

bool takes_interrupts(const ArchState& state) {
    const bool on =
        state.privilege == Privilege::User ||
        state.csr.status(state.privilege == Privilege::Machine ? mstatus::kMie : mstatus::kSie);
    return on && state.csr.mie() != 0;
}

std::uint64_t hash_of(const ArchState& state) {
    constexpr std::size_t kRegisters = 32;
    const std::string_view bytes(reinterpret_cast<const char*>(state.x.data()),
                                 kRegisters * sizeof state.x[0]);
    return std::hash<std::string_view>{}(bytes);
}

} // namespace

void NoProgress::start_again(Cycle now, std::uint64_t happened) {
    since_ = now;
    happened_ = happened;
    told_ = false;
    code_.clear();
    registers_.clear();
}

NoProgress::Look NoProgress::look_of(unsigned hart, Cycle now, const ArchState& state,
                                     std::uint64_t happened) {
    return {.hart = hart,
            .now = now,
            .pc = state.pc,
            .happened = happened,
            .takes_interrupts = pes::takes_interrupts(state),
            .registers = hash_of(state)};
}

std::optional<NoProgress::Stuck> NoProgress::look(std::span<const Look> harts) {
    std::uint64_t happened = 0;
    Cycle now = 0;
    bool off = true;
    for (const Look& look : harts) {
        happened += look.happened;
        now = std::max(now, look.now);
        off = off && !look.takes_interrupts;
        code_.insert(look.pc >> kPieceShift);
        registers_.insert(look.registers);
    }
    const bool closed = guest_ == Guest::UnderFirmware || (registers_.size() <= kFew && off);
    if (harts.empty() || happened != happened_ || code_.size() > kFew || !closed) {
        start_again(now, happened);
        return std::nullopt;
    }
    if (told_ || now - since_ < kLong) {
        return std::nullopt;
    }
    told_ = true;
    return Stuck{.hart = harts.front().hart,
                 .pc = harts.front().pc,
                 .cycles = now - since_,
                 .interrupts_off = off};
}

} // namespace pes
