// SPDX-License-Identifier: Apache-2.0
// pes-vp: runs a program on the virtual platform.
#include "platform/cli/start.h"

int main(int argc, char** argv) {
    return pes::start(argc, argv);
}
