// SPDX-License-Identifier: Apache-2.0
// What a root of debootstrap lacks.
#include "platform/exec/foreign_root.h"

#include "tests/unit/common/temporary_directory.h"

#include <gtest/gtest.h>

namespace pes {
namespace {

namespace fs = std::filesystem;

TEST(ForeignRoot, NamesAPackageThatIsNotUnpacked) {
    const test::TemporaryDirectory root;
    EXPECT_FALSE(why_incomplete(root.path()));
    fs::create_directories(root / "debootstrap");
    fs::create_directories(root / "usr/share/doc/libc6");
    root.write("debootstrap/required", "libc6\n");
    root.write("debootstrap/base", "bc libreadline8t64 \n");
    EXPECT_EQ(why_incomplete(root.path()),
              "2 packages that debootstrap has fetched for '" + root.path().string() +
                  "' are not unpacked, 'bc' among them: dpkg -x unpacks those of '" +
                  (root / "var/cache/apt/archives").string() + "'");
    fs::create_directories(root / "usr/share/doc/bc");
    fs::create_directories(root / "usr/share/doc/libreadline8t64");
    EXPECT_FALSE(why_incomplete(root.path()));
}

} // namespace
} // namespace pes
