// SPDX-License-Identifier: Apache-2.0
// The work of writing deep stacks, counted in bytes that are allocated: a stack that was built anew
// for each line, or name by name from the inside out, would take more than it has to say.
#include "decoder/trace/output/folded_stacks.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <new>
#include <sstream>
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
// GCC 12 takes an inlined delete for a free() of memory from new: [-Wmismatched-new-delete]
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
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
    /// A line feed comes alone or last.
    std::streamsize xsputn(const char* text, std::streamsize count) override {
        bytes += static_cast<std::size_t>(count);
        lines += count != 0 && text[count - 1] == '\n' ? 1 : 0;
        return count;
    }
};

/// A function that calls the next one, so many times, a tick in each; then so many calls and
/// returns at the bottom.
class DeepCalls {
  public:
    DeepCalls(std::size_t depth, std::size_t pairs) {
        for (std::size_t level = 0; level < depth; ++level) {
            run(RunEnd::Call, function(level), function(level + 1));
        }
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            run(RunEnd::Call, function(depth), function(depth + 1));
            run(RunEnd::Return, function(depth + 1), function(depth) + 4);
        }
        for (std::size_t level = depth; level-- > 0;) {
            run(RunEnd::Return, function(level + 1), function(level) + 4);
        }
    }

    FoldedStacks stacks{nullptr, {}};
    CallTracker tracker{stacks};

  private:
    static Address function(std::size_t level) { return 0x1000 + 16 * level; }
    void run(RunEnd end, Address from, Address to) {
        tracker.ran({0, end, 4, 1, from, from, to, time_++});
    }
    std::uint64_t time_ = 0;
};

constexpr std::size_t kDepth = 20'000;

TEST(FoldedStacks, WritingDeepStacksBuildsEachOfThemOnce) {
    const DeepCalls calls(kDepth, 0);
    EXPECT_EQ(calls.tracker.too_deep(), 0U);
    CountingBuffer buffer;
    std::ostream out(&buffer);
    allocated = 0;
    EXPECT_EQ(calls.stacks.write(out), 0U);
    EXPECT_EQ(buffer.lines, kDepth) << "time passes in all but the one that the trace began in";
    EXPECT_GT(buffer.bytes, kDepth * kDepth);
    EXPECT_LT(allocated, buffer.bytes / 10);
}

/// The judge is the test's time limit: a return that looked at the whole stack would take hours.
TEST(FoldedStacks, ReturnsInDeepStacksCostWhatTheyLeave) {
    const DeepCalls calls(kDepth, 2'000'000);
    EXPECT_EQ(calls.tracker.too_deep(), 0U);
    EXPECT_FALSE(calls.stacks.empty());
}

TEST(FoldedStacks, StacksThatWouldFillTheDiskCountAsPartOfACaller) {
    const DeepCalls calls(100, 0);
    std::ostringstream all, some;
    EXPECT_EQ(calls.stacks.write(all), 0U);
    constexpr std::size_t kRoom = 2'000;
    EXPECT_GT(all.str().size(), 4 * kRoom);
    EXPECT_GT(calls.stacks.write(some, kRoom), 50U);
    EXPECT_LT(some.str().size(), 2 * kRoom);
    const auto total = [](const std::string& text) {
        std::istringstream lines(text);
        std::uint64_t sum = 0;
        for (std::string stack; lines >> stack;) {
            std::uint64_t weight = 0;
            lines >> weight;
            sum += weight;
        }
        return sum;
    };
    EXPECT_EQ(total(some.str()), total(all.str()));
}

} // namespace
} // namespace pes::trace
