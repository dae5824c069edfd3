// SPDX-License-Identifier: Apache-2.0
// Completes 1000 interrupts that it has not claimed: a mistake, about which the PLIC warns.
int main(void) {
    volatile unsigned* const complete = (volatile unsigned*)0x0C200004;
    for (int i = 0; i < 1000; ++i) {
        *complete = 5;
    }
    return 0;
}
