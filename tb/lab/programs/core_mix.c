// SPDX-License-Identifier: Apache-2.0
// The mix of CoreMark's kind: list processing, small integer matrices, a state machine that reads
// numbers in text, and a CRC over all results.
#include "tb/lab/programs/lab.h"

struct item {
    struct item* next;
    int16_t value;
    uint16_t key;
};

enum { kItems = 96, kSize = 12, kText = 512 };

static struct item items[kItems];
static int16_t left[kSize][kSize], right[kSize][kSize];
static int32_t product[kSize][kSize];
static char text[kText + 1];

HOT uint16_t crc16(uint16_t crc, uint32_t word) {
    for (int bit = 0; bit < 32; ++bit) {
        const uint32_t carry = (crc ^ word) & 1;
        crc = (uint16_t)(crc >> 1);
        if (carry) {
            crc ^= 0xA001;
        }
        word >>= 1;
    }
    return crc;
}

HOT struct item* list_reverse(struct item* list) {
    struct item* reversed = NULL;
    while (list) {
        struct item* next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    return reversed;
}

HOT const struct item* list_find(const struct item* list, uint16_t key) {
    while (list && list->key != key) {
        list = list->next;
    }
    return list;
}

HOT struct item* list_merge(struct item* a, struct item* b) {
    struct item head = {0};
    struct item* tail = &head;
    while (a && b) {
        struct item** least = a->value <= b->value ? &a : &b;
        tail->next = *least;
        tail = *least;
        *least = (*least)->next;
    }
    tail->next = a ? a : b;
    return head.next;
}

HOT struct item* list_sort(struct item* list, unsigned length) {
    if (length < 2) {
        return list;
    }
    struct item* middle = list;
    for (unsigned i = 1; i < length / 2; ++i) {
        middle = middle->next;
    }
    struct item* second = middle->next;
    middle->next = NULL;
    return list_merge(list_sort(list, length / 2), list_sort(second, length - length / 2));
}

HOT int32_t matrix_multiply(void) {
    int32_t trace = 0;
    for (int row = 0; row < kSize; ++row) {
        for (int column = 0; column < kSize; ++column) {
            int32_t sum = 0;
            for (int k = 0; k < kSize; ++k) {
                sum += left[row][k] * right[k][column];
            }
            product[row][column] = sum;
        }
        trace += product[row][row];
    }
    return trace;
}

HOT void matrix_add(int16_t constant) {
    for (int row = 0; row < kSize; ++row) {
        for (int column = 0; column < kSize; ++column) {
            left[row][column] = (int16_t)(left[row][column] + constant);
        }
    }
}

enum state { kStart, kInteger, kFraction, kExponent, kInvalid, kStates };

HOT enum state next_state(enum state state, char letter) {
    switch (state) {
    case kStart:
        return letter >= '0' && letter <= '9' ? kInteger : letter == '.' ? kFraction : kInvalid;
    case kInteger:
        if (letter >= '0' && letter <= '9') {
            return kInteger;
        }
        return letter == '.' ? kFraction : letter == 'e' ? kExponent : kInvalid;
    case kFraction:
        if (letter >= '0' && letter <= '9') {
            return kFraction;
        }
        return letter == 'e' ? kExponent : kInvalid;
    case kExponent:
        return letter >= '0' && letter <= '9' ? kExponent : kInvalid;
    default:
        return kInvalid;
    }
}

HOT uint32_t scan_text(void) {
    uint32_t ends[kStates] = {0};
    enum state state = kStart;
    for (const char* at = text; *at; ++at) {
        if (*at == ',') {
            ++ends[state];
            state = kStart;
        } else {
            state = next_state(state, *at);
        }
    }
    return ends[kInteger] | ends[kFraction] << 8 | ends[kExponent] << 16 | ends[kInvalid] << 24;
}

static void prepare(void) {
    static const char kLetters[] = "0123456789012345678901234567890.e+,,,,";
    uint64_t random = 1;
    for (int i = 0; i < kItems; ++i) {
        items[i].next = i + 1 < kItems ? &items[i + 1] : NULL;
        items[i].value = (int16_t)next_random(&random);
        items[i].key = (uint16_t)i;
    }
    for (int i = 0; i < kSize * kSize; ++i) {
        left[i / kSize][i % kSize] = (int16_t)(next_random(&random) % 64);
        right[i / kSize][i % kSize] = (int16_t)(next_random(&random) % 64);
    }
    for (int i = 0; i < kText; ++i) {
        text[i] = kLetters[next_random(&random) % (sizeof kLetters - 1)];
    }
}

int main(void) {
    prepare();
    struct item* list = items;
    uint16_t crc = 0;
    for (unsigned round = 0; round < 110 * ROUNDS; ++round) {
        list = list_reverse(list);
        for (unsigned key = 0; key < 24; ++key) {
            const struct item* found = list_find(list, (uint16_t)(key * 5 + round % 7));
            crc = crc16(crc, found ? (uint32_t)found->value : round);
        }
        if (round % 4 == 0) {
            list = list_sort(list, kItems);
        }
        matrix_add((int16_t)(round & 3));
        crc = crc16(crc, (uint32_t)matrix_multiply());
        crc = crc16(crc, scan_text());
        text[round % kText] = (char)('0' + round % 10);
    }
    list = list_sort(list, kItems);
    for (; list->next; list = list->next) {
        if (list->value > list->next->value) {
            return 1;
        }
    }
    return crc == 0;
}
