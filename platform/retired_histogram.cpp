// SPDX-License-Identifier: Apache-2.0
#include "platform/retired_histogram.h"

#include <algorithm>
#include <sstream>
#include <vector>

namespace pes {

void RetiredHistogram::retired(const Retirement& retirement) {
    const Address number = retirement.pc >> kPageBits;
    if (number != last_number_) {
        std::unique_ptr<Page>& page = pages_[number];
        if (!page) {
            page = std::make_unique<Page>();
        }
        last_number_ = number;
        last_page_ = page.get();
    }
    Slot& slot = (*last_page_)[(retirement.pc >> 1) % kSlots];
    ++slot.count;
    slot.cycles += retirement.cycle - last_cycle_;
    last_cycle_ = retirement.cycle;
}

std::string RetiredHistogram::csv() const {
    std::vector<Address> numbers;
    numbers.reserve(pages_.size());
    for (const auto& [number, page] : pages_) {
        numbers.push_back(number);
    }
    std::ranges::sort(numbers);
    std::ostringstream out;
    out << "pc,count,cycles\n";
    for (const Address number : numbers) {
        const Page& page = *pages_.at(number);
        for (std::size_t index = 0; index < kSlots; ++index) {
            if (page[index].count != 0) {
                out << "0x" << std::hex << (number << kPageBits) + 2 * index << std::dec << ","
                    << page[index].count << "," << page[index].cycles << "\n";
            }
        }
    }
    return out.str();
}

} // namespace pes
