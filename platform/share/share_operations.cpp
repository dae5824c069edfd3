// SPDX-License-Identifier: Apache-2.0
#include "platform/share/share_server.h"

#include <algorithm>
#include <utility>

namespace pes {
namespace {

/// Flags of Tlopen and Tlcreate (P9_DOTL_*). The others change nothing here: an offset comes with
/// each write, and nothing is kept back.
constexpr std::uint32_t kAccess = 0x3;
constexpr std::uint32_t kWriteOnly = 0x1;
constexpr std::uint32_t kReadWrite = 0x2;
constexpr std::uint32_t kExclusive = 0200;
constexpr std::uint32_t kTruncate = 01000;

constexpr std::uint32_t kRemoveDirectory = 0x200; // of Tunlinkat
constexpr std::uint8_t kLockGranted = 0;
constexpr std::uint8_t kUnlocked = 2;

ShareOpen open_mode(std::uint32_t flags) {
    const std::uint32_t access = flags & kAccess;
    if (access == kAccess) {
        throw ShareError(EINVAL);
    }
    return {.reads = access != kWriteOnly,
            .writes = access == kWriteOnly || access == kReadWrite,
            .truncates = (flags & kTruncate) != 0,
            .exclusive = (flags & kExclusive) != 0};
}

/// These are names for a directory itself.
std::string real_name(MessageReader& in) {
    std::string name = in.name();
    if (name == "." || name == "..") {
        throw ShareError(EINVAL);
    }
    return name;
}

} // namespace

ShareFile& ShareServer::open_file(std::uint32_t number) {
    Fid& open = fid(number);
    if (open.file == nullptr) {
        throw ShareError(EBADF);
    }
    return *open.file;
}

void ShareServer::lopen(In& in, Out& out) {
    Fid& target = fid(in.u32());
    const ShareOpen how = open_mode(in.u32());
    if (target.file != nullptr) {
        throw ShareError(EBUSY);
    }
    std::unique_ptr<ShareFile> file = target.node->open(how);
    out.id(target.node->attributes().id);
    out.u32(0); // iounit: as much as a message takes
    target.file = std::move(file);
    target.how = how;
}

/// The fid of the directory becomes that of the open file.
void ShareServer::lcreate(In& in, Out& out) {
    Fid& target = fid(in.u32());
    const std::string name = real_name(in);
    const ShareOpen how = open_mode(in.u32());
    const std::uint32_t mode = in.u32();
    in.u32(); // group
    if (target.file != nullptr) {
        throw ShareError(EBUSY);
    }
    ShareNode::Created created = target.node->create(name, how, mode);
    out.id(created.node->attributes().id);
    out.u32(0);
    target = Fid{.node = std::move(created.node), .file = std::move(created.file), .how = how};
}

void ShareServer::read(In& in, Out& out) {
    ShareFile& file = open_file(in.u32());
    const std::uint64_t offset = in.u64();
    const std::uint32_t wanted = in.u32();
    const std::size_t place = out.size();
    out.u32(0);
    const std::span<std::byte> room = out.ahead(std::min<std::size_t>(wanted, out.left()));
    const std::size_t bytes = file.read(offset, room);
    out.claim(bytes);
    out.put_u32(place, static_cast<std::uint32_t>(bytes));
}

void ShareServer::write(In& in, Out& out) {
    ShareFile& file = open_file(in.u32());
    const std::uint64_t offset = in.u64();
    const std::uint32_t count = in.u32();
    out.ahead(sizeof count); // before anything is written
    out.u32(static_cast<std::uint32_t>(file.write(offset, in.bytes(count))));
}

/// The offset of an entry is the number of entries up to and including it.
void ShareServer::readdir(In& in, Out& out) {
    const std::uint32_t number = in.u32();
    ShareFile& file = open_file(number);
    const std::uint64_t offset = in.u64();
    const std::uint32_t wanted = in.u32();
    Fid& directory = fid(number);
    if (offset == 0) {
        directory.entries = file.entries();
    }
    const std::size_t place = out.size();
    out.u32(0);
    const std::size_t start = out.size();
    const std::size_t most = std::min<std::size_t>(wanted, out.left());
    for (std::uint64_t index = offset; index < directory.entries.size(); ++index) {
        const ShareEntry& entry = directory.entries[index];
        const std::size_t size = MessageWriter::entry_bytes(entry);
        if (out.size() - start + size > most) {
            if (index == offset) {
                throw ShareError(EINVAL); // nothing would be the end of the directory
            }
            break;
        }
        out.entry(entry, index + 1);
    }
    out.put_u32(place, static_cast<std::uint32_t>(out.size() - start));
}

/// Older clients do not say whether they want the data alone.
void ShareServer::fsync(In& in, Out& /*out*/) {
    ShareFile& file = open_file(in.u32());
    file.sync(!in.at_end() && in.u32() != 0);
}

/// Nobody else on this side locks anything, and the client keeps its own processes apart.
void ShareServer::lock(In& in, Out& out) {
    fid(in.u32());
    out.u8(kLockGranted);
}

void ShareServer::getlock(In& in, Out& out) {
    fid(in.u32());
    in.u8();
    const std::uint64_t start = in.u64();
    const std::uint64_t length = in.u64();
    const std::uint32_t process = in.u32();
    const std::string client = in.text();
    out.u8(kUnlocked);
    out.u64(start);
    out.u64(length);
    out.u32(process);
    out.text(client);
}

void ShareServer::symlink(In& in, Out& out) {
    ShareNode& directory = node(in.u32());
    const std::string name = real_name(in);
    const std::string target = in.text();
    in.u32(); // group
    out.id(directory.make_link(name, target));
}

void ShareServer::mkdir(In& in, Out& out) {
    ShareNode& directory = node(in.u32());
    const std::string name = real_name(in);
    const std::uint32_t mode = in.u32();
    in.u32(); // group
    out.id(directory.make_directory(name, mode));
}

void ShareServer::link(In& in, Out& /*out*/) {
    ShareNode& directory = node(in.u32());
    ShareNode& file = node(in.u32());
    directory.add(real_name(in), file);
}

void ShareServer::renameat(In& in, Out& /*out*/) {
    ShareNode& from = node(in.u32());
    const std::string name = real_name(in);
    ShareNode& to = node(in.u32());
    from.rename(name, to, real_name(in));
}

void ShareServer::unlinkat(In& in, Out& /*out*/) {
    ShareNode& directory = node(in.u32());
    const std::string name = real_name(in);
    directory.remove(name, (in.u32() & kRemoveDirectory) != 0);
}

/// The fid is gone, whether or not the file is.
void ShareServer::remove(In& in, Out& /*out*/) {
    const std::uint32_t number = in.u32();
    const std::shared_ptr<ShareNode> target = fid(number).node;
    fids_.erase(number);
    target->remove_self();
}

} // namespace pes
