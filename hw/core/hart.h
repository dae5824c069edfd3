// SPDX-License-Identifier: Apache-2.0
// One RV64IMAFDC hart with Zicsr, Zifencei, Zicntr and Zihpm, modes M, S and U, Sv39 and PMP.
//
// Function and time are two sides of one pass in program order: the handlers say what an
// instruction does; the Pipeline says when it decodes, issues and retires. The hart's time is the
// decode cycle of the next instruction, the moment at which interrupts are sampled; retirement of
// earlier instructions may lie a few cycles ahead of it.
//
// Two ways through the instructions, one truth. The stepping path takes both sides one instruction
// after the other. The fast path (hart_fast.cpp) runs the handlers of a basic block and then looks
// up what the Pipeline did when it last saw that block in the same state with the same answers.
//
// Counters: the pulses of a cycle are handed to the CounterBank once no later instruction can add
// to them, kMarkDistance cycles behind decode. That is early enough: a counter that reaches its
// threshold in cycle T raises mip at T + 4 at the earliest.
//
// Several harts share main memory. They run one after the other, each for a while, so every access
// is atomic and memory is sequentially consistent. What one hart must know of the others is which
// words they have reserved with LR (hart_neighbours.cpp).
#pragma once

#include "hw/common/counter_bank.h"
#include "hw/common/csr_owner.h"
#include "hw/common/level.h"
#include "hw/common/retirement.h"
#include "hw/core/attention.h"
#include "hw/core/counter_feed.h"
#include "hw/core/csr_file.h"
#include "hw/core/decode_cache.h"
#include "hw/core/fast/memo.h"
#include "hw/core/hart_config.h"
#include "hw/core/hart_ports.h"
#include "hw/core/host_memory.h"
#include "hw/core/interrupt_inputs.h"
#include "hw/core/mmu.h"
#include "hw/core/observers.h"
#include "hw/core/timing/pipeline.h"
#include "hw/core/trap_history.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace pes {

/// Why run() came back.
enum class HartStop : std::uint8_t {
    Horizon,          ///< the next instruction decodes at or after the horizon
    WaitForInterrupt, ///< WFI up to the horizon; call run() again with a later one
    TrapLoop,         ///< a trap handler that cannot run: see trap_report()
};

class Hart final : private PageTableReader, private CodeReader {
  public:
    Hart(const HartConfig& config, HartBus& bus, CounterBank& bank);

    // --- What the platform uses -------------------------------------------------------------

    HartStop run();                       ///< until now() >= the horizon
    void set_horizon(Cycle horizon);      ///< may be called from within run()
    Cycle now() const { return decode_; } ///< decode cycle of the next instruction
    /// mip changes at cycle `at`, which may lie a little ahead of or behind now().
    void set_interrupt(Interrupt line, bool level, Cycle at) { interrupts_.set(line, level, at); }
    /// Registers a CSR that is implemented outside the hart. False if the number has an owner.
    [[nodiscard]] bool add_csr(std::uint16_t number, CsrOwner& owner);
    /// line = BankLine; no Overflow
    void set_counter_lines(LevelSink* sink) { feed_.set_lines(sink); }
    /// Observers come and go at any time, also in the middle of an instruction and from within
    /// their own calls. A hart that is observed takes the stepping path.
    void add_observer(HartObserver& observer) { observers_.add(observer); }
    void remove_observer(const HartObserver& observer) { observers_.remove(observer); }
    /// Back-pressure: behind the instruction in hand nothing is decoded, and so nothing retires,
    /// before `cycle`. Counters go on; an interrupt is taken afterwards.
    void hold_until(Cycle cycle);

    /// From now on `writer`, which may lag, writes there: it is asked to catch up before the hart
    /// looks, itself or through a device. An empty range: nobody does. For a hart on its own.
    void set_late_writer(const MemoryRange& written, LateWriter& writer) {
        memory_.set_late_writer(written, writer);
    }

    /// `other` shares main memory with this hart. Before the run.
    void add_neighbour(Hart& other) { neighbours_.push_back(&other); }
    /// Neighbours have run since this hart did.
    void resume_among_neighbours();
    /// Sleeps in WFI. A hart with neighbours does so in step with its caller's time: run() comes
    /// back at once and the caller chooses when to call it again.
    bool sleeps() const { return waiting_; }
    /// While it sleeps: the cycle at which it must run again even if nobody interrupts it.
    Cycle wakes_by_itself() const;

    void set_pc(Address pc);
    void set_register(unsigned index, std::uint64_t value) { x_[index] = value; }
    std::uint64_t register_value(RegisterIndex index) const { return x_[index]; }
    Address pc() const { return pc_; }

