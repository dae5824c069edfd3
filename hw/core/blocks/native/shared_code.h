// SPDX-License-Identifier: Apache-2.0
// Code that all paths of a hart share: the ways in and out, and pieces that many blocks need. They
// keep a block's own code small, so that more of it is in the caches of the host.
#pragma once

#include "hw/core/blocks/native/code_writer.h"
#include "hw/core/blocks/native/native_context.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace pes::native {

class SharedCodeWriter {
  public:
    /// `shared` gets its addresses from placed().
    SharedCodeWriter(asmjit::CodeHolder& code, HartParts& hart, const NativeContext& context,
                     SharedCode& shared)
        : w_(code, hart, context, shared), shared_(shared) {}

    /// False if the host's instructions cannot reach what it needs.
    bool write();
    /// The code lies there now.
    void placed(const std::byte* code) const;

  private:
    void begin(const void*& place) { places_.emplace_back(&place, w_.a.offset()); }
    void way_in();
    void leave();
    template <typename Function>
    void way_out(const void*& place, Function* function);
    void translated(Access access, unsigned bytes);
    void handler();
    void pause();

    CodeWriter w_;
    SharedCode& shared_;
    Label leave_;
    Label stopped_;
    std::vector<std::pair<const void**, std::size_t>> places_; ///< and the offset of the code
};

} // namespace pes::native
