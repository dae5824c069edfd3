// SPDX-License-Identifier: Apache-2.0
/*
 * printf, a file on the host, and what a loop costs:
 *
 *   riscv64-unknown-elf-gcc --specs=/usr/share/pes-vp/sdk/pes.specs -O2 -g \
 *       hello.c -o hello.elf
 *   pes-vp run hello.elf --guest-files .
 */
#include <pes.h>
#include <stdio.h>

__attribute__((noinline)) static double sum_of_inverses(unsigned count) {
    double sum = 0;
    for (unsigned i = 1; i <= count; ++i) {
        sum += 1.0 / i;
    }
    return sum;
}

int main(void) {
    const uint64_t cycles = pes_cycles();
    const uint64_t instructions = pes_instructions();
    const double sum = sum_of_inverses(10000);
    const uint64_t cycles_taken = pes_cycles() - cycles;
    const uint64_t instructions_taken = pes_instructions() - instructions;
    printf("sum %.6f, %lu cycles, %lu instructions\n", sum, (unsigned long)cycles_taken,
           (unsigned long)instructions_taken);

    FILE* const file = fopen("hello.csv", "w");
    if (file == NULL) {
        perror("hello.csv");
        return 1;
    }
    fprintf(file, "cycles,instructions\n%lu,%lu\n", (unsigned long)cycles_taken,
            (unsigned long)instructions_taken);
    return fclose(file) == 0 ? 0 : 1;
}
