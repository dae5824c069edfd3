// SPDX-License-Identifier: Apache-2.0
// The entry point of libFuzzer.
#include "tests/fuzz/trace_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    pes::fuzz::decode_anything({data, size});
    return 0;
}
