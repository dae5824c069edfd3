// SPDX-License-Identifier: Apache-2.0
#include "platform/config/core_package.h"

#include "hw/interface/riscv/isa.h"
#include "platform/config/package_reader.h"
#include "platform/config/settings.h"
#include "platform/host/user_error.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <optional>

namespace pes {
namespace {

using Effect = PackageParameter::Effect;
using Scale = PackageParameter::Scale;
using Member = PackageFile::Member;

constexpr std::string_view kStructure = "cva6_user_cfg_t";
constexpr std::string_view kIsa = "hart.isa";

const PackageParameter* find_parameter(std::string_view name) {
    const std::span<const PackageParameter> all = package_parameters();
    const auto found = std::ranges::find(all, name, &PackageParameter::name);
    return found == all.end() ? nullptr : &*found;
}

/// The number that the setting gets; nothing if there is none.
std::optional<std::int64_t> scaled(std::int64_t number, Scale scale) {
    constexpr std::int64_t kBitsOfByte = 8;
    switch (scale) {
    case Scale::None:
        return number;
    case Scale::Half:
        return number % 2 == 0 ? std::optional(number / 2) : std::nullopt;
    case Scale::Bytes:
        return number % kBitsOfByte == 0 ? std::optional(number / kBitsOfByte) : std::nullopt;
    case Scale::PowerOfTwo:
        return number >= 0 && number < 63 ? std::optional(std::int64_t{1} << number) : std::nullopt;
    case Scale::Flag:
        return number == 0 || number == 1 ? std::optional(number) : std::nullopt;
    case Scale::NotFlag:
        return number == 0 || number == 1 ? std::optional(1 - number) : std::nullopt;
    }
    return std::nullopt;
}

bool is_flag(Scale scale) {
    return scale == Scale::Flag || scale == Scale::NotFlag;
}

/// As the setting is written.
std::string text_of(std::int64_t number, Scale scale) {
    return is_flag(scale) ? (number != 0 ? "true" : "false") : std::to_string(number);
}

/// In front of what the setting expects.
std::string_view relation(Scale scale) {
    switch (scale) {
    case Scale::None:
        return "";
    case Scale::Half:
        return "a number whose half is ";
    case Scale::Bytes:
        return "a number of bits whose eighth is ";
    case Scale::PowerOfTwo:
        return "an exponent of two for ";
    case Scale::Flag:
        return "1 or 0: ";
    case Scale::NotFlag:
        return "0 or 1: not ";
    }
    return "";
}

/// "RVB", "zba_zbb": what parse_isa() makes of the names.
IsaSet extensions_of(std::string_view names) {
    return parse_isa("rv64ic_" + std::string(names)).isa.extensions.without(IsaExtension::C);
}

/// Goes through the parameters of a file and gathers what becomes of them.
class Translation {
  public:
    Translation(const std::filesystem::path& file, const Isa& isa)
        : file_(file, kStructure), isa_(isa) {}

    CorePackage run() {
        for (const Member& member : file_.members()) {
            translate(member);
        }
        take_isa();
        if (unknown_count_ > kMostNamed) {
            unknown_ += fmt::format(" and {} more", unknown_count_ - kMostNamed);
        }
        if (!unknown_.empty()) {
            add(problems_, unknown_ + " is not known, expected parameters of CVA6", "; ");
        }
        if (!problems_.empty()) {
            throw UserError(file_.path().string() + ": the model is not this core: " + problems_);
        }
        return std::move(package_);
    }

  private:
    void translate(const Member& member) {
        const PackageParameter* const row = find_parameter(member.name);
        if (row == nullptr) {
            if (++unknown_count_ <= kMostNamed) {
                add(unknown_, fmt::format("'{:.64}' in line {}", member.name, member.line), ", ");
            }
            return;
        }
        if (row->effect == Effect::Elsewhere) {
            add(package_.elsewhere, member.name, ", ");
            return;
        }
        const PackageValue value = file_.value(member);
        switch (row->effect) {
        case Effect::Sets:
            set(member, *row, value);
            return;
        case Effect::Extends:
            extend(member, *row, value);
            return;
        case Effect::Fixed:
            if (value.text() != row->target) {
                refuse(member, value, row->target, row->meaning);
            }
            return;
        case Effect::Note:
            if (value.text() != row->target) {
                note(member, value, row->meaning);
            }
            return;
        case Effect::Elsewhere:
            return;
        }
    }

    static void add(std::string& to, std::string_view text, std::string_view between) {
        to.append(to.empty() ? "" : between).append(text);
    }