    std::uint64_t instret() const { return retired_; }
    std::uint64_t traps() const { return history_.traps(); }
    Cycle last_retirement() const { return last_retirement_; }
    /// Everything that has pulsed so far, including what lies ahead of now().
    EventTotals totals() const { return feed_.pulses().totals_through(kNever); }
    /// The cycle that the hart has come to: the last retirement may lie ahead of now().
    Cycle reached() const { return std::max(last_retirement_, decode_); }
    /// The run is over: hands everything up to `end` to the counter bank, whatever it has seen.
    void settle(Cycle end);
    /// For an observer in retired() or trapped() at `at`: a counter as it was in the last cycle
    /// before that in which nothing more can happen, by its machine CSR; 0 if there is none.
    std::uint64_t observe_counter(std::uint16_t csr, Cycle at);
    TrapReport trap_report() const { return history_.report(); }

    // --- What instruction handlers use ------------------------------------------------------

    std::uint64_t& x(RegisterIndex index) { return x_[index]; }
    std::uint64_t x(RegisterIndex index) const { return x_[index]; }
    Address instruction_pc() const { return pc_; }
    CsrFile& csr() { return csr_; }
    Privilege privilege() const { return privilege_; }

    /// The next instruction is the one at `target`.
    void jump(Address target) { next_pc_ = target; }
    /// See notes_operands().
    void note(std::uint64_t operands) { *fact_++ = operands; }
    /// Reads memory; false if a trap was raised instead.
    template <typename T>
    bool load(const Instruction& instruction, Address address, T& value);
    template <typename T>
    bool store(const Instruction& instruction, Address address, T value);
    /// The word of an AMO, LR or SC, for the caller to read or write: null if a trap was raised.
    std::byte* atomic_word(Address address, unsigned size, Access access);
    void reserve() { reservation_ = facts_[0]; }
    /// The atomic_word() in hand has been written.
    void atomic_word_stored(unsigned size) { store_seen(facts_[0], size); }
    /// True once if the last LR reserved this word.
    bool take_reservation();

    void raise(Cause cause, std::uint64_t tval);
    void raise_illegal(const Instruction& instruction);

    /// CSR access with all rights checked; nothing if it is illegal. `at` is its cycle.
    std::optional<std::uint64_t> read_csr(std::uint16_t number, Cycle at);
    void write_csr(std::uint16_t number, std::uint64_t value, Cycle at);
    bool csr_accessible(std::uint16_t number) const;
    std::uint64_t csr_update_base(std::uint16_t number, std::uint64_t read) const;
    /// Nobody looks at it if the handler runs ahead of time.
    Cycle serial_cycle(const Instruction& instruction) const {
        return pipeline_.serial_cycle(instruction);
    }

    void finish_return(const Instruction& instruction, const CsrFile::TrapReturn& back);
    void wait_for_interrupt();
    void fence_translations(std::optional<Address> address, std::optional<std::uint16_t> asid);
    void fence_instructions();

  private:
    struct FetchPage {
        static constexpr Address kNone = 1; ///< never equal to a page address
        Address virtual_page = kNone;
        Address physical_page = 0;
        DecodedPage* decoded = nullptr;
        bool uniform_protection = true;
        const PageWalk* walk = nullptr; ///< walk of the entry, charged to the first fetch
    };

    /// An access that host memory does not answer.
    struct DeviceAccess {
        Access access = Access::Load;
        Address physical = 0;
        unsigned size = 0;
        std::uint64_t data = 0;
        Cycle at = 0; ///< when it reaches the device
        bool made = false;
        BusResult result{};
    };

    /// A CSR that the counter bank owns, or the time.
    struct CounterRead {
        std::uint16_t number = 0;
        bool made = false;
        std::uint64_t value = 0;
    };

    /// The fast path between two hand-overs to the stepping path.
    struct FastPath {
        static constexpr std::uint64_t kNoAnswer = ~std::uint64_t{0};
        /// Why handlers stopped before the end of a block.
        enum class Stop : std::uint8_t { BeforeStepping, BeforeDevice, BeforeCounterRead };

        static constexpr std::size_t kQuestions = 512; ///< of one block, at most
        static constexpr std::size_t kEntries = 1024;  ///< places where blocks begin, by pc
        static constexpr std::size_t kMemoBytes = std::size_t{96} << 20;

