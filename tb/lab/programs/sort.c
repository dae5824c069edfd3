// SPDX-License-Identifier: Apache-2.0
// Five ways of sorting the same numbers.
#include "tb/lab/programs/lab.h"

enum { kCount = 3000, kFew = 400 };

static uint32_t numbers[kCount], buffer[kCount];

HOT void insertion_sort(uint32_t* list, unsigned count) {
    for (unsigned i = 1; i < count; ++i) {
        const uint32_t moved = list[i];
        unsigned at = i;
        while (at > 0 && list[at - 1] > moved) {
            list[at] = list[at - 1];
            --at;
        }
        list[at] = moved;
    }
}

HOT void sift_down(uint32_t* heap, unsigned from, unsigned count) {
    const uint32_t moved = heap[from];
    for (;;) {
        unsigned child = 2 * from + 1;
        if (child >= count) {
            break;
        }
        if (child + 1 < count && heap[child + 1] > heap[child]) {
            ++child;
        }
        if (heap[child] <= moved) {
            break;
        }
        heap[from] = heap[child];
        from = child;
    }
    heap[from] = moved;
}

HOT void heap_sort(uint32_t* list, unsigned count) {
    for (unsigned i = count / 2; i-- > 0;) {
        sift_down(list, i, count);
    }
    for (unsigned last = count - 1; last > 0; --last) {
        const uint32_t most = list[0];
        list[0] = list[last];
        list[last] = most;
        sift_down(list, 0, last);
    }
}

HOT void merge(const uint32_t* a, unsigned a_count, const uint32_t* b, unsigned b_count,
               uint32_t* out) {
    unsigned i = 0;
    unsigned j = 0;
    while (i < a_count && j < b_count) {
        *out++ = a[i] <= b[j] ? a[i++] : b[j++];
    }
    while (i < a_count) {
        *out++ = a[i++];
    }
    while (j < b_count) {
        *out++ = b[j++];
    }
}

HOT void copy_words(uint32_t* to, const uint32_t* from, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        to[i] = from[i];
    }
}

HOT void merge_sort(uint32_t* list, unsigned count) {
    for (unsigned width = 1; width < count; width *= 2) {
        for (unsigned at = 0; at < count; at += 2 * width) {
            const unsigned middle = at + width < count ? at + width : count;
            const unsigned end = at + 2 * width < count ? at + 2 * width : count;
            merge(list + at, middle - at, list + middle, end - middle, buffer + at);
        }
        copy_words(list, buffer, count);
    }
}

HOT void quick_sort(uint32_t* list, int first, int last) {
    while (first < last) {
        const uint32_t pivot = list[(first + last) / 2];
        int low = first;
        int high = last;
        while (low <= high) {
            while (list[low] < pivot) {
                ++low;
            }
            while (list[high] > pivot) {
                --high;
            }
            if (low <= high) {
                const uint32_t swapped = list[low];
                list[low++] = list[high];
                list[high--] = swapped;
            }
        }
        quick_sort(list, first, high);
        first = low;
    }
}

HOT void radix_sort(uint32_t* list, unsigned count) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
        unsigned starts[257] = {0};
        for (unsigned i = 0; i < count; ++i) {
            ++starts[(list[i] >> shift & 255) + 1];
        }
        for (unsigned digit = 1; digit < 256; ++digit) {
            starts[digit] += starts[digit - 1];
        }
        for (unsigned i = 0; i < count; ++i) {
            buffer[starts[list[i] >> shift & 255]++] = list[i];
        }
        copy_words(list, buffer, count);
    }
}

HOT void fill(uint64_t seed) {
    for (unsigned i = 0; i < kCount; ++i) {
        numbers[i] = next_random(&seed);
    }
}

HOT int is_sorted(unsigned count) {
    for (unsigned i = 1; i < count; ++i) {
        if (numbers[i - 1] > numbers[i]) {
            return 0;
        }
    }
    return 1;
}

int main(void) {
    int right = 1;
    for (unsigned round = 0; round < ROUNDS; ++round) {
        fill(round + 1);
        insertion_sort(numbers, kFew);
        right &= is_sorted(kFew);
        fill(round + 2);
        heap_sort(numbers, kCount);
        right &= is_sorted(kCount);
        fill(round + 3);
        merge_sort(numbers, kCount);
        right &= is_sorted(kCount);
        fill(round + 4);
        quick_sort(numbers, 0, kCount - 1);
        right &= is_sorted(kCount);
        fill(round + 5);
        radix_sort(numbers, kCount);
        right &= is_sorted(kCount);
    }
    return !right;
}
