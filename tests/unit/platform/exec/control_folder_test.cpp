// SPDX-License-Identifier: Apache-2.0
// The files of `pes-vp exec` as the guest's 9P client finds them, and over a checkpoint.
#include "platform/exec/control_folder.h"

#include "hw/common/archive.h"
#include "tests/unit/platform/share/share_client.h"

#include <fcntl.h>

namespace pes {
namespace {

using test::Answer;
using test::Client;
using test::Fields;

class Control : public testing::Test {
  protected:
    std::shared_ptr<ShareNode> folder() {
        return make_control_folder({
            {.name = "in",
             .read =
                 [this](std::span<std::byte> to) {
                     const std::size_t size = std::min(to.size(), input_.size());
                     std::copy_n(std::as_bytes(std::span(input_)).begin(), size, to.begin());
                     input_.erase(0, size);
                     return size;
                 }},
            {.name = "out",
             .write =
                 [this](std::span<const std::byte> from) {
                     const std::size_t size = std::min(from.size(), kMost - output_.size());
                     if (size == 0) {
                         throw ShareError(ENOSPC);
                     }
                     output_.append(reinterpret_cast<const char*>(from.data()), size);
                     return size;
                 }},
        });
    }

    static constexpr std::size_t kMost = 10; ///< bytes of output that are taken
    std::string input_ = "what comes in";
    std::string output_;
    Client client_{folder()};
};

TEST_F(Control, StreamsGoOnWhateverTheOffset) {
    ASSERT_EQ(client_.walk(1, {"in"}), 0);
    ASSERT_EQ(client_.open(1, O_RDONLY), 0);
    EXPECT_EQ(client_.read(1, 0, 5), "what ");
    EXPECT_EQ(client_.read(1, 1000, 100), "comes in");
    EXPECT_EQ(client_.read(1, 0), "");
    ASSERT_EQ(client_.walk(2, {"out"}), 0);
    ASSERT_EQ(client_.open(2, O_WRONLY | O_TRUNC), 0);
    EXPECT_EQ(client_.write(2, "one ", 77), 0);
    EXPECT_EQ(client_.write(2, "two"), 0);
    EXPECT_EQ(output_, "one two");
}

TEST_F(Control, WhatAStreamDoesNotTakeIsAnErrorOfTheNextWrite) {
    ASSERT_EQ(client_.walk(1, {"out"}), 0);
    ASSERT_EQ(client_.open(1, O_WRONLY), 0);
    EXPECT_EQ(client_.write(1, "one two "), 0);
    Answer answer = client_.ask(118, Fields().u32(1).u64(8).u32(5).data("three"));
    EXPECT_EQ(answer.error, 0);
    EXPECT_EQ(answer.u32(), 2U);
    EXPECT_EQ(output_, "one two th");
    EXPECT_EQ(client_.write(1, "ree"), ENOSPC);
    EXPECT_EQ(client_.write(1, "ree"), ENOSPC);
}

TEST_F(Control, AFileIsOpenedForWhatItCanDo) {
    ASSERT_EQ(client_.walk(1, {"in"}), 0);
    EXPECT_EQ(client_.open(1, O_WRONLY), EACCES);
    EXPECT_EQ(client_.open(1, O_RDWR), EACCES);
    ASSERT_EQ(client_.open(1, O_RDONLY), 0);
    EXPECT_EQ(client_.write(1, "x"), EBADF);
    EXPECT_EQ(client_.walk(2, {"nothing"}), ENOENT);
    EXPECT_EQ(client_.walk(2, {"in", "below"}), ENOENT); // the first name has been found
    EXPECT_EQ(client_.create(0, "new", O_WRONLY, 0644), EROFS);
}

TEST_F(Control, OpenFilesOutlastACheckpoint) {
    ASSERT_EQ(client_.walk(1, {"in"}), 0);
    ASSERT_EQ(client_.open(1, O_RDONLY), 0);
    ASSERT_EQ(client_.walk(7, {"out"}), 0); // not open
    EXPECT_FALSE(client_.server.in_use());
    Archive saved;
    client_.server.state(saved);

    Client restored(folder());
    ASSERT_EQ(restored.walk(3, {"out"}), 0); // forgotten by the restore
    Archive loads(saved.bytes());
    restored.server.state(loads);
    EXPECT_TRUE(loads.at_end());
    EXPECT_EQ(restored.read(1, 0, 4), "what");
    EXPECT_EQ(restored.write(7, "x"), EBADF);
    EXPECT_EQ(restored.open(7, O_WRONLY), 0);
    EXPECT_EQ(restored.clunk(3), EBADF);
}

TEST_F(Control, ACheckpointWithOtherFilesIsRefused) {
    ASSERT_EQ(client_.walk(1, {"in"}), 0);
    Archive saved;
    client_.server.state(saved);
    ShareServer other(make_control_folder({}));
    Archive loads(saved.bytes());
    EXPECT_THROW(other.state(loads), ArchiveError);
}

} // namespace
} // namespace pes
