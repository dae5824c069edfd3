// SPDX-License-Identifier: Apache-2.0
// Pointer chasing: a shuffled list over many pages, a binary tree of random keys, and a graph that
// is searched in breadth. Runs in user mode with translated addresses, so that the TLBs take part.
#include "tb/lab/programs/lab.h"

enum { kNodes = 2048, kTree = 2048, kVertices = 1024, kEdges = 6 };

struct node {
    struct node* next;
    uint64_t value;
    uint64_t padding[14]; /* 128 bytes: eight cache lines */
};

struct tree {
    struct tree *left, *right;
    uint32_t key;
    uint32_t count;
    uint64_t padding[5];
};

static struct node nodes[kNodes];
static struct tree trees[kTree];
static uint16_t edges[kVertices][kEdges];
static uint16_t distance[kVertices], queue[kVertices];

HOT void shuffle_list(void) {
    for (uint32_t i = 0; i < kNodes; ++i) { /* an affine step that visits every node once */
        nodes[i].next = &nodes[(i * 1664525U + 1013904223U) % kNodes];
        nodes[i].value = i;
    }
}

HOT uint64_t list_walk(const struct node* node, unsigned steps) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < steps; ++i) {
        sum = sum * 3 + node->value;
        node = node->next;
    }
    return sum;
}

HOT struct tree* tree_insert(struct tree* root, struct tree* added) {
    if (!root) {
        return added;
    }
    struct tree* at = root;
    for (;;) {
        struct tree** side = added->key < at->key ? &at->left : &at->right;
        if (!*side) {
            *side = added;
            return root;
        }
        at = *side;
    }
}

HOT unsigned tree_find(struct tree* root, uint32_t key) {
    unsigned depth = 0;
    for (struct tree* at = root; at; at = key < at->key ? at->left : at->right) {
        ++depth;
        if (at->key == key) {
            ++at->count;
            break;
        }
    }
    return depth;
}

HOT uint64_t tree_sum(const struct tree* root) {
    if (!root) {
        return 0;
    }
    return tree_sum(root->left) + root->count + tree_sum(root->right);
}

HOT unsigned breadth_first(unsigned from) {
    for (unsigned i = 0; i < kVertices; ++i) {
        distance[i] = UINT16_MAX;
    }
    unsigned head = 0;
    unsigned tail = 0;
    queue[tail++] = (uint16_t)from;
    distance[from] = 0;
    while (head < tail) {
        const unsigned at = queue[head++];
        for (unsigned i = 0; i < kEdges; ++i) {
            const unsigned to = edges[at][i];
            if (distance[to] == UINT16_MAX) {
                distance[to] = (uint16_t)(distance[at] + 1);
                queue[tail++] = (uint16_t)to;
            }
        }
    }
    return tail;
}

int main(void) {
    uint64_t random = 11;
    struct tree* root = NULL;
    shuffle_list();
    for (unsigned i = 0; i < kTree; ++i) {
        trees[i].key = next_random(&random);
        root = tree_insert(root, &trees[i]);
    }
    for (unsigned i = 0; i < kVertices * kEdges; ++i) {
        edges[i / kEdges][i % kEdges] = (uint16_t)(next_random(&random) % kVertices);
    }
    uint64_t sum = 0;
    unsigned reached = 0;
    for (unsigned round = 0; round < ROUNDS; ++round) {
        sum += list_walk(&nodes[round % kNodes], 12000);
        for (unsigned i = 0; i < kTree; ++i) {
            sum += tree_find(root, trees[(i * 1001U + round) % kTree].key);
        }
        reached += breadth_first(round % kVertices);
    }
    return tree_sum(root) != (uint64_t)ROUNDS * kTree || sum == 0 || reached == 0;
}
