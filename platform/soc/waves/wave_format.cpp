// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/wave_format.h"

#include <map>
#include <numeric>
#include <vector>

namespace pes {
namespace {

/// `members` share the first `consumed` characters of their scope.
void visit(WaveFormat::Signals signals, const ScopeVisitor& visitor, std::size_t consumed,
           const std::vector<std::size_t>& members) {
    std::map<std::string, std::vector<std::size_t>> children;
    for (const std::size_t index : members) {
        const RecordedSignal& signal = signals[index];
        if (consumed >= signal.scope.size()) {
            visitor.signal(index);
        } else {
            const std::size_t dot = signal.scope.find('.', consumed);
            children[signal.scope.substr(consumed, dot - consumed)].push_back(index);
        }
    }
    for (const auto& [name, inner] : children) {
        visitor.begin(name);
        visit(signals, visitor, consumed + name.size() + 1, inner);
        visitor.end();
    }
}

} // namespace

void visit_scopes(WaveFormat::Signals signals, const ScopeVisitor& visitor) {
    std::vector<std::size_t> all(signals.size());
    std::iota(all.begin(), all.end(), 0);
    visit(signals, visitor, 0, all);
}

std::unique_ptr<WaveFormat> make_wave_format(std::string_view name, OutputFile& file) {
    return name.ends_with(".fst") ? make_fst_format(file) : make_vcd_format(file);
}

} // namespace pes
