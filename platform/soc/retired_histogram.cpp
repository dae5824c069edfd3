// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/retired_histogram.h"

#include <algorithm>
#include <sstream>
#include <vector>

namespace pes {
namespace {

Address key_of(Address page_number, bool machine) {
    return page_number << 1 | static_cast<Address>(machine);
}

} // namespace

void RetiredHistogram::retired(const Retirement& retirement) {
    const bool machine = retirement.privilege == Privilege::Machine;
    const Address key = key_of(retirement.pc >> kPageBits, machine);
    if (key != last_key_) {
        std::unique_ptr<Page>& page = pages_[key];
        if (!page) {
            page = std::make_unique<Page>();
        }
        last_key_ = key;
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
    for (const auto& [key, page] : pages_) {
        numbers.push_back(key >> 1);
    }
    std::ranges::sort(numbers);
    numbers.erase(std::ranges::unique(numbers).begin(), numbers.end());
    static const Page kNothing{};
    const auto page_of = [this](Address number, bool machine) -> const Page& {
        const auto found = pages_.find(key_of(number, machine));
        return found == pages_.end() ? kNothing : *found->second;
    };
    std::ostringstream out;
    out << "pc,count,cycles,machine_count,machine_cycles\n";
    for (const Address number : numbers) {
        const Page& others = page_of(number, false);
        const Page& machine = page_of(number, true);
        for (std::size_t index = 0; index < kSlots; ++index) {
            const Slot& in_machine = machine[index];
            const std::uint64_t count = others[index].count + in_machine.count;
            if (count != 0) {
                out << "0x" << std::hex << (number << kPageBits) + 2 * index << std::dec << ","
                    << count << "," << others[index].cycles + in_machine.cycles << ","
                    << in_machine.count << "," << in_machine.cycles << "\n";
            }
        }
    }
    return out.str();
}

} // namespace pes
