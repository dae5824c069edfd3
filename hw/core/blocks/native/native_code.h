// SPDX-License-Identifier: Apache-2.0
// Hot paths of the memo as code of the host. Each is what the loop over blocks (block_runner.h)
// does with one node when its usual questions have their usual answers: handlers, questions,
// outcome; and then the code of what follows. Whatever is not usual goes back to that loop, so no
// rule of timing and nothing rare is here a second time.
//
// Pages of code are never writable and executable at once: they are mapped twice.
#pragma once

#include "hw/core/blocks/memo.h"
#include "hw/core/blocks/native/native_context.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace pes {

struct HartParts;

class NativeCode {
  public:
    /// True if there is native code for this host.
    static bool available();

    NativeCode(HartParts& hart, const NativeContext& context);
    ~NativeCode();
    NativeCode(const NativeCode&) = delete;
    NativeCode& operator=(const NativeCode&) = delete;

    /// A path is worth a compile() when it was taken hart.jit_after times, and again when it was
    /// taken kOften times as many.
    static constexpr std::uint64_t kOften = 4;
    /// Makes code for the node, or makes it anew, with the paths that were taken at least `often`
    /// times. A node that cannot have code stays without.
    void compile(Node& node, std::uint64_t often);
    /// True if the node has code, and enough of those that have followed it the last time: into
    /// native code and out of it costs as much as it saves in some blocks.
    static bool goes_on(const Node& node) {
        constexpr int kWorthwhile = 4;
        const Node* next = &node;
        for (int count = 0; next != nullptr && next->native != 0; next = next->followed_by) {
            if (++count == kWorthwhile) {
                return true;
            }
        }
        return false;
    }
    /// True if the code of the node is for accesses as they are translated at present.
    bool fits(const Node& node) const;
    /// Runs a node that has code, and those that follow. Returns as NativeExits.
    Node* run(Node& node);
    /// The outcome's path has reached `next`: from now on its code continues there.
    void link(NativePath& path, Node& next);
    /// Forgets all code. None may be running.
    void clear();

    /// What a block that has code pulses at most; index kRetiredEvents: how many instructions it
    /// has.
    const BlockPulses& most() const;
    std::uint64_t compiled() const;   ///< nodes, or versions of them, so far
    std::uint64_t bytes_made() const; ///< of code, so far

  private:
    class Store;
    std::unique_ptr<Store> store_;
};

} // namespace pes
