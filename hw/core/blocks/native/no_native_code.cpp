// SPDX-License-Identifier: Apache-2.0
// In the place of native_code.cpp on hosts without it. No object is made.
#include "hw/core/blocks/native/native_code.h"

namespace pes {

class NativeCode::Store {};

bool NativeCode::available() {
    return false;
}
NativeCode::NativeCode(HartParts&, const NativeContext&) {}
NativeCode::~NativeCode() = default;
void NativeCode::compile(Node&, std::uint64_t) {}
bool NativeCode::fits(const Node&) const {
    return false;
}
Node* NativeCode::run(Node&) {
    return nullptr;
}
void NativeCode::link(NativePath&, Node&) {}
void NativeCode::clear() {}
const BlockPulses& NativeCode::most() const {
    static constexpr BlockPulses kNone{};
    return kNone;
}
std::uint64_t NativeCode::compiled() const {
    return 0;
}
std::uint64_t NativeCode::bytes_made() const {
    return 0;
}

} // namespace pes
