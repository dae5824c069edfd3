// SPDX-License-Identifier: Apache-2.0
// Ends through the test finisher with exit code EXIT_CODE.
int main() {
    return EXIT_CODE;
}