        std::array<std::uint8_t, kEntries> disappointments{};
        Memo memo;
        Tape tape;
        std::vector<std::uint16_t> words; ///< of the state being written
        std::array<std::uint64_t, kQuestions> answers{};
        std::size_t answered = 0;    ///< by the block in hand
        std::uint32_t parent = 0;    ///< the last of these questions, if its answer is a new one
        bool live = true;            ///< pipeline and log are where the hart is, not behind it
        const Block* last = nullptr; ///< the block before
        Cycle limit = 0;             ///< decode cycles from here on are the stepping path's ...
        Cycle promised = 0;          ///< ... unless room holds what a block may do; then these are
        PulseRoom room{};            ///< of the bank
        EventMask watched{};         ///< the sources that have a bound in `room`
        BlockEvents events{};        ///< not yet in the log
        unsigned unflushed = 0;      ///< blocks that these are of
        Cycle begin = 0;             ///< decode cycle before the block that is being recorded
        EventTotals before{};        ///< all that has been placed before it
        bool ended_by_limit = false; ///< and not by what it cannot do: the place is as good as any
        Stop stop = Stop::BeforeStepping;
        DeviceAccess access{}; ///< of the instruction that stopped a block
        CounterRead read{};
        EventTotals seen{};   ///< by that read
        bool ordinary = true; ///< nothing about that access or read is worth forgetting
    };

    enum class Mode : std::uint8_t {
        Stepping,
        Blocks, ///< handlers run ahead of time: what is not the quick way is left to stepping
    };

    // The fast path, hart_fast.cpp
    void run_blocks();
    Node* enter_blocks();
    Node* run_block(Node& node);
    Node* known_next(const Outcome& outcome) const;
    Node* next_node(Outcome& outcome);
    bool follow_to_page();
    const Block* block_here();
    const Block* build_block(Address physical);
    const Block* build_block_across_pages(Address physical);
    std::optional<std::uint32_t> word_across_pages(Address physical);
    bool run_handlers(const Block& block);
    void stop_inside(const Node& node);
    Outcome* finish_block(Node& node);
    // The same as answer_all() and replay(), but not inside the loop of blocks:
    void note_new_answer(std::uint32_t index, std::size_t answered);
    Outcome* recall(const Node& node);
    void pass_by(const Outcome& outcome);
    Node* run_beginning(Node& node);
    Node* run_stopped(Node& node);
    Node* run_to_device(Node& node);
    Node& part_to_device(Node& node);
    Node* run_last(Node& node);
    Node* step_last(Node& node);
    void take_what_came(const Instruction& last);
    void forget_what_came();
    const Block& part_of(Address pc, Address physical, std::size_t count, BlockExtent extent);
    std::uint64_t access_device(Cycle at);
    std::uint64_t read_counter_at(Cycle at, const EventLead& lead);
    bool bring_bank_ahead_to(Cycle cycle, const EventLead& lead);
    template <std::size_t Count>
    void totals_with(const EventLead& lead, EventTotals& totals) const;
    Outcome* answer_all(const Node& node);
    std::uint64_t answer_again(Asked& asked);
    void replay(const Outcome& outcome);
    void count_block(const Block& block, std::size_t instructions);
    Outcome* record(Node& node);
    void begin_recording(const Node& node);
    Outcome* end_recording(Node& node);
    void time_block(const Block& block, std::size_t count, Tape* tape);
    const PipelineState* present_state();
    void make_live(const PipelineState& state);
    void flush_events();
    bool extend_limit(const Node& node);
    Cycle undisturbed_until() const;
    bool certain_until(Cycle decode);
    bool has_room(const Block& block, Cycle decode);
    bool learn_room(const Block& block, Cycle end);

    bool fetch();
    bool enter_fetch_page();
    bool open_fetch_page(Address physical, const PageWalk* walk);
    const Instruction* decode_at(Instruction& slot, Address offset);
    bool decode_again(DecodedPage& page, Address offset);
    const Instruction* decode_across_pages(std::uint16_t low);
    std::optional<Address> code_page(Address page) override;
    const Instruction* instruction_at(Address physical) override;
    std::optional<std::uint64_t> integer_register(RegisterIndex index) const override {
        return x_[index];
    }
    void run_instruction();
    bool attend();
    bool take_interrupt();
    std::optional<HartStop> idle();
    bool sit_out_hold();
    void enter_trap(std::uint64_t cause, std::uint64_t tval, Cycle cycle);

    MemoryAccess access_at(const Instruction& instruction, Address physical) const {
        return {.physical = physical,
                .size = instruction.memory_size,
                .cacheable = cacheable_,
                .walk = walk_};
    }
    /// Takes the instruction that has done its work through the rest of the pipeline. `fact` is
    /// what it noted about itself.
    Cycle retire(const Instruction& instruction, std::uint64_t fact) {
        if (instruction.timing < TimingClass::Branch ||
            instruction.timing > TimingClass::StoreConditional) [[likely]] {
            return pipeline_.retire(instruction, static_cast<unsigned>(fact));
        }
        return retire_jump_or_access(instruction, fact);
    }
    Cycle retire_jump_or_access(const Instruction& instruction, std::uint64_t fact);
    void retire_at(const Instruction& instruction, Cycle cycle);
    EventMask retirement_events(const Instruction& instruction) const;
    void observe(const Instruction& instruction, Cycle cycle);

