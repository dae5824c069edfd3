// SPDX-License-Identifier: Apache-2.0
#include "hw/common/register_map.h"

#include <gtest/gtest.h>

#include <array>

namespace pes {
namespace {

/// A device with a register of each kind of binding.
class Sample {
  public:
    Sample() : registers("sample", 0x100, describe()) {}

    std::uint64_t counter(Cycle at) const { return at + 0x1'0000'0000; }
    std::uint32_t element(unsigned index, Cycle /*at*/) const { return elements.at(index); }
    void set_element(unsigned index, std::uint32_t value, Cycle /*at*/) {
        elements.at(index) = value;
    }
    std::uint32_t lane(unsigned which) const { return 10 * which; }
    void set_lane(unsigned which, std::uint8_t value) { lane_write = {which, value}; }
    std::uint32_t taken() { return ++reads; }
    std::uint32_t next() const { return reads + 1; }
    void note(std::uint32_t value, Cycle at) { noted = {value, at}; }

    std::array<std::uint32_t, 3> elements{};
    std::pair<unsigned, std::uint8_t> lane_write{};
    std::pair<std::uint32_t, Cycle> noted{};
    std::uint32_t reads = 0;
    std::uint8_t plain = 0;
    RegisterBlock registers;

  private:
    std::vector<Register> describe() {
        RegisterMap<Sample> map(*this);
        map.reg("counter", 0x00).u64().words().read_only().read(&Sample::counter);
        map.reg("element", 0x10)
            .u32()
            .array(3, 8)
            .read(&Sample::element)
            .write(&Sample::set_element);
        for (const unsigned which : {1U, 2U}) {
            map.reg("lane", 0x40 + 4 * which)
                .u32()
                .read(&Sample::lane, which)
                .write(&Sample::set_lane, which);
        }
        map.reg("take", 0x60).u32().read_only().read(&Sample::taken).peek(&Sample::next);
        map.reg("plain", 0x70).u8().read(&Sample::plain).write(&Sample::plain);
        map.reg("stored", 0x74).u32().mask(0xF).reset(0x30).write(&Sample::note);
        map.reg("strobe", 0x78).u32().write_only();
        return map.take();
    }
};

std::uint64_t read(Sample& sample, Address offset, unsigned size, Cycle at = 0) {
    std::uint64_t value = 0;
    EXPECT_EQ(sample.registers.read(offset, size, value, at), AccessStatus::Ok);
    return value;
}

TEST(RegisterMap, AReadFunctionGetsTheCycleOfTheAccess) {
    Sample sample;
    EXPECT_EQ(read(sample, 0x00, 8, 7), 0x1'0000'0007U);
    EXPECT_EQ(read(sample, 0x04, 4, 7), 1U);
}

TEST(RegisterMap, FunctionsOfAnArrayGetTheIndex) {
    Sample sample;
    EXPECT_EQ(sample.registers.write(0x20, 4, 99, 0), AccessStatus::Ok);
    EXPECT_EQ(sample.elements, (std::array<std::uint32_t, 3>{0, 0, 99}));
    EXPECT_EQ(read(sample, 0x20, 4), 99U);
    std::uint64_t value = 0;
    EXPECT_EQ(sample.registers.read(0x14, 4, value, 0), AccessStatus::AddressError);
}

TEST(RegisterMap, BoundArgumentsComeBeforeThoseOfTheAccess) {
    Sample sample;
    EXPECT_EQ(read(sample, 0x48, 4), 20U);
    EXPECT_EQ(sample.registers.write(0x44, 4, 0x1FF, 0), AccessStatus::Ok);
    EXPECT_EQ(sample.lane_write, (std::pair<unsigned, std::uint8_t>{1, 0xFF}));
}

TEST(RegisterMap, ADebugAccessHasNoSideEffect) {
    Sample sample;
    std::uint64_t value = 0;
    EXPECT_EQ(sample.registers.peek(0x60, 4, value, 0), AccessStatus::Ok);
    EXPECT_EQ(value, 1U);
    EXPECT_EQ(sample.reads, 0U);
    EXPECT_EQ(read(sample, 0x60, 4), 1U);
    EXPECT_EQ(sample.reads, 1U);
}

TEST(RegisterMap, ADataMemberIsReadAndWritten) {
    Sample sample;
    EXPECT_EQ(sample.registers.write(0x70, 1, 0xAB, 0), AccessStatus::Ok);
    EXPECT_EQ(sample.plain, 0xAB);
    EXPECT_EQ(read(sample, 0x70, 1), 0xABU);
}

TEST(RegisterMap, WithoutAReadFunctionTheBlockStoresTheValue) {
    Sample sample;
    EXPECT_EQ(read(sample, 0x74, 4), 0x30U);
    EXPECT_EQ(sample.registers.write(0x74, 4, 0x7F, 5), AccessStatus::Ok);
    EXPECT_EQ(read(sample, 0x74, 4), 0x3FU);
    EXPECT_EQ(sample.noted, (std::pair<std::uint32_t, Cycle>{0x3F, 5}));
}

TEST(RegisterMap, RightsAreThoseOfTheRow) {
    Sample sample;
    std::uint64_t value = 0;
    EXPECT_EQ(sample.registers.read(0x78, 4, value, 0), AccessStatus::RightsError);
    EXPECT_EQ(sample.registers.write(0x00, 8, 0, 0), AccessStatus::RightsError);
    EXPECT_EQ(sample.registers.write(0x74, 2, 0, 0), AccessStatus::SizeError);
}

} // namespace
} // namespace pes
