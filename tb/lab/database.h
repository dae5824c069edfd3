// SPDX-License-Identifier: Apache-2.0
// SQLite with owners: a connection, its statements and transactions. What SQLite refuses is a
// UserError that names the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace pes::lab {

class Database;

/// A prepared statement. Parameters are bound in their order; step() gives rows.
class Statement {
  public:
    Statement(Database& database, std::string_view sql);

    template <typename... Values>
    Statement& bind(const Values&... values) {
        reset();
        int place = 0;
        (bind_at(++place, values), ...);
        return *this;
    }
    bool step(); ///< true: there is a row
    void run();  ///< to its end

    std::int64_t integer(int column) const;
    std::uint64_t number(int column) const { return static_cast<std::uint64_t>(integer(column)); }
    double real(int column) const;
    std::string text(int column) const;

  private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };

    void reset();
    void bind_at(int place, std::int64_t value);
    void bind_at(int place, std::uint64_t value) {
        bind_at(place, static_cast<std::int64_t>(value));
    }
    void bind_at(int place, unsigned value) { bind_at(place, std::int64_t{value}); }
    void bind_at(int place, int value) { bind_at(place, std::int64_t{value}); }
    void bind_at(int place, double value);
    void bind_at(int place, std::string_view value);
    void bind_at(int place, const std::string& value) { bind_at(place, std::string_view(value)); }
    void bind_at(int place, const char* value) { bind_at(place, std::string_view(value)); }

    Database& database_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
  public:
    /// Makes the file if it is not there. A transaction is durable when it is committed, whatever
    /// ends the process.
    explicit Database(const std::filesystem::path& file);

    void execute(const std::string& sql);
    [[noreturn]] void fail() const;
    sqlite3* handle() const { return connection_.get(); }

  private:
    struct Close {
        void operator()(sqlite3* connection) const;
    };

    std::filesystem::path file_;
    std::unique_ptr<sqlite3, Close> connection_;
};

/// Rolled back unless it is committed.
class Transaction {
  public:
    explicit Transaction(Database& database);
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction();

    void commit();

  private:
    Database& database_;
    bool open_ = true;
};

} // namespace pes::lab
