// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/decoder/trace/random_flow.h"

#include <bit>
#include <cstring>
#include <deque>

namespace pes::trace::test {
namespace {

std::uint64_t up_to(std::mt19937_64& random, std::uint64_t most) {
    return random() % (most + 1);
}

bool chance(std::mt19937_64& random, unsigned of_1000) {
    return random() % 1000 < of_1000;
}

unsigned scatter(std::int64_t offset, unsigned from, unsigned count, unsigned to) {
    return static_cast<unsigned>(static_cast<std::uint64_t>(offset) >> from & ((1U << count) - 1))
           << to;
}

class Encoder {
  public:
    Encoder(const EncoderSettings& settings, std::mt19937_64& random)
        : settings_(settings), random_(random) {}

    void start(Address pc, SyncReason reason) {
        units_ = 0;
        clear_history();
        returns_.clear();
        flow_.segments.emplace_back();
        emit(sync(pc, 0, reason));
        reference_ = pc;
    }

    void retired(Address pc, const InstructionFlow& flow, bool taken, Address next) {
        segment().words.push_back(Recorder::hex(pc));
        ++flow_.instructions;
        units_ += flow.length / 2;
        now_ += up_to(random_, 3);
        switch (flow.kind) {
        case FlowKind::Sequential:
            break;
        case FlowKind::Branch:
            branch(taken, next);
            break;
        case FlowKind::DirectJump:
            note_call(flow, pc);
            break;
        case FlowKind::IndirectJump:
        case FlowKind::TrapReturn:
            jump(flow, pc, next);
            break;
        }
        if (units_ >= settings_.count_limit) {
            emit(full(Resource::InstructionCount, units_));
            units_ = 0;
        } else if (chance(random_, 3)) {
            marker(next);
        }
    }

    void trapped(Address vector, bool interrupt) {
        const BranchType ntrace = interrupt ? BranchType::Interrupt : BranchType::Exception;
        tell_transfer(settings_.timestamps.dialect == TimestampDialect::SiFive ? BranchType::Trap
                                                                               : ntrace,
                      vector, "->" + Recorder::hex(vector));
    }

    void lost() { emit(error()); }

    EncodedFlow finish() {
        emit(history_mode() ? stop(units_, history_) : stop(units_));
        segment().told = segment().words.size();
        return std::move(flow_);
    }

  private:
    bool history_mode() const { return settings_.mode == EncoderSettings::Mode::History; }
    EncodedFlow::Segment& segment() { return flow_.segments.back(); }

    void emit(const TraceMessage& message) {
        flow_.messages.push_back(message);
        flow_.times.push_back(now_);
        ++since_sync_;
    }

    void clear_history() {
        history_ = 1;
        bits_ = 0;
    }

    void branch(bool taken, Address next) {
        if (!history_mode()) {
            if (taken) {
                const bool due = sync_due();
                emit(due ? direct_sync(units_, next) : direct(units_));
                reference_ = due ? next : reference_;
                told();
            }
            return;
        }
        history_ = history_ << 1 | (taken ? 1 : 0);
        if (++bits_ == settings_.history_bits) {
            flush_history();
        }
    }

    /// HIST is full: in one of the ways that the rules allow.
    void flush_history() {
        const std::uint64_t ones = (std::uint64_t{1} << bits_) - 1;
        const std::uint64_t half = bits_ / 2;
        const std::uint64_t low = history_ & ((std::uint64_t{1} << half) - 1);
        const bool same_halves =
            bits_ % 2 == 0 && (history_ >> half & ((std::uint64_t{1} << half) - 1)) == low;
        const bool sifive = settings_.timestamps.dialect == TimestampDialect::SiFive;
        if (sifive && history_ == (ones << 1 | 1)) {
            emit(full(Resource::Taken, bits_));
        } else if (sifive && history_ == ones + 1) {
            emit(full(Resource::NotTaken, bits_));
        } else if (!sifive && same_halves) {
            emit(full(Resource::HistoryRepeat, std::uint64_t{1} << half | low, 2));
        } else {
            emit(full(Resource::History, history_));
        }
        clear_history();
    }

