// SPDX-License-Identifier: Apache-2.0
// A server of 9P2000.L, the dialect of Linux: messages and fids, in front of a tree of files.
// Messages are answered one after the other, so there is never anything to flush.
#pragma once

#include "hw/common/device/message_server.h"
#include "platform/share/message.h"
#include "platform/share/share_tree.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace pes {

class ShareServer final : public MessageServer {
  public:
    static constexpr std::uint32_t kMostBytes = 512 * 1024; ///< of a message (msize)
    static constexpr std::uint32_t kLeastBytes = 4096;
    static constexpr std::size_t kMostFids = 65'536;

    explicit ShareServer(std::shared_ptr<ShareNode> root) : root_(std::move(root)) {}

    /// Whatever is wrong with a request is answered by Rlerror, if there is room for that.
    std::size_t answer(std::span<const std::byte> request, std::span<std::byte> reply) override;
    void reset() override;
    bool in_use() const override;
    void state(Archive& archive) override;

  private:
    struct Fid {
        std::shared_ptr<ShareNode> node;
        std::unique_ptr<ShareFile> file; ///< null until it is open
        ShareOpen how{};                 ///< it was opened
        std::vector<ShareEntry>
            entries{}; ///< of an open directory, since it was read from the start
    };
    using In = MessageReader;
    using Out = MessageWriter;
    using Handler = void (ShareServer::*)(In&, Out&);

    static Handler handler_of(std::uint8_t type);
    static void save(Archive& archive, std::uint32_t number, const Fid& fid);
    void load(Archive& archive);

    void version(In& in, Out& out);
    void attach(In& in, Out& out);
    void flush(In& in, Out& out);
    void walk(In& in, Out& out);
    void clunk(In& in, Out& out);
    void statfs(In& in, Out& out);
    void getattr(In& in, Out& out);
    void setattr(In& in, Out& out);
    void readlink(In& in, Out& out);

    void lopen(In& in, Out& out);
    void lcreate(In& in, Out& out);
    void read(In& in, Out& out);
    void write(In& in, Out& out);
    void readdir(In& in, Out& out);
    void fsync(In& in, Out& out);
    void lock(In& in, Out& out);
    void getlock(In& in, Out& out);

    void symlink(In& in, Out& out);
    void mkdir(In& in, Out& out);
    void link(In& in, Out& out);
    void renameat(In& in, Out& out);
    void unlinkat(In& in, Out& out);
    void remove(In& in, Out& out);

    Fid& fid(std::uint32_t number);
    ShareNode& node(std::uint32_t number) { return *fid(number).node; }
    ShareFile& open_file(std::uint32_t number);
    Fid& new_fid(std::uint32_t number, std::shared_ptr<ShareNode> node);
    std::shared_ptr<ShareNode> step(const std::shared_ptr<ShareNode>& from,
                                    const std::string& name) const;

    const std::shared_ptr<ShareNode> root_;
    std::uint32_t most_bytes_ = kMostBytes; ///< of a message, as negotiated
    std::map<std::uint32_t, Fid> fids_;
};

} // namespace pes
