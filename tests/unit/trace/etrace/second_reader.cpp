// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/trace/etrace/second_reader.h"

#include "hw/interface/riscv/instruction_class.h"

namespace pes::trace::test {
namespace {

constexpr unsigned kAddressBits = 63; // iaddress_width 64 less iaddress_lsb 1
constexpr unsigned kDepthBits = 6;    // irdepth: return_stack_size 5 + 1
constexpr unsigned kCauseBits = 6;
constexpr std::size_t kReturns = 32;    // 2**return_stack_size
constexpr unsigned kIndexBits = 5;      // of a jump target
constexpr unsigned kPredictorMask = 63; // its states less 1
constexpr unsigned kTargetsMask = 31;   // jump targets less 1

/// A payload as a list of bits, with its sign beyond the end.
class BitList {
  public:
    explicit BitList(std::span<const std::uint8_t> bytes) {
        for (const std::uint8_t byte : bytes) {
            for (unsigned bit = 0; bit < 8; ++bit) {
                bits_.push_back((byte >> bit & 1) != 0);
            }
        }
    }
    std::uint64_t next(unsigned count) {
        std::uint64_t value = 0;
        for (unsigned bit = 0; bit < count; ++bit, ++place_) {
            const bool set = place_ < bits_.size() ? bits_[place_] : bits_.back();
            value += set ? std::uint64_t{1} << bit : 0;
        }
        return value;
    }

