// SPDX-License-Identifier: Apache-2.0
// A second program at the same addresses: the order of --elf decides who names them.

extern "C" void _start();

namespace other {

volatile int counter;

[[gnu::noinline]] void spin(int rounds) {
    for (int i = 0; i < rounds; ++i) {
        counter = i;
    }
}

} // namespace other

void _start() {
    for (;;) {
        other::spin(100);
    }
}