    void refuse(const Member& member, const PackageValue& value, std::string_view expected,
                std::string_view why) {
        add(problems_,
            fmt::format("{} = {} in line {}, expected {} ({})", member.name, value.text(),
                        member.line, expected, why),
            "; ");
    }

    void note(const Member& member, const PackageValue& value, std::string_view text) {
        package_.notes.push_back(fmt::format("{}:{}: {} = {}: {}", file_.path().string(),
                                             member.line, member.name, value.text(), text));
    }

    /// On a configuration of its own: all mistakes of a file are told at once.
    void set(const Member& member, const PackageParameter& row, const PackageValue& value) {
        const Setting& setting = *find_setting(row.target);
        const auto refuse_range = [&] {
            refuse(member, value, fmt::format("{}{}", relation(row.scale), expectation(setting)),
                   row.target);
        };
        const std::optional<std::int64_t> number =
            value.is_name() ? std::nullopt : scaled(value.number, row.scale);
        if (!number) {
            refuse_range();
            return;
        }
        const std::string text = text_of(*number, row.scale);
        try {
            assign(setting, scratch_, text, file_.path().string());
        } catch (const UserError&) {
            refuse_range();
            return;
        }
        package_.assignments.push_back(fmt::format("{}={}", row.target, text));
        if (!row.usual.empty() && value.text() != row.usual) {
            note(member, value, row.meaning);
        }
    }

    void extend(const Member& member, const PackageParameter& row, const PackageValue& value) {
        if (value.text() != "0" && value.text() != "1") {
            refuse(member, value, "0 or 1", row.meaning);
            return;
        }
        has_isa_ = true;
        // 'd' brings 'f' along, and only what is its own goes with it.
        const IsaSet all = extensions_of(row.name == kCryptography ? zkn() : row.target);
        const IsaSet own = row.target == "d" ? IsaSet(IsaExtension::D) : all;
        (value.number != 0 ? present_ : absent_) |= own;
    }

    /// ALUBypass is the first parameter that came after the whole of Zkn.
    std::string_view zkn() const {
        const auto names = [](const Member& member) { return member.name == "ALUBypass"; };
        return std::ranges::any_of(file_.members(), names) ? "zkn" : "zbkb";
    }

    /// Extensions that the package does not name stay as they are.
    void take_isa() {
        if (!has_isa_) {
            return;
        }
        using enum IsaExtension;
        Isa isa = isa_;
        isa.extensions = isa.extensions.without(absent_.without(present_));
        isa.extensions |= present_;
        if (!isa.has(Zbb)) { // CVA6 decodes cryptography with bit manipulation only
            isa.extensions = isa.extensions.without(extensions_of("zkn"));
        }
        if (isa.has(D) && !isa.has(F)) {
            add(problems_, "RVD = 1 with RVF = 0, expected both (double precision needs single)",
                "; ");
        }
        package_.assignments.push_back(fmt::format("{}={}", kIsa, isa_string(isa)));
    }

    static constexpr std::string_view kCryptography = "ZKN";

    PackageFile file_;
    Isa isa_;
    PlatformConfig scratch_;
    CorePackage package_;
    std::string problems_; ///< of the sentence that refuses the file
    static constexpr std::size_t kMostNamed = 10;
    std::string unknown_;
    std::size_t unknown_count_ = 0;
    IsaSet present_;
    IsaSet absent_;
    bool has_isa_ = false;
};

} // namespace

CorePackage read_core_package(const std::filesystem::path& file, const Isa& isa) {
    return Translation(file, isa).run();
}

std::vector<std::string> with_core_package(std::span<const std::string> assignments,
                                           const Isa& isa) {
    const std::string prefix = std::string(kCorePackageKey) + "=";
    std::string file;
    std::vector<std::string> others;
    for (const std::string& assignment : assignments) {
        if (assignment.starts_with(prefix)) {
            file = assignment.substr(prefix.size());
        } else {
            others.push_back(assignment);
        }
    }
    std::vector<std::string> all =
        file.empty() ? std::vector<std::string>{} : core_package_settings(file, isa);
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

std::vector<std::string> core_package_settings(const std::filesystem::path& file, const Isa& isa) {
    CorePackage package = read_core_package(file, isa);
    for (const std::string& note : package.notes) {
        spdlog::warn("{}", in_one_line(note));
    }
    if (!package.elsewhere.empty()) {
        spdlog::info("{}: parameters without effect: {}", in_one_line(file.string()),
                     package.elsewhere);
    }
    return std::move(package.assignments);
}

} // namespace pes
