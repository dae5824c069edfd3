// SPDX-License-Identifier: Apache-2.0
// What a checkpoint has of a server: the fids of a tree whose files have a place in it.
#include "hw/common/archive.h"
#include "platform/share/share_server.h"

#include <algorithm>

namespace pes {

bool ShareServer::in_use() const {
    return std::ranges::any_of(fids_, [](const auto& fid) { return !fid.second.node->place(); });
}

void ShareServer::state(Archive& archive) {
    archive(most_bytes_);
    std::uint64_t count = fids_.size();
    archive(count);
    if (archive.saves()) {
        for (auto& [number, fid] : fids_) {
            save(archive, number, fid);
        }
        return;
    }
    fids_.clear();
    for (; count != 0; --count) {
        load(archive);
    }
}

void ShareServer::save(Archive& archive, std::uint32_t number, const Fid& fid) {
    std::string place = fid.node->place().value();
    bool open = fid.file != nullptr;
    ShareOpen how = fid.how;
    archive(number, place, open, how.reads, how.writes);
}

void ShareServer::load(Archive& archive) {
    std::uint32_t number = 0;
    std::string place;
    bool open = false;
    ShareOpen how;
    archive(number, place, open, how.reads, how.writes);
    try {
        Fid& fid = new_fid(number, place.empty() ? root_ : root_->child(place));
        if (open) {
            fid.file = fid.node->open(how);
            fid.how = how;
        }
    } catch (const ShareError&) {
        archive.refuse("the guest has a file '" + place + "' that is not shared here");
    }
}

} // namespace pes
