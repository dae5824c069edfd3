// SPDX-License-Identifier: Apache-2.0
#include "firmware/boot/boot_tree.h"

#include "firmware/boot/layout.h"
#include "firmware/lib/flat_tree_reserve.h"
#include "firmware/lib/text.h"
#include "firmware/sbi/machine.h"

namespace pes {

namespace {

/// Bytes of the tree at this address; 0: there is none.
uint32_t size_of_tree(uint64_t address) {
    constexpr uint64_t kAlignment = 8; // Devicetree Specification 0.4, 5.6
    if (address % kAlignment != 0 || !supervisor_owns(address, FlatTree::kHeaderBytes)) {
        return 0;
    }
    const uint32_t size = FlatTree::size_of(reinterpret_cast<const uint8_t*>(address));
    return supervisor_owns(address, size) ? size : 0;
}

} // namespace

FlatTree boot_tree(uint64_t address) {
    const uint32_t size = size_of_tree(address);
    return size == 0 ? FlatTree() : FlatTree(reinterpret_cast<const uint8_t*>(address), size);
}

bool firmware_switch(const FlatTree& tree, const char* name) {
    return tree.property(tree.find_compatible("pes-vp,firmware"), name).bytes != nullptr;
}

void reserve_machine_layer(uint64_t tree_address) {
    const uint32_t size = size_of_tree(tree_address);
    if (size == 0) {
        return;
    }
    const uint32_t larger = size + kReservationRoom;
    const uint32_t room = larger > size && supervisor_owns(tree_address, larger) ? larger : size;
    if (!reserve_region(reinterpret_cast<uint8_t*>(tree_address), room,
                        {PES_DRAM_BASE, PES_MACHINE_SIZE})) {
        print(console_put, "pes firmware: the device tree does not take /reserved-memory\n");
    }
}

} // namespace pes