  private:
    std::vector<bool> bits_;
    std::size_t place_ = 0;
};

unsigned map_width(std::uint64_t branches) {
    return branches == 0   ? 31
           : branches == 1 ? 1
           : branches < 4  ? 3
           : branches < 8  ? 7
           : branches < 16 ? 15
                           : 31;
}

using AllFields = std::map<std::string, std::uint64_t>;

/// "te_inst.irreport != get_preceding_bit(te_inst, "irreport")"
bool irreport(const AllFields& te_inst) {
    if (!te_inst.contains("irreport")) {
        return false;
    }
    if (te_inst.contains("updiscon")) {
        return te_inst.at("irreport") != te_inst.at("updiscon");
    }
    const std::uint64_t branches = te_inst.at("branches"); // of a jump target index
    const std::uint64_t preceding =
        branches == 0 ? 0 : te_inst.at("branch_map") >> (map_width(branches) - 1) & 1;
    return te_inst.at("irreport") != preceding;
}

} // namespace

SecondReader::Fields SecondReader::fields_of(std::span<const std::uint8_t> payload) {
    BitList bits(payload);
    Fields fields;
    const auto field = [&](const char* name, unsigned width) { fields[name] = bits.next(width); };
    const auto address = [&] {
        field("address", kAddressBits);
        field("notify", 1);
        field("updiscon", 1);
        field("irreport", 1);
        field("irdepth", kDepthBits);
    };
    field("format", 2);
    if (fields["format"] == 0) {
        field("subformat", 1);
        if (fields["subformat"] == 0) {
            field("branch_count", 32);
            field("branch_fmt", 2);
            if (fields["branch_fmt"] != 0) {
                address();
            }
            return fields;
        }
        field("index", kIndexBits);
        field("branches", 5);
        if (fields["branches"] != 0) {
            field("branch_map", map_width(fields["branches"]));
        }
        field("irreport", 1);
        field("irdepth", kDepthBits);
    } else if (fields["format"] == 1) {
        field("branches", 5);
        field("branch_map", map_width(fields["branches"]));
        if (fields["branches"] != 0) {
            address();
        }
    } else if (fields["format"] == 2) {
        address();
    } else if (fields["format"] == 3) {
        field("subformat", 2);
        if (fields["subformat"] == 3) {
            field("ienable", 1);
            field("encoder_mode", 1);
            field("qual_status", 2);
            field("ioptions", 5);
            return fields;
        }
        if (fields["subformat"] != 2) {
            field("branch", 1);
        }
        field("privilege", 2);
        if (fields["subformat"] == 1) {
            field("ecause", kCauseBits);
            field("interrupt", 1);
            field("thaddr", 1);
        }
        if (fields["subformat"] != 2) {
            field("address", kAddressBits);
        }
    }
    return fields;
}

void SecondReader::read(std::span<const std::uint8_t> bytes, unsigned timestamp_bytes) {
    std::size_t place = 0;
    while (place < bytes.size() && error.empty()) {
        const std::uint8_t header = bytes[place++];
        const std::size_t length = header % 32;
        if (length == 0) {
            continue; // a null packet
        }
        place += header >= 128 ? timestamp_bytes : 0;
        if (place + length > bytes.size()) {
            return fail("the stream ends inside a packet");
        }
        process_te_inst(fields_of(bytes.subspan(place, length)));
        place += length;
    }
}

void SecondReader::process_te_inst(const Fields& te_inst) {
    te_inst_ = &te_inst;
    const std::uint64_t format = te_inst.at("format");
    if (format == 3) {
        const std::uint64_t subformat = te_inst.at("subformat");
        if (subformat == 3) {
            return process_support(te_inst);
        }
        if (subformat == 2) {
            return;
        }
        if (subformat == 1 && te_inst.at("thaddr") == 0) {
            predictor_.clear();
            jump_targets_.clear();
            return; // nothing has retired
        }
        inferred_address_ = false;
        address_ = te_inst.at("address") << 1;
        if (subformat == 1 || start_of_trace_) {
            branch_map_.clear();
            counted_ = 0;
            last_fails_ = false;
        }
        if (is_branch(address_)) {
            branch_map_.push_back(te_inst.at("branch") != 0);
        }
        if (subformat == 0 && !start_of_trace_) {
            follow_execution_path(address_, te_inst);
        } else {
            pc_ = address_;
            retired.push_back(pc_);
            last_pc_ = pc_;
        }
        privilege_ = te_inst.at("privilege");
        return_stack_.clear();
        start_of_trace_ = false;
        predictor_.clear();
        jump_targets_.clear();
        return;
    }
    if (start_of_trace_) {
        return fail("Expecting trace to start with format 3");
    }
    if (inferred_address_) { // first, since it may put its target into the cache
        const Address previous_address = pc_;
        while (error.empty() && inferred_address_) {
            inferred_address_ = !next_pc(previous_address);
            retired.push_back(pc_);
        }
    }
    if (format == 0) {
        return process_extension(te_inst);
    }
    if (format == 2 || te_inst.at("branches") != 0) {
        stop_at_last_branch_ = false;
        const Address field = te_inst.at("address") << 1;
        address_ = full_address_ ? field : address_ + field;
    }
    if (format == 1) {
        const std::uint64_t branches = te_inst.at("branches");
        stop_at_last_branch_ = branches == 0;
        for (unsigned bit = 0; bit < (branches == 0 ? 31 : branches); ++bit) {
            branch_map_.push_back((te_inst.at("branch_map") >> bit & 1) != 0);
        }
    }
    follow_execution_path(address_, te_inst);
}

void SecondReader::process_extension(const Fields& te_inst) {
    stop_at_last_branch_ = false;
    if (te_inst.at("subformat") == 0) {
        ++branch_counts;
        if (!predicts_) {
            return fail("a branch count without branch prediction");
        }
        last_fails_ = te_inst.at("branch_fmt") != 2;
        counted_ = te_inst.at("branch_count") + 31 + (last_fails_ ? 1 : 0);
        stop_at_last_branch_ = te_inst.at("branch_fmt") == 0;
        if (!stop_at_last_branch_) {
            const Address field = te_inst.at("address") << 1;
            address_ = full_address_ ? field : address_ + field;
        }
    } else {
        ++jump_targets;
        const auto found = jump_targets_.find(static_cast<unsigned>(te_inst.at("index")));
        if (!caches_ || found == jump_targets_.end()) {
            return fail("an index without an address");
        }
        address_ = found->second;
        for (unsigned bit = 0; bit < te_inst.at("branches"); ++bit) {
            branch_map_.push_back((te_inst.at("branch_map") >> bit & 1) != 0);
        }
    }
    follow_execution_path(address_, te_inst);
    if (counted_ == 1) { // of the branch at pc_: known now, before others come behind it
        const bool taken = (predictor_.contains(pc_ / 2 & kPredictorMask) &&
                            predictor_[pc_ / 2 & kPredictorMask][0] == '1') != last_fails_;
        branch_map_.push_back(!taken);
        counted_ = 0;
        last_fails_ = false;
    }
}

/// Whether the branch at pc_ is taken.
bool SecondReader::next_branch() {
    std::string& state = predictor_.try_emplace(pc_ / 2 & kPredictorMask, "01").first->second;
    const bool predicted = state[0] == '1';
    bool taken = predicted;
    if (!branch_map_.empty()) {
        taken = !branch_map_.front();
        branch_map_.erase(branch_map_.begin());
    } else if (--counted_ == 0 && last_fails_) {
        taken = !predicted;
        last_fails_ = false;
    }
    const bool fails = taken != predicted;
    if (state == "00") {
        state = fails ? "01" : "00";
    } else if (state == "01") {
        state = fails ? "11" : "00";
    } else if (state == "11") {
        state = fails ? "10" : "11";
    } else {
        state = fails ? "00" : "11";
    }
    return taken;
}

void SecondReader::follow_execution_path(Address address, const Fields& te_inst) {
    const bool sync = te_inst.at("format") == 3;
    const bool placed = !sync && te_inst.contains("notify");
    const bool msb = placed && te_inst.at("address") >> (kAddressBits - 1) != 0;
    const bool notify = placed && (te_inst.at("notify") != 0) != msb;
    const bool updiscon = placed && te_inst.at("updiscon") != te_inst.at("notify");
    while (error.empty()) {
        const bool stop_here = next_pc(address);
        retired.push_back(pc_);
        if (branches() == 1 && is_branch(pc_) && stop_at_last_branch_) {
            stop_at_last_branch_ = false;
            return;
        }
        if (stop_here) {
            return unprocessed_branches(pc_) ? fail("unprocessed branches") : void();
        }
        if (pc_ != address || stop_at_last_branch_ || unprocessed_branches(pc_)) {
            continue;
        }
        if (!sync && notify) {
            return;
        }
        const bool depth_fits = !irreport(te_inst) || te_inst.at("irdepth") == return_stack_.size();
        if (!sync && !is_discontinuity(last_pc_) && !updiscon && depth_fits) {
            inferred_address_ = true;
            return;
        }
        if (sync && (te_inst.at("privilege") == privilege_ || is_return_from_trap(last_pc_))) {
            return;
        }
    }
}

bool SecondReader::next_pc(Address address) {
    const InstructionFlow flow = classify_flow(instruction(pc_));
    const Address this_pc = pc_;
    bool stop_here = false;
    if (flow.kind == FlowKind::DirectJump) {
        pc_ = flow.target(pc_);
    } else if (is_implicit_return(pc_)) {
        ++implicit_returns;
        pc_ = return_stack_.back();
        return_stack_.pop_back();
    } else if (is_discontinuity(pc_)) {
        if (stop_at_last_branch_) {
            fail("unexpected uninferable discontinuity");
        }
        if (caches_ && !is_return_from_trap(pc_)) {
            jump_targets_[address / 2 & kTargetsMask] = address;
        }
        pc_ = address;
        stop_here = true;
    } else if (flow.kind == FlowKind::Branch) {
        if (branches() == 0) {
            fail("cannot resolve branch");
            return true;
        }
        pc_ = next_branch() ? flow.target(pc_) : pc_ + flow.length;
    } else {
        pc_ += flow.length;
    }
    if (implicit_return_ && flow.is_call()) {
        if (return_stack_.size() == kReturns) {
            return_stack_.erase(return_stack_.begin());
        }
        return_stack_.push_back(this_pc + flow.length);
    }
    last_pc_ = this_pc;
    return stop_here;
}

void SecondReader::process_support(const Fields& te_inst) {
    implicit_return_ = (te_inst.at("ioptions") & 1) != 0;
    full_address_ = (te_inst.at("ioptions") >> 2 & 1) != 0;
    caches_ = (te_inst.at("ioptions") >> 3 & 1) != 0;
    predicts_ = (te_inst.at("ioptions") >> 4 & 1) != 0;
    const std::uint64_t qual_status = te_inst.at("qual_status");
    start_of_trace_ = start_of_trace_ || qual_status != 0;
    if (qual_status == 3 && inferred_address_) {
        const Address previous_address = pc_;
        inferred_address_ = false;
        for (bool stop_here = false; !stop_here && error.empty();) {
            stop_here = next_pc(previous_address);
            retired.push_back(pc_);
        }
    }
}

bool SecondReader::unprocessed_branches(Address pc) {
    return branches() != (is_branch(pc) ? 1U : 0U);
}

bool SecondReader::is_branch(Address pc) {
    return classify_flow(instruction(pc)).kind == FlowKind::Branch;
}

bool SecondReader::is_discontinuity(Address pc) {
    return classify_flow(instruction(pc)).kind == FlowKind::IndirectJump || is_return_from_trap(pc);
}

bool SecondReader::is_return_from_trap(Address pc) {
    return classify_flow(instruction(pc)).kind == FlowKind::TrapReturn;
}

bool SecondReader::is_implicit_return(Address pc) {
    if (!implicit_return_ || classify_flow(instruction(pc)).link != LinkUse::Return) {
        return false;
    }
    if (irreport(*te_inst_) && te_inst_->at("irdepth") == return_stack_.size()) {
        return false;
    }
    return !return_stack_.empty();
}

std::uint32_t SecondReader::instruction(Address pc) {
    const auto found = code_.find(pc);
    if (found == code_.end()) {
        fail("no instruction at this address");
        return 0;
    }
    return found->second;
}

} // namespace pes::trace::test
