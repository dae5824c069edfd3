// SPDX-License-Identifier: Apache-2.0
#include "platform/share/host_tree.h"

#include "platform/host/regular_file.h"
#include "platform/share/host_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <system_error>
#include <utility>

namespace pes {
namespace {

/// Of what the guest creates. A program of the host must not get rights from the guest.
constexpr mode_t kModeBits = 01777;

timespec host_time(const std::optional<ShareChange::Time>& change) {
    if (!change) {
        return {.tv_sec = 0, .tv_nsec = UTIME_OMIT};
    }
    if (change->now) {
        return {.tv_sec = 0, .tv_nsec = UTIME_NOW};
    }
    constexpr std::uint64_t kSecond = 1'000'000'000;
    if (change->time.nanoseconds >= kSecond) {
        throw ShareError(EINVAL);
    }
    return {.tv_sec = static_cast<time_t>(change->time.seconds),
            .tv_nsec = static_cast<long>(change->time.nanoseconds)};
}

class HostNode final : public ShareNode, public std::enable_shared_from_this<HostNode> {
  public:
    /// `descriptor` is of the kind O_PATH. `parent` and `name`: how it was reached.
    HostNode(std::shared_ptr<HostShare> share, int descriptor,
             std::shared_ptr<HostNode> parent = nullptr, std::string name = {})
        : share_(std::move(share)), descriptor_(descriptor), parent_(std::move(parent)),
          name_(std::move(name)) {}

    ShareAttributes attributes() override { return share_->attributes_of(status()); }
    std::unique_ptr<ShareFile> open(const ShareOpen& how) override;
    std::shared_ptr<ShareNode> child(const std::string& name) override;
    std::shared_ptr<ShareNode> parent() override { return parent_; }
    std::string link_target() override;
    Created create(const std::string& name, const ShareOpen& how, std::uint32_t mode) override;
    void change(const ShareChange& change) override;
    ShareId make_directory(const std::string& name, std::uint32_t mode) override;
    ShareId make_link(const std::string& name, const std::string& target) override;
    void add(const std::string& name, ShareNode& file) override;
    void rename(const std::string& name, ShareNode& to, const std::string& new_name) override;
    void remove(const std::string& name, bool directory) override;
    void remove_self() override;

  private:
    struct stat status() const {
        return status_of(descriptor_.get());
    }
    /// For a change of its entries.
    int directory() const;
    ShareId id_below(const std::string& name) const;

