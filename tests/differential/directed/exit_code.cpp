// SPDX-License-Identifier: Apache-2.0
// Ends with exit code 7 through the test finisher: crt0.S turns main's result into a write.
#include "directed.h"

int main() {
    return 7;
}
