// SPDX-License-Identifier: Apache-2.0
// Quicksort of random numbers: data-dependent branches that no predictor knows.
#include "firmware/apps/workload/workload.h"

namespace pes::workload {

namespace {

constexpr int kCount = 4096;
uint32_t numbers_to_sort[kCount];

} // namespace

[[gnu::noipa]] static void quick_sort(uint32_t* numbers, int first, int last) {
    while (first < last) {
        const uint32_t pivot = numbers[(first + last) / 2];
        int low = first;
        int high = last;
        while (low <= high) {
            while (numbers[low] < pivot) {
                ++low;
            }
            while (numbers[high] > pivot) {
                --high;
            }
            if (low <= high) {
                const uint32_t swapped = numbers[low];
                numbers[low++] = numbers[high];
                numbers[high--] = swapped;
            }
        }
        quick_sort(numbers, first, high);
        first = low;
    }
}

uint64_t sort_numbers(unsigned rounds) {
    Sequence numbers(3);
    uint64_t sum = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        for (uint32_t& number : numbers_to_sort) {
            number = numbers.next();
        }
        quick_sort(numbers_to_sort, 0, kCount - 1);
        for (int i = 1; i < kCount; ++i) {
            sum += numbers_to_sort[i - 1] <= numbers_to_sort[i] ? 1 : 0;
        }
        sum += numbers_to_sort[kCount / 2];
    }
    return sum;
}

} // namespace pes::workload
