// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/kanata_writer.h"

#include "platform/host/numbers.h"

#include <algorithm>
#include <string>
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

LoggedInstruction::Handle KanataWriter::add(LoggedInstruction instruction) {
    started_[instruction.thread] = instruction.fetched;
    std::vector<PipelineStage> stages = stages_of(instruction);
    const auto id = std::make_shared<std::uint64_t>(0);
    waiting_.push_back(std::make_unique<Open>(Open{.instruction = std::move(instruction),
                                                   .stages = std::move(stages),
                                                   .order = order_++,
                                                   .id = id}));
    std::ranges::push_heap(waiting_, Later{});
    drain(*std::ranges::min_element(started_));
    return id;
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
        if (first->next == first->stages.size()) {
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

void KanataWriter::write_begin(Open& open) {
    const LoggedInstruction& instruction = open.instruction;
    *open.id = ids_++;
    const std::string label = hex(instruction.pc) + ": " + instruction.text;
    file_.write(line("I", *open.id) + "\t" + std::to_string(open.order) + "\t" +
                std::to_string(instruction.thread) + "\n" + line("L", *open.id) + "\t0\t" +
                plain(label) + "\n" + line("L", *open.id) + "\t1\t" + plain(instruction.detail) +
                "\n");
}

void KanataWriter::write_stage(Open& open) {
    if (open.next == 0) {
        write_begin(open);
    }
    if (open.at() > open.instruction.issue) {
        write_producers(open);
    }
    file_.write(line("S", *open.id) + "\t0\t" + open.stages[open.next].name + "\n");
}

/// They are in the file: a thread's instructions are fetched in order.
void KanataWriter::write_producers(Open& open) {
    if (std::exchange(open.told, true)) {
        return;
    }
    for (const LoggedInstruction::Handle& producer : open.instruction.producers) {
        file_.write(line("W", *open.id) + "\t" + std::to_string(*producer) + "\t0\n");
    }
}

void KanataWriter::write_end(Open& open) {
    write_producers(open);
    const bool retired = open.instruction.how == LoggedInstruction::End::Retired;
    file_.write(line("R", *open.id) + "\t" + std::to_string(retired_) +
                (retired ? "\t0\n" : "\t1\n"));
    retired_ += retired ? 1 : 0;
}

} // namespace pes
