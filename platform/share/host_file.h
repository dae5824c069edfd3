// SPDX-License-Identifier: Apache-2.0
// What the nodes of a folder of the host have in common, and its open files.
#pragma once

#include "platform/host/file_descriptor.h"
#include "platform/share/share_tree.h"

#include <sys/stat.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace pes {

/// Of one shared folder.
class HostShare {
  public:
    explicit HostShare(bool writable);

    /// Throws EROFS if it is not.
    void require_writable() const;
    ShareId id_of(const struct stat& status);
    ShareAttributes attributes_of(const struct stat& status);
    /// The host's number for a user or group of the guest.
    uid_t host_user(std::uint32_t user) const { return user == 0 ? user_ : user; }
    gid_t host_group(std::uint32_t group) const { return group == 0 ? group_ : group; }

  private:
    const bool writable_;
    const uid_t user_;
    const gid_t group_;
    std::map<std::pair<dev_t, ino_t>, std::uint64_t> numbers_; ///< of the files met so far
};

/// The errno of a system call that has failed, as a ShareError.
[[noreturn]] void fail_with_errno();
/// Throws it if `result` is negative.
template <typename Number>
Number checked(Number result) {
    if (result < 0) {
        fail_with_errno();
    }
    return result;
}

/// Opens one name of a directory: never what is outside, never through a symbolic link.
int open_below(int directory, const std::string& name, int flags, mode_t mode = 0);
struct stat status_of(int descriptor);
/// A path to what a descriptor is open for, for calls that take no descriptor of the kind O_PATH.
std::string path_of(int descriptor);

class HostFile final : public ShareFile {
  public:
    explicit HostFile(int descriptor) : descriptor_(descriptor) {}

    std::size_t read(std::uint64_t offset, std::span<std::byte> to) override;
    std::size_t write(std::uint64_t offset, std::span<const std::byte> from) override;
    void sync(bool data_only) override;

  private:
    const FileDescriptor descriptor_;
};

class HostDirectory final : public ShareFile {
  public:
    /// `self` and `parent` are the first two entries.
    HostDirectory(std::shared_ptr<HostShare> share, int descriptor, ShareId self, ShareId parent)
        : share_(std::move(share)), descriptor_(descriptor), self_(self), parent_(parent) {}

    void sync(bool data_only) override;
    std::vector<ShareEntry> entries() override;

  private:
    const std::shared_ptr<HostShare> share_;
    const FileDescriptor descriptor_;
    const ShareId self_;
    const ShareId parent_;
};

} // namespace pes
