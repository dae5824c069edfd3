// SPDX-License-Identifier: Apache-2.0
// A SQLite database for scripts and pandas: every sample with all its fields, the functions that
// samples and the exact profile refer to, calls, and the exact profile as it is in its file. Built
// in memory, because its file must be whole or not there at all. SQLite's integers are signed:
// addresses and numbers from 2^63 on are negative.
#include "decoder/export/formats.h"
#include "platform/host/csv_columns.h"
#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <concepts>
#include <memory>
#include <span>
#include <spdlog/fmt/fmt.h>
#include <sqlite3.h>
#include <sstream>

namespace pes {
namespace {

constexpr const char* kTables = R"(
CREATE TABLE functions(id INTEGER PRIMARY KEY, name TEXT NOT NULL, program TEXT, file TEXT,
    line INTEGER, address INTEGER NOT NULL);
CREATE TABLE samples(id INTEGER PRIMARY KEY, hart INTEGER NOT NULL, cycle INTEGER NOT NULL,
    counter INTEGER NOT NULL, event TEXT NOT NULL, selector INTEGER NOT NULL,
    privilege TEXT NOT NULL, pc INTEGER NOT NULL, function INTEGER NOT NULL REFERENCES functions,
    file TEXT, line INTEGER, weight INTEGER NOT NULL, threshold INTEGER NOT NULL,
    counter_value INTEGER NOT NULL, lost INTEGER NOT NULL, caused INTEGER NOT NULL,
    lengthened INTEGER NOT NULL, interrupted_pc INTEGER, data_address INTEGER, satp INTEGER);
CREATE TABLE calls(sample INTEGER NOT NULL REFERENCES samples, depth INTEGER NOT NULL,
    pc INTEGER NOT NULL, function INTEGER NOT NULL REFERENCES functions, file TEXT, line INTEGER,
    PRIMARY KEY(sample, depth)) WITHOUT ROWID;
)";

struct CloseDatabase {
    void operator()(sqlite3* connection) const { sqlite3_close(connection); }
};
struct CloseStatement {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Connection = std::unique_ptr<sqlite3, CloseDatabase>;

void require(int result, int expected, sqlite3* connection) {
    if (result == SQLITE_NOMEM) {
        throw std::bad_alloc();
    }
    if (result != expected) {
        throw UserError(fmt::format("cannot make the database: {}", sqlite3_errmsg(connection)));
    }
}

void execute(sqlite3* connection, const std::string& sql) {
    require(sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK,
            connection);
}

/// INSERT INTO a table, with a value for each column.
class Insertion {
  public:
    Insertion(sqlite3* connection, const char* table, std::size_t columns)
        : connection_(connection) {
        std::string sql = fmt::format("INSERT INTO {} VALUES(?", table);
        for (std::size_t i = 1; i < columns; ++i) {
            sql += ",?";
        }
        sqlite3_stmt* statement = nullptr;
        require(sqlite3_prepare_v2(connection, (sql + ")").c_str(), -1, &statement, nullptr),
                SQLITE_OK, connection);
        statement_.reset(statement);
    }

    template <typename... Values>
    void row(const Values&... values) {
        (add(values), ...);
        finish_row();
    }
    void add(std::integral auto value) {
        require(sqlite3_bind_int64(statement_.get(), ++column_, static_cast<sqlite3_int64>(value)),
                SQLITE_OK, connection_);
    }
    /// Nothing is NULL. The text lives until finish_row().
    void add(std::string_view text) {
        if (text.empty()) {
            ++column_; // has been NULL since the row before
            return;
        }
        require(sqlite3_bind_text64(statement_.get(), ++column_, text.data(), text.size(),
                                    SQLITE_STATIC, SQLITE_UTF8),
                SQLITE_OK, connection_);
    }
    void add(const std::optional<std::uint64_t>& value) {
        if (value) {
            add(*value);
        } else {
            ++column_;
        }
    }
    void finish_row() {
        require(sqlite3_step(statement_.get()), SQLITE_DONE, connection_);
        sqlite3_reset(statement_.get());
        sqlite3_clear_bindings(statement_.get());
        column_ = 0;
    }

