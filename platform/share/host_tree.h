// SPDX-License-Identifier: Apache-2.0
// A folder of the host as a tree of files for the guest, confined to the folder.
//
// A node holds its file by a descriptor that neither reads nor writes (O_PATH); names are looked up
// one at a time below such a descriptor, by openat2() with RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS.
// So no name leads out of the folder, whatever is moved meanwhile. Symbolic links are files with a
// text, which the guest resolves in its own tree. The parent of a node is the node through which it
// was reached; that of the folder is the folder.
//
// What the guest sees does not depend on the machine more than it must: files are numbered in the
// order in which they are met, entries are sorted, reading leaves no trace in the times, and the
// user who runs the platform is the guest's root.
#pragma once

#include "platform/share/share_tree.h"

#include <filesystem>
#include <memory>
#include <string>

namespace pes {

/// The root of such a tree. `option` names it in a UserError, if it is no folder or cannot be
/// opened. Without `writable`, the guest's changes fail with EROFS.
std::shared_ptr<ShareNode> open_host_tree(const std::filesystem::path& folder, bool writable,
                                          const std::string& option);

} // namespace pes
