// SPDX-License-Identifier: Apache-2.0
#include "tests/paths/random_loops.h"

#include "tests/differential/random.h"

#include <spdlog/fmt/fmt.h>

#include <iterator>

namespace pes::paths {
namespace {

using differential::Random;

// x3 the loop's count, x4 a bit source, x5 the trap handler's own; near, far and shared memory.
constexpr const char *kNear = "x6", *kFar = "x7", *kShared = "x28";
constexpr unsigned kFirst = 8, kLast = 27; ///< registers of random instructions

const char* const kStart = R"(
.section .text.start, "ax"
.globl start
start:
  la x5, trap
  csrw mtvec, x5
  li x5, 0x6000
  csrs mstatus, x5
  csrr x31, mhartid
  li x6, 0x80200000
  slli x5, x31, 20
  add x6, x6, x5
  li x7, 0x40000
  add x7, x6, x7
  li x28, 0x80600000
  li x4, 0x1234567
)";

/// Hart 0 ends the run when all are done.
const char* const kEnd = R"(
  li x5, 1
  addi x30, x28, 256
  amoadd.d x0, x5, (x30)
  bnez x31, 2f
1:
  ld x5, (x30)
  li x29, {}
  bne x5, x29, 1b
  li x5, 0x5555
  li x29, 0x100000
  sw x5, (x29)
2:
  wfi
  j 2b
.balign 4
trap:
  csrr x5, mepc
  addi x5, x5, 4
  csrw mepc, x5
  mret
)";

class Writer {
  public:
    explicit Writer(const LoopRequest& request) : request_(request), random_(request.seed) {}

    std::string program() {
        text_ = kStart;
        for (unsigned number = 0; number != request_.loops; ++number) {
            loop();
        }
        text_ += fmt::format(fmt::runtime(kEnd), request_.harts);
        return text_;
    }

  private:
    template <typename... Arguments>
    void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        text_ += "  ";
        fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
        text_ += '\n';
    }
    unsigned any() { return kFirst + static_cast<unsigned>(random_.below(kLast - kFirst + 1)); }

    /// Each loop has its own mixture: some classes come often, others not at all.
    void loop() {
        constexpr unsigned kClasses = 12, kFirstThatLeaves = 8; // blocks end there
        unsigned weights[kClasses] = {4};
        for (unsigned kind = 1; kind != kClasses; ++kind) {
            weights[kind] = random_.one_in(kind < kFirstThatLeaves ? 4 : 12)
                                ? 1 + static_cast<unsigned>(random_.below(4))
                                : 0;
        }
        line("li x3, {}", 100 + random_.below(1500));
        const std::uint64_t label = random_.bits();
        text_ += fmt::format("loop_{:x}:\n", label);
        line("slli x29, x4, 13\n  xor x4, x4, x29\n  srli x29, x4, 7\n  xor x4, x4, x29");
        for (std::uint64_t left = 2 + random_.below(14); left != 0; --left) {
            unsigned total = 0;
            for (const unsigned weight : weights) {
                total += weight;
            }
            std::uint64_t at = random_.below(total);
            unsigned kind = 0;
            while (at >= weights[kind]) {
                at -= weights[kind++];
            }
            instruction(kind);
        }
        line("addi x3, x3, -1\n  bnez x3, loop_{:x}", label);
    }

    void instruction(unsigned kind) {
        const char* const alu[] = {"add", "xor", "sub", "mul", "sltu", "addw", "and", "mulhu"};
        const char* const divide[] = {"div", "rem", "divu", "remuw", "divw", "remu"};
        const char* const load[] = {"ld", "lw", "lbu", "lh"};
        const char* const store[] = {"sd", "sw", "sb"};
        const char* const amo[] = {"amoadd.d", "amoswap.d", "amomax.d"};
        switch (kind) {
        case 0:
            return line("{} x{}, x{}, x{}", random_.pick(alu), any(), any(), any());
        case 1:
            return line("{} x{}, {}({})", random_.pick(load), any(), 8 * random_.below(64), kNear);
        case 2:
            return line("{} x{}, x{}, x{}", random_.pick(divide), any(), any(), any());
        case 3: // elsewhere in 256 KiB each time
            return line(
                "slli x29, x4, 50\n  srli x29, x29, 46\n  add x29, x29, {}\n  {} x{}, (x29)", kFar,
                random_.pick(load), any());
        case 4:
            return line("{} x{}, {}({})", random_.pick(store), any(), 8 * random_.below(64), kNear);
        case 5: // taken or not
            return line("andi x29, x4, {}\n  beqz x29, 1f\n  addi x{}, x{}, 1\n1:",
                        1U << random_.below(8), any(), any());
        case 6:
            return line("{0} f{1}, f{2}, f{3}\n  fcvt.d.l f{1}, x{4}",
                        random_.one_in(2) ? "fdiv.d" : "fadd.d", any(), any(), any(), any());
        case 7:
            return line("fsqrt.{} f{}, f{}", random_.one_in(2) ? 'd' : 's', any(), any());
        case 8:
            return line("{} x{}, x{}, ({})", random_.pick(amo), any(), any(),
                        random_.one_in(2) ? kShared : kNear);
        case 9: // CLINT: mtime
            return line("li x29, 0x200bff8\n  ld x{}, (x29)", any());
        case 10:
            return line("{}", random_.one_in(3) ? "ecall" : "fence");
        default:
            return line("csrr x{}, {}", any(), random_.one_in(2) ? "cycle" : "fcsr");
        }
    }

    const LoopRequest request_;
    Random random_;
    std::string text_;
};

} // namespace

std::string random_loops(const LoopRequest& request) {
    return Writer(request).program();
}

} // namespace pes::paths
