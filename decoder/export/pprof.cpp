// SPDX-License-Identifier: Apache-2.0
// pprof's profile.proto (github.com/google/pprof/proto/profile.proto), compressed with gzip. Each
// sampled event is a sample type, and so are the exact cycles and retired instructions, which are
// samples without callers. Field numbers are those of profile.proto.
#include "decoder/export/formats.h"
#include "decoder/export/protobuf.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <zlib.h>

namespace pes {
namespace {

std::string gzip(std::string text) {
    constexpr int kGzipHeader = 16; // added to the window bits; its time stays 0
    z_stream stream{};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipHeader, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::bad_alloc();
    }
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    std::string out;
    std::vector<char> piece(kPiece);
    int result = Z_OK;
    for (std::size_t begin = 0; result != Z_STREAM_END;) {
        if (stream.avail_in == 0) {
            stream.avail_in = static_cast<uInt>(std::min(kPiece, text.size() - begin));
            stream.next_in = reinterpret_cast<Bytef*>(text.data() + begin);
            begin += stream.avail_in;
        }
        stream.next_out = reinterpret_cast<Bytef*>(piece.data());
        stream.avail_out = kPiece;
        result = deflate(&stream, begin == text.size() ? Z_FINISH : Z_NO_FLUSH);
        out.append(piece.data(), kPiece - stream.avail_out);
    }
    deflateEnd(&stream);
    return out;
}

/// Numbers in profile.proto are signed.
std::uint64_t int64(std::uint64_t value) {
    return std::min(value, ~std::uint64_t{0} >> 1);
}

class Pprof {
  public:
    explicit Pprof(ExportData& data) : data_(data) {
        string(""); // the first one, by definition
        for (const ExportedEvent& event : data.events()) {
            add_type(event.name);
        }
        if (data.has_truth()) {
            add_type("exact_cycles");
            add_type("exact_instructions");
        }
    }

    std::string wire() {
        collect();
        for (const auto& [stack, values] : values_) {
            ProtobufMessage sample;
            std::vector<std::uint64_t> locations;
            for (const std::size_t place : stack) {
                locations.push_back(location(place));
            }
            profile_.message(2, sample.numbers(1, locations).numbers(2, values));
        }
        add_mappings();
        add_functions();
        for (const std::string_view text : strings_) {
            profile_.bytes(6, text);
        }
        if (!data_.events().empty()) {
            profile_.number(14, string(data_.events().front().name)); // default_sample_type
        }
        return profile_.wire();
    }

  private:
    using Values = std::vector<std::uint64_t>;

    std::uint64_t string(const std::string& text) {
        const auto [known, is_new] = known_strings_.try_emplace(text, strings_.size());
        if (is_new) {
            strings_.push_back(known->first);
        }
        return known->second;
    }

    void add_type(const std::string& name) {
        ProtobufMessage type;
        profile_.message(1, type.number(1, string(name)).number(2, string("count")));
        ++types_;
    }

    void add(const ExportedStack& stack, std::size_t type, std::uint64_t value) {
        Values& values = values_[stack];
        values.resize(types_);
        values[type] = int64(saturating_sum(values[type], value));
    }

    void collect() {
        for (const ExportedSample& sample : data_.samples()) {
            add(data_.stacks()[sample.stack], sample.event, sample.weight);
        }
        if (data_.has_truth()) {
            const std::array measures = {measure_of(data_.pmu(), {CounterKind::Cycles, 0}),
                                         retired_instructions()};
            for (std::size_t i = 0; i < measures.size(); ++i) {
                for (const auto& [pc, count] : data_.exact(measures[i])) {
                    add({data_.place_at(pc)}, types_ - measures.size() + i, count);
                }
            }
        }
    }

    /// The id of a place; written when it is asked for first.
    std::uint64_t location(std::size_t place) {
        const auto [known, is_new] = locations_.try_emplace(place, locations_.size() + 1);
        if (is_new) {
            const RowPlace& row = data_.place(place);
            ProtobufMessage line;
            line.number(1, data_.function_at(row.address) + 1).number(2, row.line);
            ProtobufMessage location;
            location.number(1, known->second)
                .number(2, mapping(row.program))
                .number(3, row.address)
                .message(4, line);
            profile_.message(4, location);
        }
        return known->second;
    }

    /// Ids begin with 1, in the order of the programs; 0: none.
    std::uint64_t mapping(const std::string& program) const {
        const auto& programs = data_.programs();
        const auto found =
            std::find_if(programs.begin(), programs.end(),
                         [&](const ElfProgram& each) { return each.path() == program; });
        return found == programs.end() ? 0
                                       : static_cast<std::uint64_t>(found - programs.begin()) + 1;
    }

    void add_mappings() {
        for (std::size_t i = 0; i < data_.programs().size(); ++i) {
            const ElfProgram& program = data_.programs()[i];
            const auto [begin, end] = program.code_range();
            ProtobufMessage mapping;
            mapping.number(1, i + 1).number(2, begin).number(3, end);
            mapping.number(5, string(program.path()));
            mapping.number(7, program.has_functions() ? 1 : 0);
            mapping.number(8, program.has_lines() ? 1 : 0);
            mapping.number(9, program.has_lines() ? 1 : 0);
            profile_.message(3, mapping);
        }
    }

    void add_functions() {
        for (std::size_t i = 0; i < data_.functions().size(); ++i) {
            const RowPlace& row = data_.functions()[i];
            const std::uint64_t name = string(function_name(row));
            ProtobufMessage function;
            function.number(1, i + 1).number(2, name).number(3, name);
            function.number(4, string(row.file)).number(5, row.line);
            profile_.message(5, function);
        }
    }

    ExportData& data_;
    ProtobufMessage profile_;
    std::size_t types_ = 0;
    std::map<ExportedStack, Values> values_;
    std::unordered_map<std::size_t, std::uint64_t> locations_;
    std::unordered_map<std::string, std::uint64_t> known_strings_;
    std::vector<std::string_view> strings_; ///< keys of the map, which stay where they are
};

} // namespace

void export_pprof(OutputFile& file, ExportData& data) {
    file.write(gzip(Pprof(data).wire()));
}

} // namespace pes
