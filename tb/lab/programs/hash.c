// SPDX-License-Identifier: Apache-2.0
// Hashing: a table of words with open addressing, a table of chains, CRC-32 and a keyed hash.
#include "tb/lab/programs/lab.h"

enum { kSlots = 8192, kKeys = 3000, kBuckets = 512, kBlock = 4096 };

struct node {
    struct node* next;
    uint32_t key;
    uint32_t value;
};

static uint32_t slots[kSlots];
static struct node nodes[kKeys];
static struct node* buckets[kBuckets];
static uint32_t crc_table[256];
static uint8_t block[kBlock];

HOT uint32_t mix(uint32_t key) {
    key ^= key >> 16;
    key *= 0x7FEB352DU;
    key ^= key >> 15;
    key *= 0x846CA68BU;
    return key ^ key >> 16;
}

HOT int open_insert(uint32_t key) {
    uint32_t at = mix(key) % kSlots;
    while (slots[at] != 0) {
        if (slots[at] == key) {
            return 0;
        }
        at = (at + 1) % kSlots;
    }
    slots[at] = key;
    return 1;
}

HOT int open_find(uint32_t key) {
    uint32_t at = mix(key) % kSlots;
    while (slots[at] != 0 && slots[at] != key) {
        at = (at + 1) % kSlots;
    }
    return slots[at] == key;
}

HOT void chain_insert(struct node* node, uint32_t key) {
    struct node** bucket = &buckets[mix(key) % kBuckets];
    node->key = key;
    node->value = key * 3;
    node->next = *bucket;
    *bucket = node;
}

HOT uint32_t chain_find(uint32_t key) {
    const struct node* node = buckets[mix(key) % kBuckets];
    while (node && node->key != key) {
        node = node->next;
    }
    return node ? node->value : 0;
}

HOT void make_crc_table(void) {
    for (uint32_t i = 0; i < 256; ++i) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) {
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320U : 0);
        }
        crc_table[i] = crc;
    }
}

HOT uint32_t crc32_of(const uint8_t* bytes, size_t count) {
    uint32_t crc = ~0U;
    for (size_t i = 0; i < count; ++i) {
        crc = crc >> 8 ^ crc_table[(crc ^ bytes[i]) & 255];
    }
    return ~crc;
}

static inline uint64_t rotate(uint64_t word, int by) {
    return word << by | word >> (64 - by);
}

HOT uint64_t keyed_hash(const uint8_t* bytes, size_t count, uint64_t key) {
    uint64_t a = key ^ UINT64_C(0x736f6d6570736575);
    uint64_t b = key ^ UINT64_C(0x646f72616e646f6d);
    for (size_t i = 0; i + 8 <= count; i += 8) {
        const uint64_t word = *(const uint64_t*)(bytes + i);
        b ^= word;
        for (int round = 0; round < 2; ++round) {
            a += b;
            b = rotate(b, 13) ^ a;
            a = rotate(a, 32);
        }
        a ^= word;
    }
    return a ^ b;
}

int main(void) {
    uint64_t random = 7;
    uint64_t sum = 0;
    unsigned found = 0;
    make_crc_table();
    for (unsigned i = 0; i < kBlock; ++i) {
        block[i] = (uint8_t)next_random(&random);
    }
    for (unsigned i = 0; i < kKeys; ++i) {
        const uint32_t key = i * 2654435761U | 1;
        open_insert(key);
        chain_insert(&nodes[i], key);
    }
    for (unsigned round = 0; round < 7 * ROUNDS; ++round) {
        for (unsigned i = 0; i < kKeys; ++i) {
            const uint32_t key = (i + round) * 2654435761U | 1;
            found += (unsigned)open_find(key);
            sum += chain_find(key);
        }
        block[round] ^= 1;
        sum ^= crc32_of(block, kBlock);
        sum ^= keyed_hash(block, kBlock, round) ^ keyed_hash(block, kBlock, sum);
    }
    return found == 0 || sum == 0 || crc32_of((const uint8_t*)"123456789", 9) != 0xCBF43926U;
}
