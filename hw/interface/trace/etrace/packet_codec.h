// SPDX-License-Identifier: Apache-2.0
// The layout of a payload, written once: code_packet() hands the fields of a packet to a coder in
// the order of transmission. A coder that writes takes their values, one that reads sets them:
//
//   void number(T& value, unsigned bits)   an integer, an enumeration or a bool
//   void flag(bool& set)                   a bit that differs from the one before it if `set`
//   void fill(unsigned bits)               bits like the one before them
//   void refuse()                          the fields so far are no packet
#pragma once

#include "hw/interface/trace/etrace/packet.h"

#include <array>

namespace pes::trace::etrace {

/// Width of the field branch_map for so many branches.
constexpr unsigned branch_map_bits(unsigned branches) {
    constexpr std::array<unsigned, 5> kWidths{1, 3, 7, 15, 31};
    for (const unsigned width : kWidths) {
        if (branches <= width) {
            return branches == 0 ? 0 : width;
        }
    }
    return 0;
}

template <typename Coder, typename AnyPacket>
void code_report(Coder& coder, AnyPacket& packet, const Parameters& widths) {
    coder.flag(packet.irreport);
    if (packet.irreport) {
        coder.number(packet.irdepth, widths.irdepth_width());
    } else {
        coder.fill(widths.irdepth_width());
    }
}

/// The address of formats 0 to 2, and what stands behind it.
template <typename Coder, typename AnyPacket>
void code_address(Coder& coder, AnyPacket& packet, const Parameters& widths) {
    coder.address(packet.address, widths);
    coder.flag(packet.notify);
    coder.flag(packet.updiscon);
    code_report(coder, packet, widths);
}

template <typename Coder, typename AnyPacket>
void code_support(Coder& coder, AnyPacket& packet) {
    constexpr unsigned kDataTrace = 6; // denable, dloss, doptions: there is no data trace
    coder.number(packet.ienable, 1);
    coder.number(packet.encoder_mode, 1);
    coder.number(packet.qual_status, 2);
    coder.number(packet.ioptions.implicit_return, 1);
    coder.number(packet.ioptions.implicit_exception, 1);
    coder.number(packet.ioptions.full_address, 1);
    coder.number(packet.ioptions.jump_target_cache, 1);
    coder.number(packet.ioptions.branch_prediction, 1);
    coder.zeros(kDataTrace);
}

template <typename Coder, typename AnyPacket>
void code_sync(Coder& coder, AnyPacket& packet, const Parameters& widths) {
    coder.number(packet.sync, 2);
    if (packet.sync == Sync::Support) {
        code_support(coder, packet);
        return;
    }
    if (packet.sync != Sync::Context) {
        coder.number(packet.branch, 1);
    }
    coder.number(packet.privilege, widths.privilege_width);
    coder.number(packet.time, widths.time_width);
    coder.number(packet.context, widths.context_width);
    if (packet.sync == Sync::Trap) {
        coder.number(packet.ecause, widths.ecause_width);
        coder.number(packet.interrupt, 1);
        coder.number(packet.thaddr, 1);
    }
    if (packet.sync != Sync::Context) {
        coder.address(packet.address, widths);
    }
    if (packet.sync == Sync::Trap && !packet.interrupt) {
        coder.number(packet.tval, widths.iaddress_width);
    }
}

template <typename Coder, typename AnyPacket>
void code_branch(Coder& coder, AnyPacket& packet, const Parameters& widths) {
    coder.branches(packet.branches, packet.has_address);
    coder.number(packet.branch_map, branch_map_bits(packet.branches));
    if (packet.has_address) {
        code_address(coder, packet, widths);
    }
}

template <typename Coder, typename AnyPacket>
void code_extension(Coder& coder, AnyPacket& packet, const Parameters& widths) {
    if (widths.bpred_size == 0 && widths.cache_size == 0) {
        coder.refuse(); // neither of the two is there
        return;
    }
    if (widths.f0s_width != 0) {
        coder.number(packet.extension, widths.f0s_width);
    } else {
        coder.assume(packet.extension,
                     widths.cache_size != 0 ? Extension::JumpTarget : Extension::BranchCount);
    }
    if (packet.extension == Extension::BranchCount) {
        coder.number(packet.branch_count, 32);
        coder.number(packet.branch_format, 2);
        if (packet.branch_format != BranchFormat::NoAddress) {
            code_address(coder, packet, widths);
        }
        return;
    }
    coder.number(packet.index, widths.cache_size);
    coder.number(packet.branches, 5);
    coder.number(packet.branch_map, branch_map_bits(packet.branches));
    code_report(coder, packet, widths);
}

template <typename Coder, typename AnyPacket>
void code_packet(Coder& coder, AnyPacket& packet, const Parameters& widths) {
    coder.number(packet.format, 2);
    switch (packet.format) {
    case Format::Sync:
        code_sync(coder, packet, widths);
        break;
    case Format::Address:
        code_address(coder, packet, widths);
        break;
    case Format::Branch:
        code_branch(coder, packet, widths);
        break;
    case Format::Extension:
        code_extension(coder, packet, widths);
        break;
    }
}

} // namespace pes::trace::etrace