    void note_call(const InstructionFlow& flow, Address pc) {
        if (flow.is_call()) {
            returns_.push_back(pc + flow.length);
            if (returns_.size() > 8) { // the depth of this encoder's stack
                returns_.pop_front();
            }
        }
    }

    void jump(const InstructionFlow& flow, Address pc, Address next) {
        bool told_by_call = false;
        if (flow.is_return() && !returns_.empty()) {
            told_by_call = settings_.implicit_returns && returns_.back() == next;
            returns_.pop_back();
        }
        note_call(flow, pc);
        if (!told_by_call) {
            tell_transfer(BranchType::Indirect, next, "");
        }
    }

    bool sync_due() {
        const bool due = since_sync_ >= settings_.sync_messages;
        since_sync_ = due ? 0 : since_sync_;
        return due;
    }

    void tell_transfer(BranchType type, Address to, const std::string& word) {
        const bool due = sync_due();
        const Address difference = reference_ ^ to;
        if (!history_mode()) {
            emit(due ? make_message(MessageCode::IndirectBranchSync)
                           .set(Field::SyncReason, SyncReason::Periodic)
                           .set(Field::BranchType, type)
                           .set(Field::InstructionCount, units_)
                           .set(Field::Address, to >> 1)
                     : indirect(type, units_, difference));
        } else if (due) {
            emit(history_sync(SyncReason::Periodic, type, units_, to, history_));
        } else if (history_ == 1 && chance(random_, 500)) { // N-Trace allows it
            emit(indirect(type, units_, difference));
        } else {
            emit(history(type, units_, difference, history_));
        }
        if (due) {
            returns_.clear();
        }
        reference_ = to;
        if (!word.empty()) {
            segment().words.push_back(word);
        }
        told();
    }

    /// An external trigger: a synchronising message at any place.
    void marker(Address next) {
        emit(history_mode() ? history_sync(SyncReason::ExternalTrigger, BranchType::Indirect,
                                           units_, next, history_)
                            : sync(next, units_, SyncReason::ExternalTrigger));
        reference_ = next;
        returns_.clear();
        told();
    }

    void told() {
        units_ = 0;
        clear_history();
        segment().told = segment().words.size();
    }