  private:
    sqlite3* connection_;
    std::unique_ptr<sqlite3_stmt, CloseStatement> statement_;
    int column_ = 0;
};

std::optional<std::uint64_t> line_or_null(const RowPlace& place) {
    return place.line == 0 ? std::nullopt : std::optional<std::uint64_t>(place.line);
}

std::string_view privilege_name(std::uint8_t privilege) {
    switch (privilege) {
    case 0:
        return "U";
    case 1:
        return "S";
    case 3:
        return "M";
    default:
        return "?";
    }
}

void write_samples(sqlite3* connection, ExportData& data) {
    Insertion samples(connection, "samples", 20);
    Insertion calls(connection, "calls", 6);
    std::uint64_t id = 0;
    for (const ExportedSample& sample : data.samples()) {
        const SampleRecord& record = sample.record;
        const ExportedStack& stack = data.stacks()[sample.stack];
        const RowPlace& place = data.place(stack.front());
        const auto detail = [&](std::uint64_t SampleDetails::*member) {
            return sample.details ? std::optional((*sample.details).*member) : std::nullopt;
        };
        samples.row(++id, record.hart, record.cycle, record.counter,
                    std::string_view(data.events()[sample.event].name), record.event,
                    privilege_name(record.privilege), record.pc, data.function_at(record.pc),
                    std::string_view(place.file), line_or_null(place), sample.weight,
                    record.threshold, record.counter_value, record.lost,
                    (record.flags & kSampleCaused) != 0, (record.flags & kSampleLengthened) != 0,
                    detail(&SampleDetails::interrupted_pc), detail(&SampleDetails::data_address),
                    detail(&SampleDetails::satp));
        for (std::size_t depth = 1; depth < stack.size(); ++depth) {
            const RowPlace& call = data.place(stack[depth]);
            calls.row(id, depth, call.address, data.function_at(call.address),
                      std::string_view(call.file), line_or_null(call));
        }
    }
}

/// A column of any name.
std::string identifier(std::string_view name) {
    std::string text = "\"";
    for (const char c : name) {
        text += c == '"' ? "\"\"" : std::string(1, c);
    }
    return text + '"';
}

bool is_number_in_hex(std::string_view column) {
    return column == "pc" || column == "satp";
}

/// The columns of the file, and the function of the pc behind them.
void write_truth(sqlite3* connection, ExportData& data) {
    std::istringstream text(data.truth_text());
    std::string line;
    next_line(text, line);
    const CsvColumns columns(line);
    std::string sql = "CREATE TABLE truth(";
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string& name = columns.name(i);
        sql += fmt::format("{} {}, ", identifier(name), name == "privilege" ? "TEXT" : "NUMERIC");
    }
    execute(connection, sql + "function INTEGER NOT NULL REFERENCES functions)");
    Insertion rows(connection, "truth", columns.size() + 1);
    while (next_line(text, line)) {
        const std::vector<std::string_view> fields = fields_of(line); // as many: set_truth() says
        std::uint64_t pc = 0;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (!is_number_in_hex(columns.name(i))) {
                rows.add(fields[i]);
                continue;
            }
            const std::string_view digits = fields[i].substr(fields[i].starts_with("0x") ? 2 : 0);
            const std::optional<std::uint64_t> value = parse_digits(digits, 16);
            rows.add(value);
            pc = columns.name(i) == "pc" ? value.value_or(0) : pc;
        }
        rows.add(data.function_at(pc));
        rows.finish_row();
    }
}

void write_functions(sqlite3* connection, const ExportData& data) {
    Insertion functions(connection, "functions", 6);
    for (std::size_t i = 0; i < data.functions().size(); ++i) {
        const RowPlace& row = data.functions()[i];
        const std::string name = function_name(row);
        functions.row(i, std::string_view(name), std::string_view(row.program),
                      std::string_view(row.file), line_or_null(row), row.address);
    }
}

} // namespace

void export_sqlite(OutputFile& file, ExportData& data) {
    sqlite3* opened = nullptr;
    const int result = sqlite3_open(":memory:", &opened);
    const Connection connection(opened);
    require(result, SQLITE_OK, opened);
    execute(opened, std::string("BEGIN;") + kTables);
    write_samples(opened, data);
    if (data.has_truth()) {
        write_truth(opened, data);
    }
    write_functions(opened, data); // last: they are known now
    execute(opened, "COMMIT");

    sqlite3_int64 size = 0;
    const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> bytes(
        sqlite3_serialize(opened, "main", &size, 0), sqlite3_free);
    if (bytes == nullptr) {
        throw std::bad_alloc();
    }
    file.write(std::as_bytes(std::span(bytes.get(), static_cast<std::size_t>(size))));
}

} // namespace pes
