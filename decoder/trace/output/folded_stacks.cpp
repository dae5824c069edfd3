// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/output/folded_stacks.h"

#include <algorithm>
#include <numeric>
#include <spdlog/fmt/fmt.h>
#include <tuple>

namespace pes::trace {

using namespace perf_record;

void FoldedStacks::header(std::uint16_t number, const PerfHeader&, TraceTime) {
    source(number).last.reset();
}

void FoldedStacks::lost(std::uint16_t number, const PerfLoss&) {
    source(number).last.reset();
}

/// What was spent since the record before; nothing if that is not known.
std::optional<std::uint64_t> FoldedStacks::weigh(const PerfRecord& record, Source& from) const {
    if (weight_.of == FoldedWeight::Of::Time) {
        return passed(record.time, from);
    }
    if (weight_.of != FoldedWeight::Of::Counter ||
        (record.header->mask >> weight_.counter & 1) == 0) {
        return std::nullopt;
    }
    const std::uint64_t value = record.values[weight_.counter];
    if (record.header->type == CountType::Delta) {
        return value;
    }
    const auto before = std::exchange(from.last, value);
    if (!before) {
        return std::nullopt;
    }
    const unsigned width = record.header->definitions[weight_.counter].info.width;
    return unwrapped(value, *before, width) - *before;
}

std::optional<std::uint64_t> FoldedStacks::passed(TraceTime time, Source& from) {
    const auto before = std::exchange(from.last, time);
    return before && time && *time > *before ? std::optional(*time - *before) : std::nullopt;
}

void FoldedStacks::record(const PerfRecord& record) {
    Source& from = source(record.source);
    const std::optional<std::uint64_t> weight = weigh(record, from);
    if (!weight) {
        return;
    }
    const std::size_t node =
        has_call_site(record.kind) ? from.path.back() : node_at(from, record.address);
    nodes_[node].weight += *weight;
}

void FoldedStacks::sample(std::uint16_t number, Address address) {
    if (weight_.of == FoldedWeight::Of::Samples) {
        ++nodes_[node_at(source(number), address)].weight;
    }
}

std::size_t FoldedStacks::node_at(const Source& from, Address address) {
    const std::size_t node = from.path.back();
    const Callee callee = function_at(from, address);
    const bool same =
        nodes_[node].function == callee.address && nodes_[node].symbol == callee.symbol;
    return from.path.size() == 1 || !same ? child(node, callee) : node;
}

void FoldedStacks::entered(std::uint16_t number, const std::vector<Frame>& frames) {
    Source& from = source(number);
    from.path.push_back(child(from.path.back(), function_at(from, frames.back().entry)));
}

void FoldedStacks::left(std::uint16_t number, const std::vector<Frame>&, FrameEnd, FlowTime) {
    source(number).path.pop_back();
}

void FoldedStacks::ran(const InstructionRun& run, const std::vector<Frame>& frames) {
    Source& from = source(run.source);
    std::size_t node = from.path.back();
    if (frames.empty()) { // the function that the trace began in
        node = child(node, function_at(from, run.begin));
    }
    if (weight_.of == FoldedWeight::Of::Instructions) {
        nodes_[node].weight += run.instructions;
    } else if (weight_.of == FoldedWeight::Of::Time && run.time) {
        nodes_[node].weight += passed(run.time, from).value_or(0);
    }
}

bool FoldedStacks::empty() const {
    return std::all_of(nodes_.begin(), nodes_.end(),
                       [](const Node& node) { return node.weight == 0; });
}

/// Children of every node by name, those of node n from first[n] to first[n + 1].
struct FoldedStacks::Tree {
    std::vector<std::string> names;
    std::vector<std::uint64_t> weights; ///< as written
    std::vector<std::size_t> depths;    ///< of a root 0
    std::vector<std::size_t> children;
    std::vector<std::size_t> first;
    std::size_t deepest = 0; ///< of the stacks that are written
    std::uint64_t cut = 0;   ///< stacks below it
};

FoldedStacks::Tree FoldedStacks::tree(std::uint64_t most_bytes) const {
    Tree tree;
    tree.names.resize(nodes_.size());
    tree.weights.resize(nodes_.size());
    tree.depths.resize(nodes_.size());
    tree.first.assign(nodes_.size() + 1, 0);
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
        const bool is_root = nodes_[node].parent == node;
        tree.names[node] = is_root ? root_name(nodes_[node]) : name(nodes_[node]);
        tree.weights[node] = nodes_[node].weight;
        if (!is_root) {
            tree.depths[node] = tree.depths[nodes_[node].parent] + 1;
            tree.children.push_back(node);
            ++tree.first[nodes_[node].parent + 1];
        }
    }
    std::partial_sum(tree.first.begin(), tree.first.end(), tree.first.begin());
    std::sort(tree.children.begin(), tree.children.end(), [&](std::size_t a, std::size_t b) {
        return std::tie(nodes_[a].parent, tree.names[a], a) <
               std::tie(nodes_[b].parent, tree.names[b], b);
    });
    cut_below(tree, deepest_within(tree, most_bytes));
    return tree;
}

