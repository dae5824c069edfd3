// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/matrix.h"

#include "platform/config/config.h"
#include "platform/host/elf_file.h"
#include "platform/host/toml_file.h"
#include "platform/host/user_error.h"
#include "platform/profile/event_names.h"
#include "platform/sampling/decode_sampler.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>

namespace pes::lab {
namespace {

constexpr std::uint64_t kDefaultMaxCycles = 1'000'000'000;
constexpr std::uint64_t kDefaultMinEvents = 1000;
constexpr std::uint64_t kMostNumber = TomlValue::kMostInteger;
constexpr std::uint64_t kMostSpread = 100;

using Words = std::span<const std::string_view>;

template <typename Item, typename Names>
std::string names_of(const std::vector<Item>& items, Names name) {
    std::string text;
    for (const Item& item : items) {
        text += (text.empty() ? "" : ", ") + std::invoke(name, item);
    }
    return text;
}

class MatrixReader {
  public:
    MatrixReader(const std::filesystem::path& file, std::filesystem::path programs)
        : document_(TomlValue::read_file(file, "matrix")), folder_(std::move(programs)) {
        matrix_.file = file;
        if (folder_.empty()) {
            folder_ = file.parent_path();
        }
    }

    Matrix read() {
        constexpr std::array<std::string_view, 7> kKeys{
            "max_cycles", "min_events", "programs", "settings", "points", "deliveries", "skids"};
        document_.allow(kKeys);
        matrix_.max_cycles = number("max_cycles", kDefaultMaxCycles);
        matrix_.min_events = number("min_events", kDefaultMinEvents);
        read_programs();
        read_settings();
        read_deliveries();
        read_skids();
        for (const TomlValue& row : required_rows("points")) {
            read_points(row);
        }
        return std::move(matrix_);
    }

  private:
    std::uint64_t number(std::string_view key, std::uint64_t otherwise) const {
        const TomlValue value = document_[key];
        return value ? value.number(1, kMostNumber) : otherwise;
    }

    std::vector<TomlValue> required_rows(const char* key) const {
        std::vector<TomlValue> rows = document_[key].rows();
        if (rows.empty()) {
            document_.fail("there are no tables [[" + std::string(key) +
                           "]], expected at least one");
        }
        return rows;
    }

    /// An ELF file that is there and can be read as such.
    std::string elf(const TomlValue& value) const {
        const std::filesystem::path path = folder_ / value.text();
        try {
            ElfFile(path, "program");
        } catch (const UserError& error) {
            value.fail(error.what());
        }
        return path.string();
    }

    Guest guest(const TomlValue& row, std::string_view program) const {
        Guest guest;
        const auto take = [&](std::string_view key, std::string& to) {
            if (const TomlValue value = row[key]) {
                to = elf(value);
            }
        };
        take(program, guest.program);
        take("firmware", guest.firmware);
        take("kernel", guest.kernel);
        if (guest.program.empty() == guest.firmware.empty()) {
            row[program].fail("expected either '" + std::string(program) + "' or 'firmware'");
        }
        return guest;
    }

    static std::vector<std::string> assignments(const TomlValue& row) {
        const TomlValue set = row["set"];
        std::vector<std::string> assignments = set ? set.texts() : std::vector<std::string>{};
        checked(set, assignments);
        return assignments;
    }

    /// The configuration that they make.
    static PlatformConfig checked(const TomlValue& set,
                                  const std::vector<std::string>& assignments) {
        try {
            PlatformConfig config = make_config({}, assignments);
            validate(config);
            return config;
        } catch (const UserError& error) {
            set.fail(error.what());
        }
    }

    template <typename Item>
    static std::string new_name(const TomlValue& row, const std::vector<Item>& items) {
        const TomlValue value = row["name"];
        std::string name = value.text();
        if (name.empty() || std::ranges::find(items, name, &Item::name) != items.end()) {
            value.refuse("a name that no other has");
        }
        return name;
    }

    void read_programs() {
        constexpr std::array<std::string_view, 4> kKeys{"name", "elf", "firmware", "kernel"};
        for (const TomlValue& row : required_rows("programs")) {
            row.allow(kKeys);
            std::string name = new_name(row, matrix_.programs);
            matrix_.programs.push_back({std::move(name), guest(row, "elf")});
        }
    }

