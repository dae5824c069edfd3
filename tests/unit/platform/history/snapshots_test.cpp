// SPDX-License-Identifier: Apache-2.0
// A history of processes: a story that goes back, ends as it should, and leaves nobody behind.
#include "platform/history/snapshots.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <functional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace pes::history::test {
namespace {

Mark at(std::uint64_t total) {
    Mark mark{.total = total};
    mark.passed[0] = total;
    return mark;
}

/// Runs `story` in a history of its own; it returns the exit code. All processes hold the write end
/// of a pipe: its end of file says that none is left.
struct Story {
    int status = 0;
    std::string told; ///< written to the pipe
};

class SnapshotsTest : public testing::Test {
  protected:
    void begin(const std::function<int(Snapshots&)>& story) {
        ASSERT_EQ(::pipe(pipe_.data()), 0);
        process_ = ::fork();
        if (process_ == 0) {
            Snapshots snapshots(sizeof(int));
            ::close(pipe_[0]);
            // The supervisor closes what it has inherited.
            ::_exit(snapshots.begin() ? story(snapshots) : 99);
        }
        ::close(pipe_[1]);
    }
    Story end() {
        Story story;
        std::array<char, 64> bytes{};
        ssize_t count = 0;
        while ((count = ::read(pipe_[0], bytes.data(), bytes.size())) > 0) {
            story.told.append(bytes.data(), static_cast<std::size_t>(count));
        }
        ::waitpid(process_, &story.status, 0);
        ::close(pipe_[0]);
        return story;
    }
    void tell(char letter) const { EXPECT_EQ(::write(pipe_[1], &letter, 1), 1); }
    char hear() const {
        char letter = 0;
        EXPECT_EQ(::read(pipe_[0], &letter, 1), 1);
        return letter;
    }

    std::array<int, 2> pipe_{};
    pid_t process_ = 0;
};

TEST_F(SnapshotsTest, EndsAsItsRunnerEnds) {
    begin([](Snapshots&) { return 7; });
    const Story code = end();
    EXPECT_TRUE(WIFEXITED(code.status));
    EXPECT_EQ(WEXITSTATUS(code.status), 7);
    begin([](Snapshots&) {
        std::signal(SIGTERM, SIG_DFL);
        return ::raise(SIGTERM);
    });
    const Story signal = end();
    EXPECT_TRUE(WIFSIGNALED(signal.status));
    EXPECT_EQ(WTERMSIG(signal.status), SIGTERM);
}

/// Counts to five, goes back to two twice, and on to the end.
TEST_F(SnapshotsTest, GoesBackAsOftenAsItIsAsked) {
    begin([this](Snapshots& snapshots) {
        int times = 0; // that it has gone back: only the letter knows
        for (char number = 0; number < 5; ++number) {
            const auto became = snapshots.keep(at(static_cast<std::uint64_t>(number)), false);
            if (became == Snapshots::Became::Runner) {
                times = *reinterpret_cast<int*>(snapshots.letter().data());
            }
            tell(static_cast<char>('0' + number));
        }
        if (times < 2) {
            *reinterpret_cast<int*>(snapshots.letter().data()) = times + 1;
            const auto kept = snapshots.kept();
            const auto found = std::ranges::find_if(
                kept, [](const Snapshots::Kept& one) { return one.mark.total == 2; });
            snapshots.wake(found->slot);
        }
        return static_cast<int>(snapshots.kept().size());
    });
    const Story story = end();
    EXPECT_EQ(story.told, "01234234234");
    EXPECT_EQ(WEXITSTATUS(story.status), 9); // 0 to 4, and 3 and 4 twice more
}

TEST_F(SnapshotsTest, NoMoreAreKeptThanThereArePlaces) {
    begin([](Snapshots& snapshots) {
        for (std::uint64_t total = 0; total < 3 * kMostSnapshots; ++total) {
            if (snapshots.keep(at(total), false) != Snapshots::Became::Kept) {
                return 1;
            }
        }
        const auto kept = snapshots.kept();
        const bool right = kept.size() == kMostSnapshots && kept.front().mark.total == 0 &&
                           kept.back().mark.total == 3 * kMostSnapshots - 1;
        snapshots.drop(kept[1].slot);
        return right && snapshots.kept().size() == kMostSnapshots - 1 ? 0 : 2;
    });
    EXPECT_EQ(WEXITSTATUS(end().status), 0);
}

TEST_F(SnapshotsTest, AreEndedWithTheSupervisor) {
    begin([this](Snapshots& snapshots) {
        for (std::uint64_t total = 0; total < 5; ++total) {
            snapshots.keep(at(total), false);
        }
        tell('r');
        while (true) {
            ::pause();
        }
        return 0;
    });
    EXPECT_EQ(hear(), 'r');
    ::kill(process_, SIGKILL);
    const Story story = end(); // returns: nobody holds the pipe
    EXPECT_EQ(WTERMSIG(story.status), SIGKILL);
}

volatile std::sig_atomic_t asked = 0;

TEST_F(SnapshotsTest, SignalsReachTheRunner) {
    begin([this](Snapshots& snapshots) {
        std::signal(end_signal(), [](int) { asked = 1; });
        snapshots.keep(at(1), false);
        sigset_t held{};
        sigset_t before{};
        ::sigemptyset(&held);
        ::sigaddset(&held, end_signal());
        ::sigprocmask(SIG_BLOCK, &held, &before);
        tell('r');
        while (asked == 0) {
            ::sigsuspend(&before);
        }
        return 5;
    });
    EXPECT_EQ(hear(), 'r');
    ::kill(process_, SIGINT);
    EXPECT_EQ(WEXITSTATUS(end().status), 5);
}

/// One that the host has ended is not counted any more, and waking it does nothing.
TEST_F(SnapshotsTest, OneThatIsGoneIsNoneAnyMore) {
    begin([](Snapshots& snapshots) {
        snapshots.keep(at(1), false);
        snapshots.keep(at(2), false);
        const std::size_t slot = snapshots.kept().back().slot;
        snapshots.drop(slot);
        snapshots.wake(slot);
        return static_cast<int>(snapshots.kept().size());
    });
    EXPECT_EQ(WEXITSTATUS(end().status), 1);
}

TEST_F(SnapshotsTest, BranchesAreThoseOfTheProcess) {
    begin([](Snapshots& snapshots) {
        if (snapshots.keep(at(1), false) == Snapshots::Became::Runner) {
            return snapshots.present_branch() == 0 && snapshots.kept().back().branch == 1 ? 3 : 4;
        }
        snapshots.branch();
        snapshots.keep(at(2), true);
        if (snapshots.kept().back().branch != 1 || !snapshots.kept().back().needed) {
            return 5;
        }
        snapshots.wake(snapshots.kept().front().slot);
        return 6;
    });
    EXPECT_EQ(WEXITSTATUS(end().status), 3);
}

} // namespace
} // namespace pes::history::test
