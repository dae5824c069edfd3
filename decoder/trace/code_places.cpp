// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/code_places.h"

#include <spdlog/fmt/fmt.h>

namespace pes::trace {

const CodePlace& CodePlaces::find(Address address) {
    if (const auto known = places_.find(address); known != places_.end()) {
        return known->second;
    }
    if (places_.size() == kMostPlaces) {
        places_.clear();
    }
    CodePlace place;
    place.in_program = program_.is_code(address);
    if (place.in_program) {
        place.function = program_.find_function(address);
        place.source = program_.find_line(address);
        place.published =
            fmt::format(" ffl:{}:{}:{}", place.source.file,
                        place.function == nullptr ? "" : place.function->symbol, place.source.line);
    }
    return places_.emplace(address, std::move(place)).first->second;
}

} // namespace pes::trace
