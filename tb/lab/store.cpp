// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/store.h"

#include "platform/host/user_error.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace pes::lab {
namespace {

constexpr const char* kVersion = "1";

constexpr const char* kSchema = R"(
CREATE TABLE IF NOT EXISTS lab (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS run (
    key TEXT PRIMARY KEY, program TEXT NOT NULL, settings TEXT NOT NULL,
    cycles INTEGER NOT NULL, instructions INTEGER NOT NULL, half_words INTEGER NOT NULL,
    host_seconds REAL NOT NULL);
CREATE TABLE IF NOT EXISTS run_event (
    run TEXT NOT NULL, event TEXT NOT NULL, total INTEGER NOT NULL, PRIMARY KEY (run, event));
CREATE TABLE IF NOT EXISTS point (
    key TEXT PRIMARY KEY, run TEXT NOT NULL, method TEXT NOT NULL, event TEXT NOT NULL,
    period INTEGER NOT NULL, spread INTEGER NOT NULL, seed INTEGER NOT NULL,
    samples INTEGER NOT NULL, lost INTEGER NOT NULL, host_seconds REAL NOT NULL);
CREATE TABLE IF NOT EXISTS error (
    point TEXT NOT NULL, grouping TEXT NOT NULL, profile REAL NOT NULL, statistical REAL NOT NULL,
    bound REAL NOT NULL, systematic REAL NOT NULL, PRIMARY KEY (point, grouping));
CREATE TABLE IF NOT EXISTS cost (
    key TEXT PRIMARY KEY, delivery TEXT NOT NULL, cycles_sampling INTEGER NOT NULL,
    cycles_plain INTEGER NOT NULL, samples INTEGER NOT NULL, lost INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS skid (
    key TEXT NOT NULL, name TEXT NOT NULL, event TEXT NOT NULL, crossings INTEGER NOT NULL,
    delivered INTEGER NOT NULL, located INTEGER NOT NULL, at_cause INTEGER NOT NULL,
    wrong_line INTEGER NOT NULL, wrong_block INTEGER NOT NULL, wrong_function INTEGER NOT NULL,
    PRIMARY KEY (key, event));
CREATE TABLE IF NOT EXISTS skid_distance (
    key TEXT NOT NULL, event TEXT NOT NULL, unit TEXT NOT NULL, distance INTEGER NOT NULL,
    samples INTEGER NOT NULL, PRIMARY KEY (key, event, unit, distance));
)";

constexpr const char* kTables[] = {"run",  "run_event", "point",        "error",
                                   "cost", "skid",      "skid_distance"};

GroupBy grouping_of(const std::string& name) {
    return *std::ranges::find_if(kGroupings, [&](GroupBy by) { return name == to_string(by); });
}

} // namespace

double CostResult::cycles_per_sample() const {
    const auto more = static_cast<double>(cycles_sampling) - static_cast<double>(cycles_plain);
    return samples == 0 ? 0 : more / static_cast<double>(samples);
}

Store::Store(const std::filesystem::path& file) : database_(file) {
    Transaction transaction(database_);
    database_.execute(kSchema);
    Statement(database_, "INSERT OR IGNORE INTO lab VALUES ('version', ?)").bind(kVersion).run();
    Statement version(database_, "SELECT value FROM lab WHERE key = 'version'");
    if (version.bind().step() && version.text(0) != kVersion) {
        throw UserError("results '" + file.string() + "' are of version " + version.text(0) +
                        ", expected " + kVersion);
    }
    transaction.commit();
}

std::optional<RunResult> Store::run(std::string_view key) {
    Statement query(database_, "SELECT key, program, settings, cycles, instructions, half_words, "
                               "host_seconds FROM run WHERE key = ?");
    if (!query.bind(key).step()) {
        return std::nullopt;
    }
    RunResult run{.key = query.text(0),
                  .program = query.text(1),
                  .settings = query.text(2),
                  .cycles = query.number(3),
                  .instructions = query.number(4),
                  .half_words = query.number(5),
                  .host_seconds = query.real(6)};
    Statement events(database_, "SELECT event, total FROM run_event WHERE run = ?");
    for (events.bind(key); events.step();) {
        run.events[events.text(0)] = events.number(1);
    }
    return run;
}

bool Store::has_point(std::string_view key) {
    return Statement(database_, "SELECT 1 FROM point WHERE key = ?").bind(key).step();
}

std::optional<PointResult> Store::point(std::string_view key) {
    Statement query(database_, "SELECT key, run, method, event, period, spread, seed, samples, "
                               "lost, host_seconds FROM point WHERE key = ?");
    if (!query.bind(key).step()) {
        return std::nullopt;
    }
    PointResult point{.key = query.text(0),
                      .run = query.text(1),
                      .method = query.text(2),
                      .event = query.text(3),
                      .period = query.number(4),
                      .spread = static_cast<unsigned>(query.integer(5)),
                      .seed = query.number(6),
                      .samples = query.number(7),
                      .lost = query.number(8),
                      .host_seconds = query.real(9)};
    Statement errors(database_, "SELECT grouping, profile, statistical, bound, systematic "
                                "FROM error WHERE point = ?");
    for (errors.bind(key); errors.step();) {
        point.errors[grouping_of(errors.text(0))] = {.profile = errors.real(1),
                                                     .statistical = errors.real(2),
                                                     .bound = errors.real(3),
                                                     .systematic = errors.real(4)};
    }
    return point;
}

std::optional<CostResult> Store::cost(std::string_view key) {
    Statement query(database_, "SELECT key, delivery, cycles_sampling, cycles_plain, samples, lost "
                               "FROM cost WHERE key = ?");
    if (!query.bind(key).step()) {
        return std::nullopt;
    }
    return CostResult{.key = query.text(0),
                      .delivery = query.text(1),
                      .cycles_sampling = query.number(2),
                      .cycles_plain = query.number(3),
                      .samples = query.number(4),
                      .lost = query.number(5)};
}

std::vector<SkidResult> Store::skids(std::string_view key) {
    std::vector<SkidResult> skids;
    Statement query(database_,
                    "SELECT key, name, event, crossings, delivered, located, at_cause, wrong_line, "
                    "wrong_block, wrong_function FROM skid WHERE key = ? ORDER BY event");
    Statement distances(database_, "SELECT unit, distance, samples FROM skid_distance "
                                   "WHERE key = ? AND event = ?");
    for (query.bind(key); query.step();) {
        SkidResult skid{.key = query.text(0),
                        .name = query.text(1),
                        .event = query.text(2),
                        .crossings = query.number(3),
                        .delivered = query.number(4),
                        .located = query.number(5),
                        .at_cause = query.number(6),
                        .wrong_line = query.number(7),
                        .wrong_block = query.number(8),
                        .wrong_function = query.number(9)};
        for (distances.bind(key, skid.event); distances.step();) {
            auto& histogram = distances.text(0) == "cycles" ? skid.cycles : skid.instructions;
            histogram[distances.integer(1)] = distances.number(2);
        }
        skids.push_back(std::move(skid));
    }
    return skids;
}

void Store::add(const RunResult& run) {
    Statement(database_, "INSERT OR REPLACE INTO run VALUES (?, ?, ?, ?, ?, ?, ?)")
        .bind(run.key, run.program, run.settings, run.cycles, run.instructions, run.half_words,
              run.host_seconds)
        .run();
}

void Store::add_event(std::string_view run, const std::string& event, std::uint64_t total) {
    Statement(database_, "INSERT OR REPLACE INTO run_event VALUES (?, ?, ?)")
        .bind(run, event, total)
        .run();
}

void Store::add(const PointResult& point) {
    Transaction transaction(database_);
    Statement(database_, "INSERT INTO point VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .bind(point.key, point.run, point.method, point.event, point.period, point.spread,
              point.seed, point.samples, point.lost, point.host_seconds)
        .run();
    Statement error(database_, "INSERT INTO error VALUES (?, ?, ?, ?, ?, ?)");
    for (const auto& [grouping, figures] : point.errors) {
        error
            .bind(point.key, to_string(grouping), figures.profile, figures.statistical,
                  figures.bound, figures.systematic)
            .run();
    }
    transaction.commit();
}

void Store::add(const CostResult& cost) {
    Statement(database_, "INSERT INTO cost VALUES (?, ?, ?, ?, ?, ?)")
        .bind(cost.key, cost.delivery, cost.cycles_sampling, cost.cycles_plain, cost.samples,
              cost.lost)
        .run();
}

void Store::add_skids(std::string_view key, const std::vector<SkidResult>& skids) {
    Transaction transaction(database_);
    Statement histogram(database_, "INSERT INTO skid VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    Statement distance(database_, "INSERT INTO skid_distance VALUES (?, ?, ?, ?, ?)");
    for (const SkidResult& skid : skids) {
        histogram
            .bind(key, skid.name, skid.event, skid.crossings, skid.delivered, skid.located,
                  skid.at_cause, skid.wrong_line, skid.wrong_block, skid.wrong_function)
            .run();
        for (const auto& [unit, bars] :
             {std::pair("instructions", &skid.instructions), std::pair("cycles", &skid.cycles)}) {
            for (const auto& [behind, samples] : *bars) {
                distance.bind(key, skid.event, unit, behind, samples).run();
            }
        }
    }
    transaction.commit();
}

void Store::merge(const std::filesystem::path& other) {
    Store check(other); // of this version
    Statement(database_, "ATTACH DATABASE ? AS other").bind(other.string()).run();
    {
        Transaction transaction(database_);
        for (const char* table : kTables) {
            database_.execute(
                fmt::format("INSERT OR IGNORE INTO main.{0} SELECT * FROM other.{0}", table));
        }
        transaction.commit();
    }
    database_.execute("DETACH DATABASE other");
}

} // namespace pes::lab
