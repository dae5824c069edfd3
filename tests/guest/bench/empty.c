// SPDX-License-Identifier: Apache-2.0
// Start-up probe: leaves main() at once; what is left is the simulator itself.
#include "bench.h"
int main(void) {
    return 0;
}
