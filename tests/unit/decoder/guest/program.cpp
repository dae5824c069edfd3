// SPDX-License-Identifier: Apache-2.0
// A program to find functions and lines in; it is never run.

extern "C" void copy_words(long* to, const long* from, long count);

namespace guest {

volatile long sink;

inline long square(long x) {
    return x * x;
}

[[gnu::noinline]] long sum_of_squares(const long* values, long count) {
    long sum = 0;
    for (long i = 0; i < count; ++i) {
        sum += square(values[i]);
    }
    return sum;
}

// The linker drops it; its line rows stay behind at address 0.
[[gnu::noinline]] long nobody_calls_this(long x) {
    sink = x;
    return x + 1;
}

class Sorter {
  public:
    [[gnu::noinline]] void sort(long* values, long count);
};

void Sorter::sort(long* values, long count) {
    for (long i = 1; i < count; ++i) {
        for (long j = i; j > 0 && values[j - 1] > values[j]; --j) {
            const long higher = values[j - 1];
            values[j - 1] = values[j];
            values[j] = higher;
        }
    }
}

} // namespace guest

int main() {
    long values[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    long copy[8];
    copy_words(copy, values, 8);
    guest::Sorter().sort(copy, 8);
    guest::sink = guest::sum_of_squares(copy, 8);
    return 0;
}
