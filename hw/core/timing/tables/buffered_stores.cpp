// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/tables/buffered_stores.h"

#include "hw/core/timing/tables/questions.h"

namespace pes {

namespace {

constexpr unsigned kByte = 8;
constexpr std::uint64_t kInEach = 0x0101'0101'0101'0101, kTopOfEach = 0x80 * kInEach;

} // namespace

std::uint64_t BufferedStores::possible(Address physical) const {
    const std::uint64_t differ = young_ ^ tag(physical >> 3) * kInEach;
    // At the top of each byte that is 0, and of some above it.
    std::uint64_t same = (differ - kInEach) & ~differ & kTopOfEach;
    std::uint64_t possible = ~std::uint64_t{0} << (kYoung + 1);
    for (; same != 0; same &= same - 1) {
        possible |= 2ULL << static_cast<unsigned>(std::countr_zero(same)) / kByte;
    }
    return possible;
}

void BufferedStores::note_young() {
    for (std::uint64_t age = kYoung; age != 0; --age) {
        young_ = young_ << kByte | tag(write(age) >> kWordShift);
    }
}

std::uint64_t BufferedStores::push(Address physical, std::uint64_t argument) {
    const std::uint64_t size = argument / store_size(1);
    std::uint64_t slot = write_count_++;
    const std::uint64_t behind = argument % store_size(1);
    for (std::uint64_t place = behind; place != 0; --place, --slot) {
        writes_[slot % kWrites] = writes_[(slot - 1) % kWrites];
    }
    writes_[slot % kWrites] = physical << kSizeBits | size;
    if (behind == 0) [[likely]] {
        young_ = young_ << kByte | tag(physical >> 3);
    } else {
        note_young();
    }
    if (size != 0) {
        push_store(physical);
    }
    const bool aligned = (physical & (size - 1)) == 0;
    return aligned ? 0 : push_pieces(write_count_ - slot);
}

/// The write of this age has just been pushed. If it is the rest of a word, it has the bytes that
/// the previous write to the word leaves.
std::uint64_t BufferedStores::push_pieces(std::uint64_t age) {
    Write& pushed = write(age);
    const bool rest = static_cast<ByteMask>(pushed) == 0;
    for (std::uint64_t before = age + 1; rest && before <= kWrites; ++before) {
        if (same_word(write(before), pushed)) {
            set_bytes(pushed, kPieces.behind_first[bytes_left(write(before))]);
            break;
        }
    }
    return kPieces.count[kPieces.behind_first[bytes_left(pushed)]];
}

/// The last write of the word has age `last`; earlier writes of the word that are not sent either
/// hold its other pieces.
std::uint64_t BufferedStores::join(Address physical, std::uint64_t argument) {
    const std::uint64_t not_sent = argument % store_size(1) / pes::not_sent(1);
    const std::uint64_t last = find_word(physical, argument % pes::not_sent(1));
    if (last == 0 || last > not_sent) {
        return last;
    }
    push_store(physical);
    const std::uint64_t size = argument / store_size(1);
    const Write word = write(last);
    std::uint64_t first = last;
    std::uint64_t earlier = (2ULL << not_sent) - (2ULL << last);
    earlier &= earlier == 0 ? 0 : possible(physical);
    for (; earlier != 0; earlier &= earlier - 1) {
        const auto age = static_cast<std::uint64_t>(std::countr_zero(earlier));
        first = same_word(write(age), word) ? age : first;
    }
    if (first == last) [[likely]] {
        const ByteMask bytes = bytes_left(write(last)) | written_bytes(physical, size);
        set_bytes(write(last), bytes);
        return last | (kPieces.count[bytes] - 1ULL) << 8;
    }
    ByteMask bytes = bytes_left(write(first)) | written_bytes(physical, size);
    const std::uint64_t left = kPieces.count[bytes] - 1U;
    for (std::uint64_t age = first; age >= last; --age) {
        if (same_word(write(age), word)) {
            set_bytes(write(age), bytes);
            bytes = kPieces.behind_first[bytes];
        }
    }
    return last | left << 8;
}

void BufferedStores::drop(std::uint64_t age) {
    for (; age != 1; --age) {
        write(age) = write(age - 1);
    }
    --write_count_;
    note_young();
}

} // namespace pes
