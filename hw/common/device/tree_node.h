// SPDX-License-Identifier: Apache-2.0
// A node of the device tree as data (Devicetree Specification 0.4, section 2). The platform writes
// the nodes as a flattened tree.
#pragma once

#include "hw/interface/types.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pes {

struct TreeNode {
    explicit TreeNode(std::string node_name) : name(std::move(node_name)) {}
    /// name@address
    TreeNode(std::string_view node_name, std::uint64_t address);

    // Properties keep the order in which they are added.
    TreeNode& bytes(std::string_view property, std::string value);
    TreeNode& flag(std::string_view property) { return bytes(property, {}); }
    TreeNode& text(std::string_view property, std::string_view value);
    TreeNode& texts(std::string_view property, const std::vector<std::string_view>& values);
    TreeNode& cells(std::string_view property, const std::vector<std::uint32_t>& values);
    /// `reg` under #address-cells = #size-cells = 2.
    TreeNode& range(const MemoryRange& range);
    TreeNode& add(TreeNode child);

    static std::uint32_t high(std::uint64_t value) {
        return static_cast<std::uint32_t>(value >> 32);
    }
    static std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

    std::string name;
    std::vector<std::pair<std::string, std::string>> properties; ///< name, bytes as in the tree
    std::vector<TreeNode> children;
};

} // namespace pes
