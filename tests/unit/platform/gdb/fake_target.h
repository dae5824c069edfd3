// SPDX-License-Identifier: Apache-2.0
// A machine of two harts with a few bytes of memory.
#pragma once

#include "platform/gdb/target.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

namespace pes::gdb::test {

class FakeTarget final : public Target {
  public:
    static constexpr Address kMemory = 0x1000;

    unsigned harts() const override { return 2; }
    std::string describe(unsigned hart) override { return hart == 0 ? "awake" : "asleep"; }
    const std::vector<RegisterDescription>& registers() const override { return list_; }
    std::optional<std::uint64_t> read_register(unsigned hart, unsigned number) override {
        const auto found = values.find({hart, number});
        return number <= kPc           ? std::optional(found == values.end() ? 0 : found->second)
               : found == values.end() ? std::nullopt
                                       : std::optional(found->second);
    }
    bool write_register(unsigned hart, unsigned number, std::uint64_t value) override {
        const bool there = number <= kPc || values.contains({hart, number});
        if (there) {
            values[{hart, number}] = value;
        }
        return there;
    }
    std::size_t read_memory(unsigned, Address address, std::span<std::byte> bytes) override {
        const std::size_t count = there(address, bytes.size());
        std::copy_n(memory.data() + (address - kMemory), count, bytes.data());
        return count;
    }
    bool write_memory(unsigned, Address address, std::span<const std::byte> bytes) override {
        if (there(address, bytes.size()) != bytes.size()) {
            return false;
        }
        std::ranges::copy(bytes, memory.data() + (address - kMemory));
        return true;
    }
    bool insert(const Point& point) override {
        points.push_back(point);
        return point.address != 0;
    }
    bool remove(const Point& point) override { return std::erase(points, point) != 0; }
    std::string command(unsigned hart, std::string_view line) override {
        return line == "long" ? std::string(20'000, 'x')
                              : std::to_string(hart) + " " + std::string(line) + "\n";
    }

    std::map<std::pair<unsigned, unsigned>, std::uint64_t> values;
    std::array<std::byte, 64> memory{};
    std::vector<Point> points;

  private:
    std::size_t there(Address address, std::size_t size) const {
        const Address offset = address - kMemory;
        return offset >= memory.size() ? 0 : std::min(size, memory.size() - offset);
    }

    std::vector<RegisterDescription> list_{{kFirstCsr + 1, "fflags"},
                                           {kFirstCsr + 0x300, "mstatus"}};
};

} // namespace pes::gdb::test
