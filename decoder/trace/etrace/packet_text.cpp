// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/etrace/packet_text.h"

#include "decoder/trace/etrace/packet_quality.h"
#include "decoder/trace/output/append_text.h"

namespace pes::trace::etrace {
namespace {

constexpr const char* kQualStatus[] = {"no_change", "ended_rep", "trace_lost", "ended_ntr"};

void append_report(std::string& text, const Packet& packet) {
    if (packet.irreport) {
        append_text(text, ", irreport, irdepth {}", packet.irdepth);
    }
}

void append_address(std::string& text, const Packet& packet, bool full) {
    const auto difference = static_cast<std::int64_t>(packet.address);
    if (full) {
        append_text(text, " address {:#x}", packet.address);
    } else if (difference < 0) {
        append_text(text, " address -{:#x}", ~packet.address + 1);
    } else {
        append_text(text, " address +{:#x}", packet.address);
    }
    text += packet.notify ? ", notify" : "";
    text += packet.updiscon ? ", updiscon" : "";
    append_report(text, packet);
}

void append_branches(std::string& text, const Packet& packet) {
    append_text(text, " branches {}, branch_map ", packet.branches);
    for (unsigned branch = 0; branch < packet.branches; ++branch) {
        text += (packet.branch_map >> branch & 1) != 0 ? '1' : '0'; // the oldest first
    }
}

void append_extension(std::string& text, const Packet& packet, bool full) {
    if (packet.extension == Extension::BranchCount) {
        append_text(text, " branch_count {}, branch_fmt {}", packet.branch_count,
                    static_cast<unsigned>(packet.branch_format));
        if (packet.branch_format != BranchFormat::NoAddress) {
            text += ',';
            append_address(text, packet, full);
        }
        return;
    }
    append_text(text, " index {}", packet.index);
    if (packet.branches != 0) {
        text += ',';
        append_branches(text, packet);
    }
    append_report(text, packet);
}

void append_support(std::string& text, const Packet& packet) {
    append_text(text, " ienable {}, qual_status {}", packet.ienable ? 1 : 0,
                kQualStatus[static_cast<std::size_t>(packet.qual_status)]);
    const Options& options = packet.ioptions;
    text += options.implicit_return ? ", implicit return" : "";
    text += options.implicit_exception ? ", implicit exception" : "";
    text += options.full_address ? ", full address" : "";
    text += options.jump_target_cache ? ", jump target cache" : "";
    text += options.branch_prediction ? ", branch prediction" : "";
}

void append_sync(std::string& text, const Packet& packet) {
    if (packet.sync == Sync::Support) {
        append_support(text, packet);
        return;
    }
    if (packet.sync != Sync::Context) {
        append_text(text, " branch {},", packet.branch ? 1 : 0);
    }
    append_text(text, " privilege {}", packet.privilege);
    if (packet.sync == Sync::Trap) {
        append_text(text, ", ecause {}, interrupt {}, thaddr {}", packet.ecause,
                    packet.interrupt ? 1 : 0, packet.thaddr ? 1 : 0);
    }
    if (packet.sync != Sync::Context) {
        append_text(text, ", address {:#x}", packet.address);
    }
    if (packet.sync == Sync::Trap && !packet.interrupt) {
        append_text(text, ", tval {:#x}", packet.tval);
    }
}

} // namespace

void append_packet(std::string& text, std::uint64_t number, const PacketItem& item, bool full,
                   SourceColumn source, NextAddress next) {
    const Packet& packet = item.frame.packet;
    append_text(text, "Packet # {}, ", number);
    if (source == SourceColumn::Shown) {
        append_text(text, "Src: {}, ", item.frame.source);
    }
    if (item.time) {
        append_text(text, "Tics: {}, ", *item.time);
    }
    if (next.column == NextAddress::Column::Shown) {
        append_text(text, "NxtAddr: {:08x}, ", next.address.value_or(0));
    }
    append_text(text, "{}:", kind_name(kind_of(packet)));
    if (packet.format == Format::Sync) {
        append_sync(text, packet);
    } else if (packet.format == Format::Extension) {
        append_extension(text, packet, full);
    }
    if (packet.format == Format::Branch) {
        append_branches(text, packet);
        text += packet.has_address ? "," : "";
    }
    if (packet.format == Format::Address ||
        (packet.format == Format::Branch && packet.has_address)) {
        append_address(text, packet, full);
    }
    text += '\n';
}

} // namespace pes::trace::etrace
