// SPDX-License-Identifier: Apache-2.0
#include "hw/virtio/file_transport.h"

#include "hw/interface/maps/virtio.h"

namespace pes {

std::uint32_t FileTransport::device_id() const {
    return virtio::kFileDevice;
}

/// struct virtio_9p_config: the length of the tag, then the tag without an end.
std::vector<VirtioFunction::ConfigField> FileTransport::config() const {
    std::vector<ConfigField> fields{{"tag_len", 0, 2, tag_.size()}};
    for (unsigned index = 0; index < tag_.size(); ++index) {
        fields.push_back({"tag " + std::to_string(index), 2 + index, 1,
                          static_cast<unsigned char>(tag_[index])});
    }
    return fields;
}

void FileTransport::state(Archive& archive) {
    if (server_.in_use()) {
        archive.refuse("the guest has the host's files mounted, which cannot be saved; expected "
                       "that it unmounts '" +
                       tag_ + "' first");
    }
    server_.state(archive);
}

} // namespace pes
