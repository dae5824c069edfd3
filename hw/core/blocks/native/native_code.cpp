// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/native/native_code.h"

#include "hw/core/blocks/native/path_compiler.h"
#include "hw/core/blocks/native/shared_code.h"

#include <algorithm>
#include <deque>

namespace pes {

using native::Label;
namespace x86 = native::x86;

namespace {

constexpr std::size_t kMostCode = std::size_t{64} << 20; ///< bytes

asmjit::JitAllocator::CreateParams mapped_twice() {
    asmjit::JitAllocator::CreateParams params{};
    params.options = asmjit::JitAllocatorOptions::kUseDualMapping;
    return params;
}

} // namespace

/// A node with code: where that begins, and who continues there.
struct NativeNode {
    const void* entry = nullptr;
    bool translated = false;            ///< data accesses
    std::deque<NativePath> all_paths{}; ///< of all versions of the code, which stay valid
    std::vector<NativePath*> before{};
};

class NativeCode::Store {
  public:
    Store(HartParts& hart, const NativeContext& context) : hart_(hart), context_(context) {
        begin();
    }

    void compile(Node& node, std::uint64_t often);
    Node* run(Node& node) {
        const auto enter = reinterpret_cast<native::SharedCode::Enter>(shared_.enter);
        return enter(native::CodeWriter::base(hart_), native::CodeWriter::facts(hart_),
                     nodes_[node.native - 1].entry);
    }
    bool fits(const Node& node) const {
        return nodes_[node.native - 1].translated == hart_.execution.data().translated();
    }
    void link(NativePath& path, Node& next);
    void clear();
    const BlockPulses& most() const { return most_; }
    std::uint64_t compiled() const { return compiled_; }
    std::uint64_t bytes_made() const { return bytes_made_; }

  private:
    void begin();
    void write_shared();
    std::byte* place(asmjit::CodeHolder& code);

    HartParts& hart_;
    const NativeContext context_;
    std::unique_ptr<asmjit::JitRuntime> runtime_;
    native::SharedCode shared_;
    std::deque<NativeNode> nodes_;
    BlockPulses most_{};
    std::uint64_t compiled_ = 0;
    std::size_t bytes_ = 0; ///< of the code that there is
    std::uint64_t bytes_made_ = 0;
};

/// Null if there is no room.
std::byte* NativeCode::Store::place(asmjit::CodeHolder& code) {
    std::byte* placed = nullptr;
    if (runtime_->add(&placed, &code) != asmjit::kErrorOk) {
        return nullptr;
    }
    bytes_ += code.codeSize();
    bytes_made_ += code.codeSize();
    return placed;
}

void NativeCode::Store::write_shared() {
    asmjit::CodeHolder code;
    code.init(runtime_->environment());
    shared_ = {};
    native::SharedCodeWriter writer(code, hart_, context_, shared_);
    const bool reaches = writer.write();
    if (const std::byte* const placed = reaches ? place(code) : nullptr) {
        writer.placed(placed);
    } else { // --stats says so, too
        spdlog::debug("no native code, loops run slower: {}",
                      reaches ? "no memory for it" : "what it needs is out of its reach");
    }
}

void NativeCode::Store::compile(Node& node, std::uint64_t often) {
    if (shared_.enter == nullptr || bytes_ > kMostCode ||
        !native::PathCompiler::can_compile(*context_.memo, node)) {
        return;
    }
    if (node.native == 0) {
        nodes_.emplace_back().translated = hart_.execution.data().translated();
        node.native = static_cast<std::uint32_t>(nodes_.size());
    }
    NativeNode& own = nodes_[node.native - 1];
    if (!fits(node)) {
        return;
    }
    asmjit::CodeHolder code;
    code.init(runtime_->environment());
    native::PathCompiler compiler(code, hart_, context_, shared_, node, own.all_paths, often);
    std::byte* const placed = compiler.write() ? place(code) : nullptr;
    if (placed == nullptr) {
        if (own.entry == nullptr) {
            node.native = 0;
            nodes_.pop_back();
        }
        return;
    }
    ++compiled_;
    own.entry = placed;
    for (std::size_t source = 0; source < most_.size(); ++source) {
        most_[source] = std::max(most_[source], node.block->most[source]);
    }
    const auto size = static_cast<std::uint8_t>(node.block->size());
    most_[kRetiredEvents] = std::max(most_[kRetiredEvents], size);
    for (const auto& [path, behind] : compiler.ends()) {
        path->link = path->back = placed + code.labelOffsetFromBase(behind);
        if (path->outcome->next != nullptr) {
            link(*path, *path->outcome->next);
        }
    }
    for (NativePath* const path : own.before) {
        path->link = placed;
    }
}

void NativeCode::Store::link(NativePath& path, Node& next) {
    if (next.native == 0) {
        return;
    }
    NativeNode& there = nodes_[next.native - 1];
    if (there.translated != nodes_[path.node->native - 1].translated) {
        return;
    }
    path.link = there.entry;
    if (path.next == &next) {
        return;
    }
    if (path.next != nullptr) { // its code is made anew without this path
        std::erase(nodes_[path.next->native - 1].before, &path);
    }
    path.next = &next;
    there.before.push_back(&path);
}

void NativeCode::Store::clear() {
    nodes_.clear();
    begin();
}

/// A new runtime each time: one that is reset keeps a block of memory, with which asmjit of Debian
/// 12 may trip over its own assertion.
void NativeCode::Store::begin() {
    const auto params = mapped_twice();
    runtime_ = std::make_unique<asmjit::JitRuntime>(&params);
    bytes_ = 0;
    write_shared();
}

bool NativeCode::available() {
    return true;
}
NativeCode::NativeCode(HartParts& hart, const NativeContext& context)
    : store_(std::make_unique<Store>(hart, context)) {}
NativeCode::~NativeCode() = default;
void NativeCode::compile(Node& node, std::uint64_t often) {
    store_->compile(node, often);
}
bool NativeCode::fits(const Node& node) const {
    return store_->fits(node);
}
Node* NativeCode::run(Node& node) {
    return store_->run(node);
}
void NativeCode::link(NativePath& path, Node& next) {
    store_->link(path, next);
}
void NativeCode::clear() {
    store_->clear();
}
const BlockPulses& NativeCode::most() const {
    return store_->most();
}
std::uint64_t NativeCode::compiled() const {
    return store_->compiled();
}
std::uint64_t NativeCode::bytes_made() const {
    return store_->bytes_made();
}

} // namespace pes
