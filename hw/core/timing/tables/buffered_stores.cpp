// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/tables/buffered_stores.h"

#include "hw/core/timing/tables/questions.h"

namespace pes {

std::uint64_t BufferedStores::push(Address physical, std::uint64_t argument) {
    const std::uint64_t size = argument / store_size(1);
    std::uint64_t slot = write_count_++;
    for (std::uint64_t place = argument % store_size(1); place != 0; --place, --slot) {
        writes_[slot % kWrites] = writes_[(slot - 1) % kWrites];
    }
    writes_[slot % kWrites] = physical << kSizeBits | size;
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
    for (std::uint64_t age = last + 1; age <= not_sent; ++age) {
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
}

} // namespace pes
