// SPDX-License-Identifier: Apache-2.0
// Random messages of every code, with values that their fields can carry.
#pragma once

#include "hw/interface/trace/message.h"

#include <optional>
#include <random>

namespace pes::trace::test {

class RandomMessages {
  public:
    explicit RandomMessages(unsigned seed, unsigned source_bits)
        : random_(seed), source_bits_(source_bits) {}

    TraceMessage next() {
        const MessageLayout* layout = nullptr;
        while (layout == nullptr) {
            layout = find_layout(static_cast<unsigned>(random_() % (1U << kCodeBits)));
        }
        TraceMessage message = make_message(layout->code);
        message.source = static_cast<std::uint16_t>(random_() % (1U << source_bits_));
        for (std::size_t index = 0; index < layout->field_count; ++index) {
            const FieldLayout& field = layout->fields[index];
            if (is_present(field, message.values)) {
                message.values[index] =
                    field.packing == Packing::Fixed ? assigned_value(field) : value(field.bits);
            }
        }
        return message;
    }

    /// All lengths are as likely, so that fields of one slice are not rare.
    std::uint64_t value(unsigned most_bits) {
        const auto bits = static_cast<unsigned>(random_() % (most_bits + 1));
        return bits == 0 ? 0 : random_() >> (64 - bits);
    }

    std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

  private:
    std::uint64_t assigned_value(const FieldLayout& field) {
        for (;;) {
            const std::uint64_t candidate = random_() % (std::uint64_t{1} << field.bits);
            if (((field.assigned >> candidate) & 1) != 0) {
                return candidate;
            }
        }
    }

    std::mt19937_64 random_;
    unsigned source_bits_;
};

} // namespace pes::trace::test