    Cycle sync_for_device(Cycle at, Access access);

    void leave_fetch_pages();
    /// `cycle` is the last one in the mode that is left.
    void change_privilege(Privilege privilege, Cycle cycle);
    void context_changed();
    bool translate_data(Address address, Access access, Address& physical);
    std::byte* host_memory(Address physical, unsigned size, Access access);
    std::uint64_t read_counter(std::uint16_t number) const;
    std::optional<std::uint64_t> read_register(std::uint16_t number);
    std::optional<std::uint64_t> read_csr_ahead(std::uint16_t number);
    void note_counter_read(Cycle at);
    bool leave_to_stepping();
    bool block_reaches_device(const DeviceAccess& access);
    BusStatus reach_device(const Instruction& instruction, DeviceAccess& access);
    void make_access(DeviceAccess& access, Cycle at);
    bool reserved_by_neighbour(Address page_number) const;
    /// A store of this hart ends the neighbours' reservations of what it wrote.
    void store_seen(Address physical, unsigned size) {
        for (Hart* neighbour : neighbours_) {
            neighbour->lose_reservation(physical, size);
        }
    }
    void lose_reservation(Address physical, unsigned size);
    bool load_slowly(const Instruction& instruction, Address address, Address physical, void* data);
    bool store_slowly(const Instruction& instruction, Address address, Address physical,
                      const void* data);
    bool load_otherwise(const Instruction& instruction, Address address, Address physical,
                        void* data);
    bool store_otherwise(const Instruction& instruction, Address address, Address physical,
                         const void* data);
    bool load_misaligned(const Instruction& instruction, Address address, void* data);
    bool store_misaligned(const Instruction& instruction, Address address, const void* data);
    std::optional<Instruction> next_in_page();
    bool trapped_by_next(const Instruction& instruction);
    std::byte* misaligned_word(const Instruction& instruction, Address address, Access access);
    bool load_within_word(const Instruction& instruction, Address address, void* data);
    bool store_within_word(const Instruction& instruction, Address address, const void* data);
    bool locate_bytes(Address address, unsigned size, Access access,
                      std::array<std::byte*, 8>& where);
    std::optional<std::uint64_t> read_pte(Address address) override;

    HartConfig config_;
    HartBus& bus_;
    HostMemory memory_;
    Attention attention_;
    InterruptInputs interrupts_{attention_};
    CounterFeed feed_;
    std::map<std::uint16_t, CsrOwner*> csr_owners_; ///< of CSRs outside the hart
    Observers observers_;
    std::uint32_t emptied_word_ = 0; ///< of the last FENCE.I, which may empty its own slot
    std::vector<Hart*> neighbours_;  ///< the other harts on the same memory

    std::array<std::uint64_t, kSinkRegister + 1> x_{};
    Address pc_ = 0;
    Address next_pc_ = 0;
    Privilege privilege_ = Privilege::Machine;
    CsrFile csr_;
    Mmu mmu_;
    Pipeline pipeline_;

    // What the instruction in hand did, for the timing side
    Mode mode_ = Mode::Stepping;
    bool done_ = false; ///< it trapped or has retired already
    const PageWalk* walk_ = nullptr;
    bool cacheable_ = true;
    std::uint32_t device_latency_ = 0;
    std::array<std::uint64_t, Block::kMaximum> facts_{}; ///< physical addresses, notes of handlers
    std::uint64_t* fact_ = facts_.data();

    // Fetch
    const Instruction* current_ = nullptr;
    Instruction across_pages_;
    FetchPage fetch_page_;
    DecodeCache decode_cache_;
    std::array<FetchPage, 16> recent_pages_{}; ///< in this context
    bool fetched_ = false;
    Cycle decode_ = 0;

    // Fast path
    bool blocks_allowed_;
    bool block_begins_ = true;   ///< the next instruction may be the first of a block
    bool block_due_ = false;     ///< a block may begin behind the next instruction, whatever it is
    std::size_t stopped_at_ = 0; ///< instructions of the block in hand that have happened
    FastPath fast_;

    // Data
    bool data_translated_ = false;
    Privilege data_privilege_ = Privilege::Machine;
    Address reservation_ = kNever;
    Cycle last_device_access_ = 0;

    // What stops the run loop
    Cycle horizon_ = 0;
    bool waiting_ = false;
    Cycle woken_in_ = 0; ///< end of the last WFI: what was decoded before is not interrupted
    Cycle held_until_ = 0;

    // Bookkeeping
    std::uint64_t retired_ = 0;
    Cycle last_retirement_ = 0;
    TrapHistory history_;
};

} // namespace pes