    void read_settings() {
        constexpr std::array<std::string_view, 2> kKeys{"name", "set"};
        for (const TomlValue& row : document_["settings"].rows()) {
            row.allow(kKeys);
            std::string name = new_name(row, matrix_.settings);
            add_settings(std::move(name), row["set"]);
        }
        if (matrix_.settings.empty()) {
            add_settings("default", document_["settings"]);
        }
    }

    void add_settings(std::string name, const TomlValue& set) {
        LabSettings settings{.name = std::move(name),
                             .assignments = set ? set.texts() : std::vector<std::string>{}};
        const PlatformConfig config = checked(set, settings.assignments);
        if (config.harts != 1) {
            set.refuse("one hart");
        }
        settings.pmu = config.counters.profile;
        settings.profile_file = config.profile_file;
        configs_.push_back(config);
        matrix_.settings.push_back(std::move(settings));
    }

    void read_deliveries() {
        constexpr std::array<std::string_view, 7> kKeys{"name", "elf",     "firmware", "kernel",
                                                        "set",  "without", "traps"};
        for (const TomlValue& row : document_["deliveries"].rows()) {
            row.allow(kKeys);
            DeliveryTrial trial;
            trial.delivery = row["name"].text();
            trial.sampling = guest(row, "elf");
            trial.plain = trial.sampling;
            (trial.plain.program.empty() ? trial.plain.kernel : trial.plain.program) =
                elf(row["without"]);
            trial.assignments = assignments(row);
            if (const TomlValue traps = row["traps"]) {
                trial.traps = static_cast<unsigned>(traps.number(1, 1000));
            }
            matrix_.deliveries.push_back(std::move(trial));
        }
    }

    void read_skids() {
        constexpr std::array<std::string_view, 5> kKeys{"name", "elf", "firmware", "kernel", "set"};
        for (const TomlValue& row : document_["skids"].rows()) {
            row.allow(kKeys);
            SkidTrial trial;
            trial.name = new_name(row, matrix_.skids);
            trial.guest = guest(row, "elf");
            trial.assignments = assignments(row);
            matrix_.skids.push_back(std::move(trial));
        }
    }

    /// The places of those that the list of `key` names; without the list all.
    template <typename Item>
    static std::vector<std::size_t> places(const TomlValue& row, std::string_view key,
                                           const std::vector<Item>& items) {
        std::vector<std::size_t> places;
        const TomlValue value = row[key];
        for (std::size_t i = 0; !value && i < items.size(); ++i) {
            places.push_back(i);
        }
        for (const std::string& name : value ? value.texts() : std::vector<std::string>{}) {
            const auto found = std::ranges::find(items, name, &Item::name);
            if (found == items.end()) {
                value.fail("unknown name '" + name + "' in " + std::string(key) +
                           ", expected one of " + names_of(items, &Item::name));
            }
            places.push_back(static_cast<std::size_t>(found - items.begin()));
        }
        return places;
    }

    static std::vector<const SamplingMethod*> methods(const TomlValue& value) {
        std::vector<const SamplingMethod*> methods;
        if (!value) {
            for (const SamplingMethod& method : sampling_methods()) {
                methods.push_back(&method);
            }
            return methods;
        }
        for (const std::string& name : value.texts()) {
            const SamplingMethod* method = find_method(name);
            if (method == nullptr) {
                value.fail("unknown method '" + name + "', expected one of " + method_names());
            }
            methods.push_back(method);
        }
        return methods;
    }

    LabEvent event(const TomlValue& value, const std::string& name, std::size_t settings) const {
        const CounterConfig& counters = configs_[settings].counters;
        const auto id = parse_event(*counters.profile, name);
        EventMask sources;
        if (id) {
            sources = id->kind == CounterKind::Cycles    ? event_bit(Event::Cycles)
                      : id->kind == CounterKind::Instret ? event_bit(Event::Instructions)
                                                         : sources_of(counters, id->selector);
        }
        if (!sources.any()) {
            value.fail("unknown event '" + name + "', expected one of profile '" +
                       counters.profile->name + "': " + known_event_names(*counters.profile));
        }
        return {name, *id, sources};
    }

