// SPDX-License-Identifier: Apache-2.0
#include "platform/program/basic_blocks.h"

#include "platform/program/program_image.h"

#include <algorithm>

namespace pes {
namespace {

void sort_and_drop_copies(std::vector<Address>& addresses) {
    std::sort(addresses.begin(), addresses.end());
    addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
}

} // namespace

BasicBlocks::BasicBlocks(const trace::ProgramImage& code, std::vector<Address> entries) {
    std::erase_if(entries, [](Address entry) { return entry % 2 != 0; });
    sort_and_drop_copies(entries);
    for (const trace::CodeSegment& segment : code.segments()) {
        // Each function is read from its own first byte, whatever the bytes before it are.
        Address begin = segment.begin();
        for (auto entry = std::upper_bound(entries.begin(), entries.end(), begin);
             entry != entries.end() && *entry < segment.end(); ++entry) {
            walk(segment, begin, *entry);
            begin = *entry;
        }
        walk(segment, begin, segment.end());
    }
    sort_and_drop_copies(leaders_);
    std::sort(stretches_.begin(), stretches_.end());
    for (const Stretch& stretch : stretches_) {
        divide(stretch);
    }
    leaders_ = {};
    stretches_ = {};
}

/// Notes the leaders, and the stretches of code between bytes that are no instruction.
void BasicBlocks::walk(const trace::CodeSegment& segment, Address begin, Address end) {
    bool continues = false; // a stretch is open
    for (Address pc = begin; pc < end;) {
        const trace::CodeRun& run = segment.run(pc);
        if (run.instructions == 0) {
            continues = false;
            pc += 2;
            continue;
        }
        const Address behind = run.end(pc);
        if (!continues) {
            stretches_.emplace_back(pc, pc);
        }
        stretches_.back().second = std::min(behind, end);
        continues = true;
        if (behind <= end) {
            if (run.kind == FlowKind::Branch || run.kind == FlowKind::DirectJump) {
                leaders_.push_back(run.target(pc));
            }
            if (run.kind != FlowKind::Sequential) {
                leaders_.push_back(behind);
            }
        }
        pc = behind;
    }
}

/// At the leaders inside it.
void BasicBlocks::divide(const Stretch& stretch) {
    Address begin = stretch.first;
    for (auto leader = std::upper_bound(leaders_.begin(), leaders_.end(), begin);
         leader != leaders_.end() && *leader < stretch.second; ++leader) {
        blocks_.push_back({begin, *leader});
        begin = *leader;
    }
    blocks_.push_back({begin, stretch.second});
}

const BasicBlock* BasicBlocks::find(Address pc) const {
    const auto after = std::upper_bound(
        blocks_.begin(), blocks_.end(), pc,
        [](Address address, const BasicBlock& block) { return address < block.begin; });
    if (after == blocks_.begin() || pc >= std::prev(after)->end) {
        return nullptr;
    }
    return &*std::prev(after);
}

} // namespace pes
