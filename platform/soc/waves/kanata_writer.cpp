// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/kanata_writer.h"

#include <algorithm>
#include <utility>

namespace pes {
namespace {

constexpr const char* kHeader = "Kanata\t0004\n";

std::string line(std::string_view command, std::uint64_t id) {
    return std::string(command) + "\t" + std::to_string(id);
}

/// Tabs and newlines separate what the format knows.
std::string plain(std::string text) {
    std::ranges::replace(text, '\t', ' ');
    std::ranges::replace(text, '\n', ' ');
    return text;
}

} // namespace

void KanataWriter::add(KanataInstruction instruction) {
    const unsigned thread = instruction.thread;
    started_[thread] = instruction.stages.front().from;
    waiting_.push_back(
        std::make_unique<Open>(Open{.instruction = std::move(instruction), .order = order_++}));
    std::ranges::push_heap(waiting_, Later{});
    drain(*std::ranges::min_element(started_));
}

void KanataWriter::end(unsigned thread) {
    started_[thread] = kNever;
    drain(*std::ranges::min_element(started_));
}

void KanataWriter::finish() {
    drain(kNever);
    if (now_ == kNever) {
        file_.write(kHeader);
    }
}

std::unique_ptr<KanataWriter::Open> KanataWriter::take_first() {
    std::ranges::pop_heap(waiting_, Later{});
    std::unique_ptr<Open> first = std::move(waiting_.back());
    waiting_.pop_back();
    return first;
}

void KanataWriter::drain(Cycle before) {
    while (!waiting_.empty() && waiting_.front()->at() < before) {
        std::unique_ptr<Open> first = take_first();
        advance_to(first->at());
        if (first->next == first->instruction.stages.size()) {
            write_end(*first);
            continue;
        }
        write_stage(*first);
        ++first->next;
        waiting_.push_back(std::move(first));
        std::ranges::push_heap(waiting_, Later{});
    }
}

void KanataWriter::advance_to(Cycle cycle) {
    if (now_ == kNever) {
        file_.write(kHeader + line("C=", cycle) + "\n");
    } else if (cycle != now_) {
        file_.write(line("C", cycle - now_) + "\n");
    }
    now_ = cycle;
}

void KanataWriter::write_stage(Open& open) {
    const KanataInstruction& instruction = open.instruction;
    if (open.next == 0) {
        open.id = ids_++;
        file_.write(line("I", open.id) + "\t" + std::to_string(open.order) + "\t" +
                    std::to_string(instruction.thread) + "\n" + line("L", open.id) + "\t0\t" +
                    plain(instruction.label) + "\n" + line("L", open.id) + "\t1\t" +
                    plain(instruction.detail) + "\n");
    }
    file_.write(line("S", open.id) + "\t0\t" + instruction.stages[open.next].name + "\n");
}

void KanataWriter::write_end(const Open& open) {
    const bool retired = open.instruction.how == KanataInstruction::End::Retired;
    file_.write(line("R", open.id) + "\t" + std::to_string(retired_) +
                (retired ? "\t0\n" : "\t1\n"));
    retired_ += retired ? 1 : 0;
}

} // namespace pes
