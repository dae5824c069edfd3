// SPDX-License-Identifier: Apache-2.0
#include "hw/common/device/tree_node.h"

#include <cstdio>

namespace pes {

TreeNode::TreeNode(std::string_view node_name, std::uint64_t address) : name(node_name) {
    char text[20];
    std::snprintf(text, sizeof text, "@%llx", static_cast<unsigned long long>(address));
    name += text;
}

TreeNode& TreeNode::bytes(std::string_view property, std::string value) {
    properties.emplace_back(property, std::move(value));
    return *this;
}

TreeNode& TreeNode::text(std::string_view property, std::string_view value) {
    return texts(property, {value});
}

/// Each string ends with NUL.
TreeNode& TreeNode::texts(std::string_view property, const std::vector<std::string_view>& values) {
    std::string all;
    for (const std::string_view value : values) {
        all.append(value).push_back('\0');
    }
    return bytes(property, std::move(all));
}

/// A cell is 32 bits, big-endian.
TreeNode& TreeNode::cells(std::string_view property, const std::vector<std::uint32_t>& values) {
    std::string all;
    for (const std::uint32_t value : values) {
        for (const unsigned shift : {24U, 16U, 8U, 0U}) {
            all.push_back(static_cast<char>(value >> shift & 0xFF));
        }
    }
    return bytes(property, std::move(all));
}

TreeNode& TreeNode::range(const MemoryRange& range) {
    return cells("reg", {high(range.base), low(range.base), high(range.size), low(range.size)});
}

TreeNode& TreeNode::add(TreeNode child) {
    children.push_back(std::move(child));
    return *this;
}

} // namespace pes
