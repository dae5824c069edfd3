// SPDX-License-Identifier: Apache-2.0
// Packets as bytes. The bytes are worked out by hand from the tables of the specifications; the
// fields are named beside them, the first one in the lowest bits.
#include "hw/interface/trace/etrace/frame.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

namespace pes::trace::etrace {
namespace {

std::vector<std::uint8_t> bytes_of(const Packet& packet, const Framing& framing = {},
                                   const Parameters& parameters = {}) {
    const PackedMessage packed = pack_frame({.packet = packet}, framing, parameters);
    return {packed.view().begin(), packed.view().end()};
}

using Bytes = std::vector<std::uint8_t>;

/// Both ways.
void expect(const Packet& packet, const Bytes& bytes, const Parameters& parameters = {}) {
    EXPECT_EQ(bytes_of(packet, {}, parameters), bytes);
    Frame frame;
    const FrameResult result = parse_frame(bytes, {}, parameters, frame);
    EXPECT_EQ(result.status, FrameStatus::Packet);
    EXPECT_EQ(result.size, bytes.size());
    EXPECT_EQ(frame.packet, packet);
}

TEST(ETraceFrame, SupportPacketWithoutOptionsIsOneByte) {
    // format 11, subformat 11, ienable 1, then zeros: 1'1111, and a 0 that stands for all of them
    Packet packet;
    packet.sync = Sync::Support;
    packet.ienable = true;
    expect(packet, {0x01, 0x1F});
}

TEST(ETraceFrame, SupportPacketHasOptionsInTheReferenceFlowsOrder) {
    // 11, 11, ienable 0, encoder_mode 0, qual_status 10 from bit 6, ioptions from bit 8: implicit
    // return is its bit 0, full address its bit 2
    Packet packet;
    packet.sync = Sync::Support;
    packet.qual_status = QualStatus::TraceLost;
    packet.ioptions.implicit_return = true;
    packet.ioptions.full_address = true;
    expect(packet, {0x02, 0x8F, 0x05});
}

TEST(ETraceFrame, StartPacketHasTheWholeAddress) {
    // 11, 00, branch 1, privilege 11, address 0x8000'0000 >> 1 from bit 7: 0x20'0000'0073
    Packet packet;
    packet.privilege = 3;
    packet.address = 0x8000'0000;
    expect(packet, {0x05, 0x73, 0x00, 0x00, 0x00, 0x20});
}

TEST(ETraceFrame, AddressesOfKernelsAreShort) {
    // As above with privilege 01 and branch 0, address 0xFFFF'FFFF'FFFF'FFF0 >> 1: ones from bit 10
    Packet packet;
    packet.branch = false;
    packet.privilege = 1;
    packet.address = ~Address{0} - 15;
    expect(packet, {0x02, 0x23, 0xFC});
}

TEST(ETraceFrame, TrapPacketOfAnInterruptHasNoTval) {
    // 11, 01, branch 1, privilege 11, ecause 7 (6 bits), interrupt 1, thaddr 1, 0x100 >> 1 from 15
    Packet packet;
    packet.sync = Sync::Trap;
    packet.privilege = 3;
    packet.ecause = 7;
    packet.interrupt = true;
    packet.thaddr = true;
    packet.address = 0x100;
    expect(packet, {0x03, 0xF7, 0x63, 0x40});
}

TEST(ETraceFrame, TrapPacketOfAnExceptionEndsInTval) {
    // 11, 01, branch 1, privilege 00, ecause 2, interrupt 0, thaddr 0: 0x117; address 2 >> 1 = bit
    // 15; tval 1 = bit 15 + 63
    Packet packet;
    packet.sync = Sync::Trap;
    packet.ecause = 2;
    packet.address = 2;
    packet.tval = 1;
    expect(packet, {0x0A, 0x17, 0x81, 0, 0, 0, 0, 0, 0, 0, 0x40});
}

TEST(ETraceFrame, ContextPacketHasPrivilegeAlone) {
    // 11, 10, privilege 01: 01'1011
    Packet packet;
    packet.sync = Sync::Context;
    packet.privilege = 1;
    expect(packet, {0x01, 0x1B});
}

TEST(ETraceFrame, SmallDifferencesOfFormat2AreOneByte) {
    // 10, address -0x10 >> 1 = ...1000; notify, updiscon and irreport repeat its sign: ...1110'0010
    Packet packet;
    packet.format = Format::Address;
    packet.address = ~Address{0} - 15;
    expect(packet, {0x01, 0xE2});
}

TEST(ETraceFrame, NotifyAndUpdisconDifferFromTheBitBefore) {
    // 10, address 4 >> 1 = 2 in 7 bits: 0'0000'1010; notify 0, updiscon 1, irreport 1, irdepth 11
    Parameters parameters{.iaddress_width = 8, .return_stack_size = 1};
    Packet packet;
    packet.format = Format::Address;
    packet.address = 4;
    packet.updiscon = true;
    expect(packet, {0x02, 0x0A, 0xFC}, parameters);
    // notify 1, updiscon 1, irreport 1, irdepth 11
    packet.notify = true;
    packet.updiscon = false;
    expect(packet, {0x02, 0x0A, 0xFE}, parameters);
    // notify 1, updiscon 0: the same and another change; irreport 0, irdepth 00
    packet.updiscon = true;
    expect(packet, {0x02, 0x0A, 0x02}, parameters);
}

TEST(ETraceFrame, DepthOfReturnsIsSentIfItIsReported) {
    // 10, address 2 >> 1 in 15 bits, notify 0, updiscon 0, irreport 1, irdepth 01 (2 bits)
    const Parameters parameters{.iaddress_width = 16, .return_stack_size = 1};
    Packet packet;
    packet.format = Format::Address;
    packet.address = 2;
    packet.irreport = true;
    packet.irdepth = 1;
    expect(packet, {0x03, 0x06, 0x00, 0x18}, parameters);
}

TEST(ETraceFrame, BranchMapHasTheWidthOfItsStep) {
    // 01, branches 3 (5 bits), branch_map 101 (3 bits), address 4 >> 1 from bit 10
    Packet packet;
    packet.format = Format::Branch;
    packet.branches = 3;
    packet.branch_map = 5;
    packet.has_address = true;
    packet.address = 4;
    expect(packet, {0x02, 0x8D, 0x0A});
    // branches 4: branch_map 0101 has 7 bits, the address is from bit 14
    packet.branches = 4;
    expect(packet, {0x03, 0x91, 0x82, 0x00});
}

TEST(ETraceFrame, FullBranchMapWithoutAddressHasNoCount) {
    // 01, branches 0, 31 ones
    Packet packet;
    packet.format = Format::Branch;
    packet.branches = 31;
    packet.branch_map = 0x7FFF'FFFF;
    expect(packet, {0x01, 0x81});
    packet.branch_map = 0; // all taken
    expect(packet, {0x01, 0x01});
    packet.branch_map = 0x4000'0000; // the newest is not taken: bit 7 + 30
    expect(packet, {0x05, 0x01, 0x00, 0x00, 0x00, 0x20 | 0xC0});
}

TEST(ETraceFrame, FullBranchMapWithAddressHasTheCount31) {
    // 01, branches 11111, 31 zeros, address 2 >> 1 in bit 38
    Packet packet;
    packet.format = Format::Branch;
    packet.branches = 31;
    packet.has_address = true;
    packet.address = 2;
    expect(packet, {0x05, 0x7D, 0x00, 0x00, 0x00, 0x40});
}

Packet branch_count(std::uint32_t count, BranchFormat format = BranchFormat::NoAddress) {
    Packet packet;
    packet.format = Format::Extension;
    packet.extension = Extension::BranchCount;
    packet.branch_count = count;
    packet.branch_format = format;
    return packet;
}
Packet jump_target(std::uint32_t index) {
    Packet packet;
    packet.format = Format::Extension;
    packet.extension = Extension::JumpTarget;
    packet.index = index;
    return packet;
}

TEST(ETraceFrame, BranchCountWithoutAddressIsAsLongAsTheCount) {
    // 00, subformat 0 (1 bit), branch_count 5, branch_fmt 00
    expect(branch_count(5), {0x01, 0x28});
    expect(branch_count(0), {0x01, 0x00});
    expect(branch_count(0xFFFF'FFFF), {0x05, 0xF8, 0xFF, 0xFF, 0xFF, 0x07});
    // without a subformat if there is no jump target cache
    expect(branch_count(5), {0x01, 0x14}, {.bpred_size = 6, .cache_size = 0, .f0s_width = 0});
}

TEST(ETraceFrame, BranchCountWithAddressSaysWhetherItsBranchFailed) {
    // 00, 0, branch_count 1 from bit 3, branch_fmt 10 from bit 35, address 4 >> 1 from bit 37
    Packet packet = branch_count(1, BranchFormat::Address);
    packet.address = 4;
    expect(packet, {0x05, 0x08, 0x00, 0x00, 0x00, 0x50});
    packet.branch_format = BranchFormat::AddressMissed; // 11
    expect(packet, {0x05, 0x08, 0x00, 0x00, 0x00, 0x58});
}

TEST(ETraceFrame, JumpTargetHasIndexAndBranches) {
    // 00, subformat 1, index 3 (5 bits), branches 0
    expect(jump_target(3), {0x01, 0x1C});
    // index 10011, branches 2 from bit 8, branch_map 011 from bit 13
    Packet packet = jump_target(19);
    packet.branches = 2;
    packet.branch_map = 3;
    expect(packet, {0x02, 0x9C, 0x62});
    // irreport differs from the 0 before it, irdepth 000001
    packet.irreport = true;
    packet.irdepth = 1;
    expect(packet, {0x03, 0x9C, 0x62, 0x03});
    // 00, 1, index 11'0000'0000 (10 bits), branches 31 from bit 13, branch_map 1010 from bit 18
    packet = jump_target(768);
    packet.branches = 31;
    packet.branch_map = 10;
    expect(packet, {0x03, 0x04, 0xF8, 0x2B}, {.cache_size = 10});
}

TEST(ETraceFrame, SourceAndTimestampStandBeforeThePayload) {
    // srcID 101, timestamp 0xAB, the support packet 1'1111 from bit 11; one byte of payload and the
    // three bits of srcID are two bytes of length
    Packet packet;
    packet.sync = Sync::Support;
    packet.ienable = true;
    const Framing framing{.source_bits = 3, .timestamp_bytes = 1};
    const PackedMessage packed =
        pack_frame({.source = 5, .timestamp = 0x1AB, .packet = packet}, framing, {});
    const Bytes bytes{packed.view().begin(), packed.view().end()};
    EXPECT_EQ(bytes, (Bytes{0x82, 0x5D, 0xFD, 0x00}));
    Frame frame;
    EXPECT_EQ(parse_frame(bytes, framing, {}, frame).status, FrameStatus::Packet);
    EXPECT_EQ(frame, (Frame{.source = 5, .timestamp = 0xAB, .packet = packet}));
}

TEST(ETraceFrame, WholeBytesOfTheSourceAreNotInTheLength) {
    Packet packet;
    packet.sync = Sync::Support;
    packet.ienable = true;
    const PackedMessage packed =
        pack_frame({.source = 0x102, .timestamp = {}, .packet = packet}, {.source_bits = 9}, {});
    // 9 bits of srcID: one byte counted apart, one bit with the payload: 1'1111 behind it
    EXPECT_EQ((Bytes{packed.view().begin(), packed.view().end()}), (Bytes{0x01, 0x02, 0x3F}));
}

TEST(ETraceFrame, SynchronisationIsLongerThanAnyPacketsZeros) {
    const Framing framing{.source_bits = 8, .timestamp_bytes = 5};
    const PackedMessage packed = pack_synchronisation(framing);
    ASSERT_EQ(packed.size, 31U + 5 + 1 + 1); // N + 1, N = 31 + T + S
    for (std::size_t byte = 0; byte + 1 < packed.size; ++byte) {
        EXPECT_EQ(packed.bytes[byte], 0x00); // null.idle
    }
    EXPECT_EQ(packed.bytes[packed.size - 1], 0x80); // null.alignment
    Frame frame;
    const FrameResult result = parse_frame(packed.view(), framing, {}, frame);
    EXPECT_EQ(result.status, FrameStatus::Idle);
    EXPECT_EQ(result.size, packed.size);
}

TEST(ETraceFrame, WhatIsNoPacketIsSaid) {
    Frame frame;
    const auto status = [&frame](const Bytes& bytes) {
        return parse_frame(bytes, {}, {}, frame).status;
    };
    EXPECT_EQ(status({}), FrameStatus::Incomplete);
    EXPECT_EQ(status({0x02, 0x1F}), FrameStatus::Incomplete);
    EXPECT_EQ(status({0x60, 0x00}), FrameStatus::Idle);    // flow is not looked at
    EXPECT_EQ(status({0x81, 0x1F}), FrameStatus::Unknown); // a timestamp of no bytes
    EXPECT_EQ(status({0x05, 0x00, 0x00, 0x00, 0x00, 0x08}), FrameStatus::Unknown); // branch_fmt 01
    const Parameters no_tables{.bpred_size = 0, .cache_size = 0, .f0s_width = 0};
    EXPECT_EQ(parse_frame(Bytes{0x01, 0x00}, {}, no_tables, frame).status, FrameStatus::Unknown);
    EXPECT_EQ(status({0x01, 0x3F}), FrameStatus::Unknown); // encoder_mode 1
    EXPECT_EQ(status({0x04, 0x1F, 0x00, 0x40, 0x00}), FrameStatus::TooLong);
    EXPECT_EQ(status({0x05, 0x01, 0x00, 0x00, 0x00, 0x80}), FrameStatus::Padding);
}

Packet random_packet(std::mt19937_64& random, const Parameters& widths) {
    const auto bits = [&](unsigned width) {
        const std::uint64_t value = random() >> (random() % 64);
        return width == 0 ? 0 : value & ~std::uint64_t{0} >> (64 - width);
    };
    Packet packet;
    packet.format = static_cast<Format>(random() % 4);
    const Address address = bits(widths.address_field()) << widths.iaddress_lsb;
    if (packet.format == Format::Sync) {
        packet.sync = static_cast<Sync>(random() % 4);
        if (packet.sync == Sync::Support) {
            packet.ienable = bits(1) != 0;
            packet.qual_status = static_cast<QualStatus>(bits(2));
            packet.ioptions.implicit_return = bits(1) != 0;
            packet.ioptions.branch_prediction = bits(1) != 0;
            return packet;
        }
        packet.privilege = static_cast<std::uint8_t>(bits(widths.privilege_width));
        packet.time = bits(widths.time_width);
        packet.context = bits(widths.context_width);
        if (packet.sync == Sync::Context) {
            return packet;
        }
        packet.branch = bits(1) != 0;
        packet.address = address;
        if (packet.sync == Sync::Trap) {
            packet.ecause = static_cast<std::uint16_t>(bits(widths.ecause_width));
            packet.interrupt = bits(1) != 0;
            packet.thaddr = bits(1) != 0;
            packet.tval = packet.interrupt ? 0 : bits(widths.iaddress_width);
        }
        return packet;
    }
    if (packet.format == Format::Extension) {
        packet.extension = static_cast<Extension>(
            widths.f0s_width != 0 ? bits(1) : (widths.cache_size != 0 ? 1 : 0));
        if (packet.extension == Extension::BranchCount) {
            packet.branch_count = static_cast<std::uint32_t>(bits(32));
            packet.branch_format = std::array{BranchFormat::NoAddress, BranchFormat::Address,
                                              BranchFormat::AddressMissed}[random() % 3];
            if (packet.branch_format == BranchFormat::NoAddress) {
                return packet;
            }
        } else {
            packet.index = static_cast<std::uint32_t>(bits(widths.cache_size));
            packet.branches = static_cast<std::uint8_t>(bits(5));
            packet.branch_map = static_cast<std::uint32_t>(bits(packet.branches));
        }
    }
    if (packet.format == Format::Branch) {
        packet.has_address = bits(1) != 0;
        packet.branches = packet.has_address ? static_cast<std::uint8_t>(1 + random() % 31) : 31;
        packet.branch_map = static_cast<std::uint32_t>(bits(packet.branches));
        if (!packet.has_address) {
            return packet;
        }
    }
    if (packet.format != Format::Extension || packet.extension == Extension::BranchCount) {
        packet.address = address;
        packet.notify = bits(1) != 0;
        packet.updiscon = bits(1) != 0;
    }
    packet.irreport = widths.irdepth_width() != 0 && bits(1) != 0;
    packet.irdepth = packet.irreport ? static_cast<std::uint32_t>(bits(widths.irdepth_width())) : 0;
    return packet;
}

TEST(ETraceFrame, EveryPacketComesBackInEveryWidth) {
    std::mt19937_64 random(42);
    constexpr Parameters kTables[] = {{.bpred_size = 3, .cache_size = 0, .f0s_width = 0},
                                      {.bpred_size = 0, .cache_size = 9, .f0s_width = 0},
                                      {.bpred_size = 12, .cache_size = 1, .f0s_width = 1},
                                      {.bpred_size = 6, .cache_size = 12, .f0s_width = 2}};
    for (int trial = 0; trial < 20'000; ++trial) {
        const std::size_t table = random() % std::size(kTables);
        const Parameters widths{.iaddress_width = 8 + static_cast<unsigned>(random() % 57),
                                .iaddress_lsb = static_cast<unsigned>(random() % 3),
                                .privilege_width = 1 + static_cast<unsigned>(random() % 3),
                                .ecause_width = 1 + static_cast<unsigned>(random() % 7),
                                .context_width = static_cast<unsigned>(random() % 33),
                                .time_width = static_cast<unsigned>(random() % 40),
                                .return_stack_size = static_cast<unsigned>(random() % 6),
                                .bpred_size = kTables[table].bpred_size,
                                .cache_size = kTables[table].cache_size,
                                .f0s_width = kTables[table].f0s_width};
        const Framing framing{.source_bits = static_cast<unsigned>(random() % 17),
                              .timestamp_bytes = static_cast<unsigned>(random() % 9)};
        Frame frame{.source =
                        static_cast<std::uint16_t>(random() & ((1U << framing.source_bits) - 1)),
                    .timestamp = {},
                    .packet = random_packet(random, widths)};
        if (framing.timestamp_bytes != 0 && random() % 2 == 0) {
            frame.timestamp = random() >> (64 - 8 * framing.timestamp_bytes);
        }
        const PackedMessage packed = pack_frame(frame, framing, widths);
        Frame back;
        const FrameResult result = parse_frame(packed.view(), framing, widths, back);
        ASSERT_EQ(result.status, FrameStatus::Packet) << trial;
        ASSERT_EQ(result.size, packed.size);
        ASSERT_EQ(back, frame) << trial;
        for (std::size_t size = 0; size < packed.size; ++size) {
            ASSERT_EQ(parse_frame(packed.view().first(size), framing, widths, back).status,
                      FrameStatus::Incomplete);
        }
    }
}

} // namespace
} // namespace pes::trace::etrace
