// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/database.h"

#include "platform/host/user_error.h"

#include <sqlite3.h>

namespace pes::lab {

Statement::Statement(Database& database, std::string_view sql) : database_(database) {
    sqlite3_stmt* statement = nullptr;
    const int status = sqlite3_prepare_v2(database.handle(), sql.data(),
                                          static_cast<int>(sql.size()), &statement, nullptr);
    statement_.reset(statement);
    if (status != SQLITE_OK) {
        database.fail();
    }
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

void Statement::reset() {
    sqlite3_reset(statement_.get());
}

void Statement::bind_at(int place, std::int64_t value) {
    if (sqlite3_bind_int64(statement_.get(), place, value) != SQLITE_OK) {
        database_.fail();
    }
}

void Statement::bind_at(int place, double value) {
    if (sqlite3_bind_double(statement_.get(), place, value) != SQLITE_OK) {
        database_.fail();
    }
}

void Statement::bind_at(int place, std::string_view value) {
    if (sqlite3_bind_text(statement_.get(), place, value.data(), static_cast<int>(value.size()),
                          SQLITE_TRANSIENT) != SQLITE_OK) { // NOLINT: SQLite's own cast
        database_.fail();
    }
}

bool Statement::step() {
    const int status = sqlite3_step(statement_.get());
    if (status != SQLITE_ROW && status != SQLITE_DONE) {
        database_.fail();
    }
    return status == SQLITE_ROW;
}

void Statement::run() {
    while (step()) {
    }
    reset();
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const {
    return sqlite3_column_double(statement_.get(), column);
}

std::string Statement::text(int column) const {
    const unsigned char* text = sqlite3_column_text(statement_.get(), column);
    return text == nullptr ? std::string() : reinterpret_cast<const char*>(text);
}

Database::Database(const std::filesystem::path& file) : file_(file) {
    sqlite3* connection = nullptr;
    const int status = sqlite3_open(file.c_str(), &connection);
    connection_.reset(connection);
    if (status != SQLITE_OK) {
        fail();
    }
    sqlite3_busy_timeout(connection, 10'000);
    execute("PRAGMA synchronous=NORMAL");
}

void Database::Close::operator()(sqlite3* connection) const {
    sqlite3_close(connection);
}

void Database::execute(const std::string& sql) {
    if (sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
        fail();
    }
}

void Database::fail() const {
    throw UserError("results '" + file_.string() + "': " + sqlite3_errmsg(handle()));
}

Transaction::Transaction(Database& database) : database_(database) {
    database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
    if (open_) {
        sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
}

void Transaction::commit() {
    database_.execute("COMMIT");
    open_ = false;
}

} // namespace pes::lab
