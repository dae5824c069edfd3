// SPDX-License-Identifier: Apache-2.0
// The registers of a peripheral as data.
//
// A peripheral lists its registers once, in its constructor: name, offset, width, rights, reset
// value, writable bits, array count and stride, and the methods of registers with side effects.
// All errors of bus accesses are detected here:
//
//   no register at the offset, or an access that does not start on one    AddressError
//   a size the register does not take, or an access that straddles        SizeError
//   a write to a read-only register, a read of a write-only one           RightsError
//
// Each error writes one warning to the log of the block. Offsets that overlap or lie beyond the end
// of the block are refused at construction (std::invalid_argument).
//
// Kinds of register:
//   * storage: no methods; reads return what was written through the write mask;
//   * storage with a reaction: only `write`, called after the new value has been stored;
//   * computed: `read` (and `write`); the peripheral holds the value. A `read` with side effects
//     has a `peek` that returns the same value without them, for debug accesses.
// Methods take plain integers: the array index, the value, and the cycle of the access.
#pragma once

#include "hw/common/archive.h"
#include "hw/common/logger.h"
#include "hw/interface/types.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

enum class AccessStatus : std::uint8_t {
    Ok,
    AddressError, ///< TLM_ADDRESS_ERROR_RESPONSE
    SizeError,    ///< TLM_BURST_ERROR_RESPONSE
    RightsError,  ///< TLM_COMMAND_ERROR_RESPONSE
};

enum class RegisterRights : std::uint8_t { ReadWrite, ReadOnly, WriteOnly };

/// Which parts of a register an access may address.
enum class RegisterParts : std::uint8_t {
    Whole, ///< only the full width
    Low,   ///< also its low bytes, from its own offset; the others read and write as zero
    Words, ///< also any aligned 32-bit word of it; the other word keeps its value
    High,  ///< also its last half, quarter ..., up to its end; for `write_part`
};

struct Register {
    using Read = std::function<std::uint64_t(unsigned index, Cycle at)>;
    using Write = std::function<void(unsigned index, std::uint64_t value, Cycle at)>;
    using WritePart =
        std::function<void(unsigned index, unsigned bytes, std::uint64_t value, Cycle at)>;

    std::string name;
    Address offset = 0; ///< bytes, of element 0
    unsigned width = 4; ///< bytes: 1, 2, 4 or 8
    RegisterRights rights = RegisterRights::ReadWrite;
    RegisterParts parts = RegisterParts::Whole;
    std::uint64_t reset = 0;                      ///< of storage
    std::uint64_t write_mask = ~std::uint64_t{0}; ///< other bits keep their value
    unsigned count = 1;                           ///< elements
    unsigned stride = 0;                          ///< bytes from one to the next; 0 = width
    Read read{};
    Write write{};
    Read peek{};
    /// Instead of `write` if the size of the access matters; receives the bytes as written.
    WritePart write_part{};
};

class RegisterBlock {
  public:
    /// `size` is the end of the block in bytes. `name` also names the block's logger.
    RegisterBlock(std::string name, std::uint64_t size, std::vector<Register> registers);
    RegisterBlock(const RegisterBlock&) = delete; // latest_ points into the object
    RegisterBlock& operator=(const RegisterBlock&) = delete;

    AccessStatus read(Address offset, unsigned size, std::uint64_t& value, Cycle at);
    AccessStatus write(Address offset, unsigned size, std::uint64_t value, Cycle at);

    /// Debug accesses: no side effect, no log line. poke() changes storage without a reaction and
    /// refuses every other register (RightsError).
    AccessStatus peek(Address offset, unsigned size, std::uint64_t& value, Cycle at) const;
    AccessStatus poke(Address offset, unsigned size, std::uint64_t value);

    /// Resets all storage. Computed registers are reset by the peripheral.
    void reset();

    /// The value that a storage register holds; `offset` is that of the element.
    std::uint64_t stored(Address offset) const;

    /// Of a checkpoint: all storage.
    void state(Archive& archive) { archive.fixed(values_); }

    const std::string& name() const { return name_; }
    std::uint64_t size() const { return size_; }

  private:
    struct Entry {
        Register definition;
        std::size_t storage = 0; ///< index of element 0 in values_
    };
    /// The register of an access that has passed all checks.
    struct Hit {
        AccessStatus status = AccessStatus::Ok;
        const Entry* entry = nullptr;
        unsigned index = 0;
        unsigned shift = 0; ///< bits from the register's lowest to the access's lowest
    };

    static void check(const Register& definition, const std::string& block, std::uint64_t size);
    Hit find(Address offset, unsigned size) const;
    Hit look_up(Address offset, unsigned size) const;
    std::uint64_t current(const Hit& hit, Cycle at) const;
    AccessStatus refuse(AccessStatus status, const Hit& hit, std::string_view what, Address offset,
                        unsigned size) const;

    std::string name_;
    std::uint64_t size_;
    std::vector<Entry> entries_; ///< by offset
    /// The latest access: software often polls the same register.
    struct Latest {
        Address offset = 0;
        unsigned size = ~0U; ///< matches no access
        Hit hit;
    };
    mutable Latest latest_;
    std::vector<std::uint64_t> values_;
    Logger log_;
};

} // namespace pes
