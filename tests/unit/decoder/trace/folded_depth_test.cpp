// SPDX-License-Identifier: Apache-2.0
// The work of writing deep stacks, counted in bytes that are allocated: a stack that was built anew
// for each line, or name by name from the inside out, would take more than it has to say.
#include "decoder/trace/folded_stacks.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>
#include <streambuf>

namespace {
std::size_t allocated = 0;
} // namespace

void* operator new(std::size_t size) {
    allocated += size;
    if (void* memory = std::malloc(size)) {
        return memory;
    }
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace pes::trace {
namespace {

/// Counts what is written.
class CountingBuffer : public std::streambuf {
  public:
    std::size_t bytes = 0;
    std::size_t lines = 0;

  private:
    int_type overflow(int_type character) override {
        ++bytes;
        lines += character == '\n' ? 1 : 0;
        return character;
    }
    std::streamsize xsputn(const char* text, std::streamsize count) override {
        bytes += static_cast<std::size_t>(count);
        lines += static_cast<std::size_t>(std::count(text, text + count, '\n'));
        return count;
    }
};

TEST(FoldedStacks, WritingDeepStacksBuildsEachOfThemOnce) {
    FoldedStacks stacks(nullptr, {});
    std::vector<Frame> frames;
    constexpr std::size_t kDepth = CallTracker::kMostFrames;
    for (std::size_t depth = 0; depth < kDepth; ++depth) {
        InstructionRun run;
        run.begin = run.last = 0x1000;
        run.time = depth;
        stacks.ran(run, frames);
        frames.push_back({FrameKind::Call, 0x1000 + 16 * depth, 0, 0, depth});
        stacks.entered(0, frames);
    }
    CountingBuffer buffer;
    std::ostream out(&buffer);
    allocated = 0;
    stacks.write(out);
    EXPECT_EQ(buffer.lines, kDepth - 1) << "no time has passed in the innermost one";
    EXPECT_GT(buffer.bytes, kDepth * kDepth);
    EXPECT_LT(allocated, buffer.bytes / 10);
}

} // namespace
} // namespace pes::trace
