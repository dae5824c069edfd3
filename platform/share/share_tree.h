// SPDX-License-Identifier: Apache-2.0
// A tree of files as the 9P server serves it: a folder of the host (host_tree.h), or one that a
// program makes up. What an operation does by default is to refuse, so a tree of a few streams
// needs little.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

/// An operation fails with this errno, which the guest gets. Its numbers are Linux's.
class ShareError : public std::exception {
  public:
    explicit ShareError(int number) : number_(number) {}
    int number() const { return number_; }
    const char* what() const noexcept override { return "an operation on a share has failed"; }

  private:
    int number_;
};

/// 9P's qid: the same path is the same file.
struct ShareId {
    static constexpr std::uint8_t kDirectory = 0x80;
    static constexpr std::uint8_t kSymbolicLink = 0x02;
    static constexpr std::uint8_t kFile = 0;

    std::uint8_t type = kFile;
    std::uint32_t version = 0; ///< changes with the content
    std::uint64_t path = 0;
};

struct ShareTime {
    std::uint64_t seconds = 0;
    std::uint64_t nanoseconds = 0;
};

struct ShareAttributes {
    ShareId id;
    std::uint32_t mode = 0; ///< as st_mode
    std::uint32_t user = 0;
    std::uint32_t group = 0;
    std::uint64_t links = 1;
    std::uint64_t device = 0;
    std::uint64_t bytes = 0;
    std::uint64_t block_bytes = 4096;
    std::uint64_t blocks = 0; ///< of 512 bytes
    ShareTime accessed{};
    ShareTime modified{};
    ShareTime changed{};
};

/// What is to change; nothing stays as it is.
struct ShareChange {
    struct Time {
        bool now = true;
        ShareTime time{}; ///< unless now
    };
    std::optional<std::uint32_t> mode{};
    std::optional<std::uint32_t> user{};
    std::optional<std::uint32_t> group{};
    std::optional<std::uint64_t> bytes{};
    std::optional<Time> accessed{};
    std::optional<Time> modified{};
};

/// By default 1 TiB with room for everything, so that no run depends on how full the host is.
struct ShareSpace {
    static constexpr std::uint64_t kPlenty = std::uint64_t{1} << 28;

    std::uint32_t block_bytes = 4096;
    std::uint64_t blocks = kPlenty;
    std::uint64_t free = kPlenty;
    std::uint64_t available = kPlenty;
    std::uint64_t files = kPlenty;
    std::uint64_t free_files = kPlenty;
    std::uint32_t name_bytes = 255;
};

struct ShareOpen {
    bool reads = true;
    bool writes = false;
    bool truncates = false;
    bool exclusive = false; ///< the file must be new
};

struct ShareEntry {
    ShareId id;
    std::uint8_t type = 0; ///< as d_type
    std::string name;
};

/// An open file or directory.
class ShareFile {
  public:
    ShareFile() = default;
    ShareFile(const ShareFile&) = delete;
    ShareFile& operator=(const ShareFile&) = delete;
    virtual ~ShareFile() = default;

    /// Returns the bytes read; 0 at the end.
    virtual std::size_t read(std::uint64_t /*offset*/, std::span<std::byte> /*to*/) {
        throw ShareError(EISDIR);
    }
    virtual std::size_t write(std::uint64_t /*offset*/, std::span<const std::byte> /*from*/) {
        throw ShareError(EBADF);
    }
    virtual void sync(bool /*data_only*/) {}
    /// All entries of a directory in a fixed order, with . and ..
    virtual std::vector<ShareEntry> entries() { throw ShareError(ENOTDIR); }
};

/// A file that is named but not open. A name has no '/' and is neither . nor ..
class ShareNode {
  public:
    ShareNode() = default;
    ShareNode(const ShareNode&) = delete;
    ShareNode& operator=(const ShareNode&) = delete;
    virtual ~ShareNode() = default;

    virtual ShareAttributes attributes() = 0;
    virtual std::unique_ptr<ShareFile> open(const ShareOpen& how) = 0;
    /// Its name in the root, which is empty for the root itself, if a checkpoint may refer to it.
    virtual std::optional<std::string> place() const { return std::nullopt; }

    virtual std::shared_ptr<ShareNode> child(const std::string& /*name*/) {
        throw ShareError(ENOTDIR);
    }
    /// Null for the root of the tree, which is its own.
    virtual std::shared_ptr<ShareNode> parent() { return nullptr; }
    virtual std::string link_target() { throw ShareError(EINVAL); }
    virtual ShareSpace space() { return {}; }

    struct Created {
        std::shared_ptr<ShareNode> node;
        std::unique_ptr<ShareFile> file;
    };
    virtual Created create(const std::string& /*name*/, const ShareOpen& /*how*/,
                           std::uint32_t /*mode*/) {
        throw ShareError(EROFS);
    }
    virtual void change(const ShareChange& /*change*/) { throw ShareError(EROFS); }
    virtual ShareId make_directory(const std::string& /*name*/, std::uint32_t /*mode*/) {
        throw ShareError(EROFS);
    }
    virtual ShareId make_link(const std::string& /*name*/, const std::string& /*target*/) {
        throw ShareError(EROFS);
    }
    /// A further name for `file`, which is of the same tree.
    virtual void add(const std::string& /*name*/, ShareNode& /*file*/) { throw ShareError(EROFS); }
    virtual void rename(const std::string& /*name*/, ShareNode& /*to*/,
                        const std::string& /*new_name*/) {
        throw ShareError(EROFS);
    }
    virtual void remove(const std::string& /*name*/, bool /*directory*/) {
        throw ShareError(EROFS);
    }
    virtual void remove_self() { throw ShareError(EROFS); }
};

} // namespace pes