    /// The methods that this platform cannot have.
    void require_possible(const TomlValue& value, const PointGroup& group) const {
        for (const std::size_t place : group.settings) {
            const PlatformConfig& config = configs_[place];
            for (const SamplingMethod* method : group.methods) {
                const std::string_view name = method->name;
                const bool fast_trace = method->trigger == SamplingMethod::Trigger::HalfWords &&
                                        config.hart.path == ExecutionPath::Fast;
                const char* missing = name == "lcofi" && !config.counters.sscofpmf
                                          ? "counters.sscofpmf = true"
                                      : fast_trace ? "hart.path other than fast"
                                      : samples_decoded(*method) && config.hart.extensions.smpdis
                                          ? "extensions.smpdis = false"
                                          : nullptr;
                if (missing != nullptr) {
                    value.fail("method '" + std::string(name) + "' is impossible with settings '" +
                               matrix_.settings[place].name + "', expected " + missing);
                }
            }
        }
    }

    /// Methods that are chosen by name must be able to sample the events.
    static void require_shown(const TomlValue& value, const PointGroup& group) {
        for (const SamplingMethod* method : group.methods) {
            for (const LabEvent& event : group.events) {
                if (!can_sample(*method, event.sources)) {
                    value.fail("event '" + event.name + "' is in no record of method '" +
                               method->name + "'");
                }
            }
        }
    }

    static std::vector<Rate> rates(const TomlValue& row) {
        std::vector<Rate> rates;
        const auto take = [&](std::string_view key, Rate::Kind kind) {
            if (const TomlValue value = row[key]) {
                for (const std::uint64_t number : value.numbers(1, kMostNumber)) {
                    rates.push_back({kind, number});
                }
            }
        };
        take("periods", Rate::Kind::Period);
        take("samples", Rate::Kind::Samples);
        if (rates.empty()) {
            row["samples"].fail("the table has no rate, expected a list 'periods' or 'samples'");
        }
        return rates;
    }

    void read_points(const TomlValue& row) {
        constexpr std::array<std::string_view, 8> kKeys{
            "programs", "settings", "methods", "events", "periods", "samples", "seeds", "spread"};
        row.allow(kKeys);
        PointGroup group;
        group.programs = places(row, "programs", matrix_.programs);
        group.settings = places(row, "settings", matrix_.settings);
        group.methods = methods(row["methods"]);
        require_possible(row["methods"] ? row["methods"] : row, group);
        const TomlValue events = row["events"];
        for (const std::string& name : events.texts()) {
            for (const std::size_t settings : group.settings) {
                const LabEvent found = event(events, name, settings);
                if (settings == group.settings.front()) {
                    group.events.push_back(found);
                } else if (found.id != group.events.back().id) {
                    events.fail("event '" + name + "' is not the same in all settings");
                }
            }
        }
        if (row["methods"]) {
            require_shown(events, group);
        }
        group.rates = rates(row);
        const TomlValue seeds = row["seeds"];
        group.seeds = seeds ? seeds.numbers(0, kMostNumber) : std::vector<std::uint64_t>{1};
        if (const TomlValue spread = row["spread"]) {
            group.spread = static_cast<unsigned>(spread.number(0, kMostSpread));
        }
        matrix_.groups.push_back(std::move(group));
    }

    TomlValue document_;
    std::filesystem::path folder_;
    Matrix matrix_;
    std::vector<PlatformConfig> configs_; ///< of matrix_.settings
};

} // namespace

std::vector<std::string> Guest::files() const {
    std::vector<std::string> files;
    for (const std::string& file : {program, firmware, kernel}) {
        if (!file.empty()) {
            files.push_back(file);
        }
    }
    return files;
}

std::vector<std::string> Guest::arguments() const {
    std::vector<std::string> arguments;
    if (!program.empty()) {
        arguments.push_back(program);
    }
    if (!firmware.empty()) {
        arguments.insert(arguments.end(), {"--firmware", firmware});
    }
    if (!kernel.empty()) {
        arguments.insert(arguments.end(), {"--kernel", kernel});
    }
    return arguments;
}

Matrix read_matrix(const std::filesystem::path& file, const std::filesystem::path& programs) {
    return MatrixReader(file, programs).read();
}

} // namespace pes::lab
