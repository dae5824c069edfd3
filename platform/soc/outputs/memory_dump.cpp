// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/outputs/memory_dump.h"

#include "platform/config/settings.h"
#include "platform/host/user_error.h"

namespace pes {
namespace {

struct Request {
    std::string symbol;
    std::optional<std::uint64_t> bytes;
    std::string file;
};

Request parse(const std::string& text) {
    const std::size_t at = text.find('@');
    if (at == std::string::npos || at == 0 || at + 1 == text.size()) {
        throw UserError("--dump: '" + text + "' is not valid, expected SYMBOL[:BYTES]@FILE");
    }
    Request request{text.substr(0, at), std::nullopt, text.substr(at + 1)};
    const std::size_t colon = request.symbol.find(':');
    if (colon != std::string::npos) {
        const std::string size = request.symbol.substr(colon + 1);
        request.bytes = parse_number(size, Format::Bytes);
        if (!request.bytes || *request.bytes == 0) {
            throw UserError("--dump: '" + size + "' in '" + text +
                            "' is not a size, expected a number of bytes");
        }
        request.symbol.resize(colon);
    }
    return request;
}

} // namespace

MemoryDump::MemoryDump(const std::string& request, const BootImage& boot, const MemoryRange& memory,
                       OutputSet& outputs) {
    const Request wanted = parse(request);
    const std::optional<SymbolPlace> place = boot.symbol(wanted.symbol);
    if (!place) {
        throw UserError("--dump: the program has no symbol '" + wanted.symbol + "'");
    }
    place_ = {place->address, wanted.bytes.value_or(place->size)};
    if (place_.size == 0) {
        throw UserError("--dump: the program does not say how large '" + wanted.symbol +
                        "' is, expected " + wanted.symbol + ":BYTES@FILE");
    }
    const Address offset = place_.address - memory.base;
    if (offset > memory.size || place_.size > memory.size - offset) {
        throw UserError("--dump: " + std::to_string(place_.size) + " bytes of '" + wanted.symbol +
                        "' do not lie in main memory");
    }
    file_ = outputs.open(wanted.file);
}

void MemoryDump::write(const GuestMemory& memory) const {
    if (const auto bytes = memory.at(place_.address, place_.size)) {
        file_->write(*bytes);
    }
}

} // namespace pes
