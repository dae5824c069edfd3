// SPDX-License-Identifier: Apache-2.0
// The session: versions, fids, names and attributes. Operations on open files and changes of
// directories: share_operations.cpp.
#include "platform/share/share_server.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

namespace pes {
namespace {

constexpr std::size_t kErrorBytes = kMessageHeader + sizeof(std::uint32_t);
constexpr std::uint16_t kMostNames = 16; // of a walk
constexpr std::string_view kVersion = "9P2000.L";

constexpr std::uint32_t kNoFid = ~std::uint32_t{0};
constexpr std::uint64_t kBasicAttributes = 0x7FF; // P9_GETATTR_BASIC

/// Bits of Tsetattr's valid.
constexpr std::uint32_t kMode = 0x1;
constexpr std::uint32_t kUser = 0x2;
constexpr std::uint32_t kGroup = 0x4;
constexpr std::uint32_t kSize = 0x8;
constexpr std::uint32_t kAccessed = 0x10;
constexpr std::uint32_t kModified = 0x20;
constexpr std::uint32_t kAccessedSet = 0x80; // or else: now
constexpr std::uint32_t kModifiedSet = 0x100;

constexpr std::uint32_t kFileSystem = 0x0102'1997; // V9FS_MAGIC

void head(MessageWriter& out, std::uint8_t type, std::uint16_t tag) {
    out.u32(0); // the size, once it is known
    out.u8(type);
    out.u16(tag);
}

std::size_t error(std::span<std::byte> reply, std::uint16_t tag, int number) {
    if (reply.size() < kErrorBytes) {
        return 0;
    }
    MessageWriter out(reply);
    head(out, static_cast<std::uint8_t>(ShareMessage::Lerror) + 1, tag);
    out.u32(static_cast<std::uint32_t>(number));
    out.put_u32(0, static_cast<std::uint32_t>(out.size()));
    return out.size();
}

} // namespace

std::size_t ShareServer::answer(std::span<const std::byte> request, std::span<std::byte> reply) {
    if (request.size() < kMessageHeader) {
        return 0; // there is no tag to answer
    }
    MessageReader start(request);
    const std::uint32_t size = start.u32();
    const std::uint8_t type = start.u8();
    const std::uint16_t tag = start.u16();
    try {
        if (size < kMessageHeader || size > request.size()) {
            throw ShareError(EINVAL);
        }
        const Handler handler = handler_of(type);
        if (handler == nullptr) {
            throw ShareError(EOPNOTSUPP);
        }
        MessageReader in(request.subspan(kMessageHeader, size - kMessageHeader));
        MessageWriter out(reply.first(std::min<std::size_t>(reply.size(), most_bytes_)));
        head(out, type + 1, tag);
        (this->*handler)(in, out);
        out.put_u32(0, static_cast<std::uint32_t>(out.size()));
        return out.size();
    } catch (const ShareError& failure) {
        return error(reply, tag, failure.number());
    } catch (const std::bad_alloc&) {
        return error(reply, tag, ENOMEM);
    }
}

/// Not here: device files, which make no sense across machines; a proof of who the user is;
/// extended attributes; Rename, which Renameat has replaced.
ShareServer::Handler ShareServer::handler_of(std::uint8_t type) {
    using enum ShareMessage;
    static constexpr std::pair<ShareMessage, Handler> kHandlers[] = {
        {Statfs, &ShareServer::statfs},     {Lopen, &ShareServer::lopen},
        {Lcreate, &ShareServer::lcreate},   {Symlink, &ShareServer::symlink},
        {Readlink, &ShareServer::readlink}, {Getattr, &ShareServer::getattr},
        {Setattr, &ShareServer::setattr},   {Readdir, &ShareServer::readdir},
        {Fsync, &ShareServer::fsync},       {Lock, &ShareServer::lock},
        {Getlock, &ShareServer::getlock},   {Link, &ShareServer::link},
        {Mkdir, &ShareServer::mkdir},       {Renameat, &ShareServer::renameat},
        {Unlinkat, &ShareServer::unlinkat}, {Version, &ShareServer::version},
        {Attach, &ShareServer::attach},     {Flush, &ShareServer::flush},
        {Walk, &ShareServer::walk},         {Read, &ShareServer::read},
        {Write, &ShareServer::write},       {Clunk, &ShareServer::clunk},
        {Remove, &ShareServer::remove},
    };
    const auto* const found = std::ranges::find(kHandlers, static_cast<ShareMessage>(type),
                                                &std::pair<ShareMessage, Handler>::first);
    return found == std::end(kHandlers) ? nullptr : found->second;
}

void ShareServer::reset() {
    fids_.clear();
    most_bytes_ = kMostBytes;
}

/// A new session: all fids of the last one are gone.
void ShareServer::version(In& in, Out& out) {
    const std::uint32_t wanted = in.u32();
    const std::string dialect = in.text();
    if (wanted < kLeastBytes) {
        throw ShareError(EMSGSIZE);
    }
    reset();
    most_bytes_ = std::min(wanted, kMostBytes);
    out.u32(most_bytes_);
    out.text(dialect == kVersion ? kVersion : "unknown");
}

void ShareServer::attach(In& in, Out& out) {
    const std::uint32_t number = in.u32();
    const std::uint32_t proof = in.u32();
    in.text(); // the user
    in.text(); // the tree: there is one
    in.u32();
    if (proof != kNoFid) {
        throw ShareError(EOPNOTSUPP);
    }
    out.id(root_->attributes().id);
    new_fid(number, root_);
}

void ShareServer::flush(In& in, Out& /*out*/) {
    in.u16();
}

ShareServer::Fid& ShareServer::fid(std::uint32_t number) {
    const auto found = fids_.find(number);
    if (found == fids_.end()) {
        throw ShareError(EBADF);
    }
    return found->second;
}

ShareServer::Fid& ShareServer::new_fid(std::uint32_t number, std::shared_ptr<ShareNode> node) {
    if (number == kNoFid || fids_.contains(number)) {
        throw ShareError(EBADF);
    }
    if (fids_.size() >= kMostFids) {
        throw ShareError(EMFILE);
    }
    return fids_.emplace(number, Fid{.node = std::move(node), .file = nullptr}).first->second;
}

std::shared_ptr<ShareNode> ShareServer::step(const std::shared_ptr<ShareNode>& from,
                                             const std::string& name) const {
    if (name == ".") {
        return from;
    }
    if (name == "..") {
        std::shared_ptr<ShareNode> parent = from->parent();
        return parent ? parent : from; // of the root: itself
    }
    return from->child(name);
}

/// Fails only if there is not even the first name; where a later one is missing, the answer is as
/// long as the walk has come, and no fid is made.
void ShareServer::walk(In& in, Out& out) {
    const std::uint32_t from = in.u32();
    const std::uint32_t to = in.u32();
    const std::uint16_t count = in.u16();
    if (count > kMostNames) {
        throw ShareError(EINVAL);
    }
    std::shared_ptr<ShareNode> place = fid(from).node;
    std::vector<ShareId> ids;
    for (unsigned step_number = 0; step_number < count; ++step_number) {
        try {
            place = step(place, in.name());
            ids.push_back(place->attributes().id);
        } catch (const ShareError&) {
            if (ids.empty()) {
                throw;
            }
            break;
        }
    }
    out.u16(static_cast<std::uint16_t>(ids.size()));
    for (const ShareId& id : ids) {
        out.id(id);
    }
    if (ids.size() < count) {
        return;
    }
    if (to == from) {
        fid(from) = Fid{.node = std::move(place), .file = nullptr};
    } else {
        new_fid(to, std::move(place));
    }
}

void ShareServer::clunk(In& in, Out& /*out*/) {
    const std::uint32_t number = in.u32();
    fid(number);
    fids_.erase(number);
}

void ShareServer::statfs(In& in, Out& out) {
    const ShareSpace space = node(in.u32()).space();
    out.u32(kFileSystem);
    out.u32(space.block_bytes);
    out.u64(space.blocks);
    out.u64(space.free);
    out.u64(space.available);
    out.u64(space.files);
    out.u64(space.free_files);
    out.u64(0); // the file system's number
    out.u32(space.name_bytes);
}

void ShareServer::getattr(In& in, Out& out) {
    const std::uint32_t number = in.u32();
    in.u64(); // what is wanted: all of it
    const ShareAttributes attributes = node(number).attributes();
    out.u64(kBasicAttributes);
    out.id(attributes.id);
    out.u32(attributes.mode);
    out.u32(attributes.user);
    out.u32(attributes.group);
    out.u64(attributes.links);
    out.u64(attributes.device);
    out.u64(attributes.bytes);
    out.u64(attributes.block_bytes);
    out.u64(attributes.blocks);
    out.time(attributes.accessed);
    out.time(attributes.modified);
    out.time(attributes.changed);
    out.time({}); // of birth, ...
    out.u64(0);   // ... generation and
    out.u64(0);   // ... data version are not among the basic ones
}

void ShareServer::setattr(In& in, Out& /*out*/) {
    const std::uint32_t number = in.u32();
    const std::uint32_t valid = in.u32();
    const std::uint32_t mode = in.u32();
    const std::uint32_t user = in.u32();
    const std::uint32_t group = in.u32();
    const std::uint64_t bytes = in.u64();
    ShareTime accessed{.seconds = in.u64()};
    accessed.nanoseconds = in.u64();
    ShareTime modified{.seconds = in.u64()};
    modified.nanoseconds = in.u64();
    ShareChange change;
    if ((valid & kMode) != 0) {
        change.mode = mode;
    }
    if ((valid & kUser) != 0) {
        change.user = user;
    }
    if ((valid & kGroup) != 0) {
        change.group = group;
    }
    if ((valid & kSize) != 0) {
        change.bytes = bytes;
    }
    if ((valid & kAccessed) != 0) {
        change.accessed = {.now = (valid & kAccessedSet) == 0, .time = accessed};
    }
    if ((valid & kModified) != 0) {
        change.modified = {.now = (valid & kModifiedSet) == 0, .time = modified};
    }
    node(number).change(change);
}

void ShareServer::readlink(In& in, Out& out) {
    out.text(node(in.u32()).link_target());
}

} // namespace pes
