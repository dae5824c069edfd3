// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/program/code_places.h"

#include <algorithm>
#include <spdlog/fmt/fmt.h>

namespace pes::trace {

void CodePlaces::own(const Ownership& ownership) {
    if (ownership.names_process()) {
        spaces_.enter(ownership.source, ownership.context);
    }
}

const CodePlace& CodePlaces::find(std::uint16_t source, Address address) {
    const std::size_t space = spaces_.of(source);
    auto& places = places_[space];
    if (const auto known = places.find(address); known != places.end()) {
        return known->second;
    }
    if (places.size() == kMostPlaces) {
        places.clear();
    }
    const AddressSpaces::Context context = spaces_.context(space);
    CodePlace place;
    place.in_program =
        std::any_of(programs().begin(), programs().end(), [&](const ElfProgram& program) {
            return program.file().belongs_to(context) && program.is_code(address);
        });
    if (place.in_program) {
        Location location = symbols_.find(address, context);
        place.function = location.function;
        place.source = std::move(location.source);
        place.published =
            fmt::format(" ffl:{}:{}:{}", place.source.file,
                        place.function == nullptr ? "" : place.function->symbol, place.source.line);
    }
    return places.emplace(address, std::move(place)).first->second;
}

} // namespace pes::trace