    EncoderSettings settings_;
    std::mt19937_64& random_;
    EncodedFlow flow_;
    std::uint64_t units_ = 0;
    std::uint64_t history_ = 1;
    unsigned bits_ = 0;
    std::deque<Address> returns_;
    Address reference_ = 0;
    std::uint64_t since_sync_ = 0;
    std::uint64_t now_ = 1000;
};

} // namespace

RandomProgram::RandomProgram(Address base, std::mt19937_64& random, unsigned instructions)
    : base_(base) {
    Address end = base;
    std::vector<unsigned> lengths;
    for (unsigned i = 0; i < instructions; ++i) {
        places_.push_back(end);
        lengths.push_back(random() % 2 == 0 ? 2 : 4);
        end += lengths.back();
    }
    for (unsigned i = 0; i < instructions; ++i) {
        const Address target = places_[random() % places_.size()];
        const auto offset = static_cast<std::int64_t>(target - places_[i]);
        std::uint32_t raw = 0;
        const std::uint64_t kind = i + 1 == instructions ? 9 : random() % 16;
        if (lengths[i] == 2) {
            raw = kind == 9   ? 0x8082  // c.jr ra
                  : kind == 8 ? 0x9502  // c.jalr a0
                  : kind == 7 ? 0x8502  // c.jr a0
                              : 0x0505; // c.addi a0, 1
        } else if (kind < 4) {
            raw = 0x63 | scatter(offset, 12, 1, 31) | scatter(offset, 5, 6, 25) |
                  scatter(offset, 1, 4, 8) | scatter(offset, 11, 1, 7); // beq
        } else if (kind < 7) {
            raw = 0x6F | scatter(offset, 20, 1, 31) | scatter(offset, 1, 10, 21) |
                  scatter(offset, 11, 1, 20) | scatter(offset, 12, 8, 12) |
                  (kind == 4 ? 0U : 1U << 7); // jal
        } else {
            raw = kind == 9   ? 0x00008067  // ret
                  : kind == 8 ? 0x000280E7  // jalr ra, t0: coroutine
                  : kind == 7 ? 0x30200073  // mret
                              : 0x00150513; // addi a0, a0, 1
        }
        for (unsigned byte = 0; byte < lengths[i]; ++byte) {
            bytes_.push_back(static_cast<std::uint8_t>(raw >> (8 * byte)));
        }
    }
}

Address RandomProgram::some_place(std::mt19937_64& random) const {
    return places_[random() % places_.size()];
}

InstructionFlow RandomProgram::at(Address pc) const {
    std::uint32_t raw = 0;
    const auto offset = static_cast<std::size_t>(pc - base_);
    std::memcpy(&raw, bytes_.data() + offset, std::min<std::size_t>(4, bytes_.size() - offset));
    return classify_flow(raw);
}

EncodedFlow encode_random_run(const RandomProgram& program, const EncoderSettings& settings,
                              std::mt19937_64& random, unsigned instructions) {
    Encoder encoder(settings, random);
    std::vector<Address> calls;
    std::vector<Address> traps;
    Address pc = program.some_place(random);
    encoder.start(pc, SyncReason::ExitReset);
    for (unsigned i = 0; i < instructions; ++i) {
        if (chance(random, settings.losses_of_1000)) {
            encoder.lost();
            pc = program.some_place(random);
            encoder.start(pc, SyncReason::FifoOverrun);
        }
        if (chance(random, 20)) {
            traps.push_back(pc);
            pc = program.some_place(random);
            encoder.trapped(pc, chance(random, 500));
        }
        const InstructionFlow flow = program.at(pc);
        const bool taken = flow.kind == FlowKind::Branch && chance(random, 600);
        Address next = pc + flow.length;
        if (taken || flow.kind == FlowKind::DirectJump) {
            next = flow.target(pc);
        } else if (flow.kind == FlowKind::TrapReturn && !traps.empty()) {
            next = traps.back();
            traps.pop_back();
        } else if (flow.is_return() && !calls.empty() && chance(random, 900)) {
            next = calls.back();
            calls.pop_back();
        } else if (!flow.inferable() && flow.kind != FlowKind::Sequential) {
            next = program.some_place(random);
        }
        if (flow.is_call()) {
            calls.push_back(pc + flow.length);
        }
        if (!program.holds(next)) {
            next = program.some_place(random); // only indirect jumps end this program
        }
        encoder.retired(pc, flow, taken, next);
        pc = next;
    }
    return encoder.finish();
}

std::string pack(const std::vector<EncodedFlow>& flows, unsigned source_bits,
                 TimestampFormat timestamps, std::mt19937_64& random) {
    std::string bytes;
    std::vector<std::size_t> next(flows.size(), 0);
    std::vector<TimestampCompressor> clocks(flows.size(), TimestampCompressor(timestamps));
    for (;;) {
        std::size_t source = flows.size();
        for (std::size_t i = 0; i < flows.size(); ++i) {
            if (next[i] < flows[i].messages.size() &&
                (source == flows.size() ||
                 flows[i].times[next[i]] < flows[source].times[next[source]])) {
                source = i;
            }
        }
        if (source == flows.size()) {
            return bytes;
        }
        const std::size_t index = next[source]++;
        TraceMessage message = flows[source].messages[index];
        message.source = static_cast<std::uint16_t>(source);
        message.timestamp =
            clocks[source].compress(flows[source].times[index], layout_of(message.code).timestamp);
        const PackedMessage packed = pack_message(message, source_bits);
        bytes.append(packed.bytes.begin(), packed.bytes.begin() + packed.size);
        if (chance(random, 100)) {
            bytes.append(1 + random() % 8, static_cast<char>(kIdleByte));
        }
    }
}

} // namespace pes::trace::test
