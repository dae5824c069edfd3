// SPDX-License-Identifier: Apache-2.0
// Walk over a list whose nodes lie in a scattered order: few instructions, many waiting cycles.
#include "firmware/apps/workload/workload.h"

namespace pes::workload {

// Outside of the unnamed namespace: it is part of list_walk's name.
struct Node {
    Node* next;
    uint64_t value;
    uint64_t padding[6]; // one node takes four cache lines
};

namespace {

constexpr uint32_t kNodes = 4096;

Node nodes[kNodes];

} // namespace

[[gnu::noipa]] static uint64_t list_walk(const Node* node) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < kNodes; ++i) {
        sum = sum * 3 + node->value;
        node = node->next;
    }
    return sum;
}

uint64_t walk_list(unsigned rounds) {
    // An affine step with an odd offset and a multiplier of 1 mod 4 visits every node once.
    for (uint32_t i = 0; i < kNodes; ++i) {
        nodes[i].next = &nodes[(i * 1664525U + 1013904223U) % kNodes];
        nodes[i].value = i;
    }
    uint64_t sum = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        sum ^= list_walk(&nodes[round % kNodes]);
    }
    return sum;
}

} // namespace pes::workload