/// The greatest depth down to which the lines, whatever their weights, fit.
std::size_t FoldedStacks::deepest_within(const Tree& tree, std::uint64_t most_bytes) const {
    std::vector<std::uint64_t> stack(nodes_.size()); // bytes of each node's line
    std::vector<std::uint64_t> by_depth;
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
        const std::size_t depth = tree.depths[node];
        stack[node] = (depth == 0 ? 0 : stack[nodes_[node].parent] + 1) + tree.names[node].size();
        by_depth.resize(std::max(by_depth.size(), depth + 1));
        by_depth[depth] += nodes_[node].weight == 0 ? 0 : stack[node];
    }
    std::size_t deepest = 0;
    for (std::uint64_t bytes = 0; deepest < by_depth.size(); ++deepest) {
        bytes += by_depth[deepest];
        if (bytes > most_bytes) {
            break;
        }
    }
    return deepest == 0 ? 0 : deepest - 1;
}

/// A caller comes before what it calls in the list of nodes: its own index is the lower one.
void FoldedStacks::cut_below(Tree& tree, std::size_t deepest) const {
    tree.deepest = deepest;
    for (std::size_t node = nodes_.size(); node-- > 0;) {
        if (tree.depths[node] > deepest) {
            tree.cut += nodes_[node].weight == 0 ? 0 : 1;
            tree.weights[nodes_[node].parent] += tree.weights[node];
        }
    }
}

/// Depth first with one text of the stack, which grows and shrinks by a name: the work is that of
/// writing the lines, however deep the stacks are.
std::uint64_t FoldedStacks::write(std::ostream& out, std::uint64_t most_bytes) const {
    const Tree tree = this->tree(most_bytes);
    struct Level {
        std::size_t node;
        std::size_t next;  ///< of its children
        std::size_t begin; ///< of its name in the stack
    };
    std::vector<Level> levels;
    std::string stack;
    const auto enter = [&](std::size_t node) {
        levels.push_back({node, tree.first[node], stack.size()});
        stack += stack.empty() || tree.names[node].empty() ? "" : ";";
        stack += tree.names[node];
        if (tree.weights[node] != 0) {
            out << (stack.empty() ? std::string_view("(unknown)") : stack) << ' '
                << tree.weights[node] << '\n';
        }
    };
    for (const auto& [number, from] : sources_) {
        for (enter(from.path.front()); !levels.empty();) {
            Level& level = levels.back();
            if (level.next < tree.first[level.node + 1] && tree.depths[level.node] < tree.deepest) {
                enter(tree.children[level.next++]);
            } else {
                stack.resize(level.begin);
                levels.pop_back();
            }
        }
    }
    return tree.cut;
}

FoldedStacks::Source& FoldedStacks::source(std::uint16_t number) {
    const auto [entry, is_new] = sources_.try_emplace(number);
    if (is_new) {
        entry->second.number = number;
        entry->second.path = {nodes_.size()};
        nodes_.push_back({nodes_.size(), number, nullptr, 0}); // a root is its own parent
    }
    return entry->second;
}

std::size_t FoldedStacks::child(std::size_t parent, const Callee& callee) {
    const auto known = children_.find({parent, callee});
    if (known != children_.end()) {
        return known->second;
    }
    if (nodes_.size() >= kMostNodes) {
        return parent; // a runaway recursion must not fill the memory
    }
    nodes_.push_back({parent, callee.address, callee.symbol, 0});
    children_.emplace(std::pair(parent, callee), nodes_.size() - 1);
    return nodes_.size() - 1;
}

FoldedStacks::Callee FoldedStacks::function_at(const Source& from, Address address) const {
    if (places_ == nullptr) {
        return {address, nullptr};
    }
    const Function* function = places_->find(from.number, address).function;
    return {function == nullptr ? address : function->begin, function};
}

std::string FoldedStacks::name(const Node& node) {
    if (node.symbol == nullptr) {
        return fmt::format("{:#x}", node.function);
    }
    std::string name = node.symbol->name;
    std::replace(name.begin(), name.end(), ';', ':'); // it separates the names of a stack
    return name;
}

std::string FoldedStacks::root_name(const Node& root) const {
    return sources_.size() > 1 ? fmt::format("source {}", root.function) : "";
}

} // namespace pes::trace
