// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/o3_writer.h"

#include <algorithm>
#include <string>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace pes {

LoggedInstruction::Handle O3Writer::add(LoggedInstruction instruction) {
    Thread& thread = threads_[instruction.thread];
    thread.started = instruction.fetched;
    thread.waiting.push_back(std::move(instruction));
    ++added_;
    drain();
    return nullptr;
}

void O3Writer::end(unsigned thread) {
    threads_[thread].started = kNever;
    drain();
}

void O3Writer::finish() {
    for (Thread& thread : threads_) {
        thread.started = kNever;
    }
    drain();
}

void O3Writer::drain() {
    const auto next_of = [](const Thread& thread) {
        return thread.waiting.empty() ? thread.started : thread.waiting.front().fetched;
    };
    for (;;) {
        Thread& first = *std::ranges::min_element(threads_, {}, next_of);
        if (first.waiting.empty()) {
            return;
        }
        write(first.waiting.front());
        first.waiting.pop_front();
    }
}

/// A tick of 0 says that the instruction did not get there.
void O3Writer::write(const LoggedInstruction& instruction) {
    const bool reaches_issue = instruction.decode < instruction.last;
    const bool issues = instruction.issue <= instruction.last;
    const bool completes = instruction.complete && *instruction.complete <= instruction.last;
    const auto ticks = [](bool there, Cycle cycle) { return there ? cycle * kTicks : 0; };
    std::string text =
        fmt::format("O3PipeView:fetch:{}:{:#010x}:0:{}:  {}\n", instruction.fetched * kTicks,
                    instruction.pc, ++numbers_, instruction.text);
    if (threads_.size() > 1) {
        text += fmt::format("O3PipeView:thread:{}:{}\n", instruction.fetched * kTicks,
                            instruction.thread);
    }
    const Cycle seen = instruction.decode + 1;
    text += fmt::format("O3PipeView:decode:{}\nO3PipeView:rename:{}\nO3PipeView:dispatch:{}\n"
                        "O3PipeView:issue:{}\nO3PipeView:complete:{}\n",
                        instruction.decode * kTicks, ticks(reaches_issue, seen),
                        ticks(reaches_issue, seen), ticks(issues, instruction.issue),
                        ticks(completes, completes ? *instruction.complete : 0));
    const bool retires = instruction.how == LoggedInstruction::End::Retired;
    text += fmt::format("O3PipeView:retire:{}:store:0\n", ticks(retires, instruction.last));
    file_.write(text);
}

} // namespace pes