    const std::shared_ptr<HostShare> share_;
    const FileDescriptor descriptor_;
    const std::shared_ptr<HostNode> parent_; ///< null: the root
    const std::string name_;
};

int open_flags(const ShareOpen& how) {
    return O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (how.truncates && how.writes ? O_TRUNC : 0) |
           (!how.writes ? O_RDONLY
            : how.reads ? O_RDWR
                        : O_WRONLY);
}

/// Files and directories only: a pipe, socket or device of the host is none of the guest's.
std::unique_ptr<ShareFile> HostNode::open(const ShareOpen& how) {
    if (how.writes || how.truncates) {
        share_->require_writable();
    }
    const struct stat now = status();
    if (S_ISDIR(now.st_mode)) {
        if (how.writes) {
            throw ShareError(EISDIR);
        }
        const int own = checked(
            openat(descriptor_.get(), ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        const ShareId above = parent_ ? share_->id_of(parent_->status()) : share_->id_of(now);
        return std::make_unique<HostDirectory>(share_, own, share_->id_of(now), above);
    }
    if (!S_ISREG(now.st_mode)) {
        throw ShareError(S_ISLNK(now.st_mode) ? ELOOP : ENXIO);
    }
    // The descriptor's own file again, with rights this time, whatever its name has become.
    return std::make_unique<HostFile>(
        checked(::open(path_of(descriptor_.get()).c_str(), open_flags(how))));
}

std::shared_ptr<ShareNode> HostNode::child(const std::string& name) {
    return std::make_shared<HostNode>(share_, open_below(descriptor_.get(), name, O_PATH),
                                      shared_from_this(), name);
}

std::string HostNode::link_target() {
    if (!S_ISLNK(status().st_mode)) {
        throw ShareError(EINVAL); // as readlink(2), but not as readlinkat() with an empty name
    }
    std::string target(PATH_MAX, '\0');
    const ssize_t length = checked(readlinkat(descriptor_.get(), "", target.data(), target.size()));
    target.resize(static_cast<std::size_t>(length));
    return target;
}

int HostNode::directory() const {
    share_->require_writable();
    if (!S_ISDIR(status().st_mode)) {
        throw ShareError(ENOTDIR);
    }
    return descriptor_.get();
}

ShareId HostNode::id_below(const std::string& name) const {
    const FileDescriptor file(open_below(descriptor_.get(), name, O_PATH));
    return share_->id_of(status_of(file.get()));
}

/// The guest has applied its own umask; that of the host does not count.
ShareNode::Created HostNode::create(const std::string& name, const ShareOpen& how,
                                    std::uint32_t mode) {
    const mode_t bits = mode & kModeBits;
    const int below = directory();
    bool fresh = true;
    int own = -1;
    try {
        own = open_below(below, name, open_flags(how) | O_CREAT | O_EXCL, bits);
    } catch (const ShareError& failure) {
        if (failure.number() != EEXIST || how.exclusive) {
            throw;
        }
        fresh = false;
    }
    if (!fresh) { // as open() does with a file that is there
        const std::shared_ptr<ShareNode> node = child(name);
        return {.node = node, .file = node->open(how)};
    }
    auto file = std::make_unique<HostFile>(own);
    checked(fchmod(own, bits));
    const int path = checked(::open(path_of(own).c_str(), O_PATH | O_CLOEXEC));
    return {.node = std::make_shared<HostNode>(share_, path, shared_from_this(), name),
            .file = std::move(file)};
}

void HostNode::change(const ShareChange& change) {
    share_->require_writable();
    const std::string path = path_of(descriptor_.get());
    if (change.bytes) {
        if (*change.bytes > static_cast<std::uint64_t>(LLONG_MAX)) {
            throw ShareError(EINVAL);
        }
        if (!S_ISREG(status().st_mode)) {
            throw ShareError(S_ISDIR(status().st_mode) ? EISDIR : EINVAL);
        }
        checked(truncate(path.c_str(), static_cast<off_t>(*change.bytes)));
    }
    if (change.user || change.group) {
        const uid_t user = change.user ? share_->host_user(*change.user) : static_cast<uid_t>(-1);
        const gid_t group =
            change.group ? share_->host_group(*change.group) : static_cast<gid_t>(-1);
        checked(fchownat(descriptor_.get(), "", user, group, AT_EMPTY_PATH));
    }
    if (change.mode) {
        if (S_ISLNK(status().st_mode)) {
            throw ShareError(EOPNOTSUPP);
        }
        checked(chmod(path.c_str(), *change.mode & kModeBits));
    }
    if (change.accessed || change.modified) {
        const timespec times[] = {host_time(change.accessed), host_time(change.modified)};
        checked(utimensat(AT_FDCWD, path.c_str(), times, 0));
    }
}

ShareId HostNode::make_directory(const std::string& name, std::uint32_t mode) {
    const mode_t bits = mode & kModeBits;
    checked(mkdirat(directory(), name.c_str(), bits));
    const FileDescriptor made(open_below(descriptor_.get(), name, O_RDONLY | O_DIRECTORY));
    checked(fchmod(made.get(), bits));
    return share_->id_of(status_of(made.get()));
}

ShareId HostNode::make_link(const std::string& name, const std::string& target) {
    checked(symlinkat(target.c_str(), directory(), name.c_str()));
    return id_below(name);
}

void HostNode::add(const std::string& name, ShareNode& file) {
    const auto* const host_file = dynamic_cast<const HostNode*>(&file);
    if (host_file == nullptr || host_file->share_ != share_) {
        throw ShareError(EXDEV);
    }
    checked(linkat(AT_FDCWD, path_of(host_file->descriptor_.get()).c_str(), directory(),
                   name.c_str(), AT_SYMLINK_FOLLOW));
}

void HostNode::rename(const std::string& name, ShareNode& to, const std::string& new_name) {
    const auto* const host_to = dynamic_cast<const HostNode*>(&to);
    if (host_to == nullptr || host_to->share_ != share_) {
        throw ShareError(EXDEV);
    }
    checked(renameat(directory(), name.c_str(), host_to->directory(), new_name.c_str()));
}

void HostNode::remove(const std::string& name, bool directory_wanted) {
    checked(unlinkat(directory(), name.c_str(), directory_wanted ? AT_REMOVEDIR : 0));
}

/// Unless another file has its name by now.
void HostNode::remove_self() {
    if (!parent_) {
        throw ShareError(EBUSY);
    }
    const int above = parent_->directory();
    const struct stat own = status();
    struct stat there = {};
    checked(fstatat(above, name_.c_str(), &there, AT_SYMLINK_NOFOLLOW));
    if (there.st_dev != own.st_dev || there.st_ino != own.st_ino) {
        throw ShareError(ENOENT);
    }
    checked(unlinkat(above, name_.c_str(), S_ISDIR(own.st_mode) ? AT_REMOVEDIR : 0));
}

/// Each file that the guest holds takes a descriptor of this process.
void allow_many_files() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit); // if not, the guest gets EMFILE sooner
    }
}

} // namespace

std::shared_ptr<ShareNode> open_host_tree(const std::filesystem::path& folder, bool writable,
                                          const std::string& option) {
    const int descriptor = ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
        refuse_file(option, folder,
                    "cannot be opened: " + std::generic_category().message(errno) +
                        ", expected a directory");
    }
    auto root = std::make_shared<HostNode>(std::make_shared<HostShare>(writable), descriptor);
    try {
        const FileDescriptor itself(open_below(descriptor, ".", O_PATH));
    } catch (const ShareError& failure) { // Linux before 5.6
        refuse_file(option, folder,
                    "cannot be confined: openat2: " +
                        std::generic_category().message(failure.number()));
    }
    allow_many_files();
    return root;
}

} // namespace pes
