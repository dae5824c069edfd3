// SPDX-License-Identifier: Apache-2.0
// Binds the registers of a RegisterBlock to members of a device, one expression per register:
//
//   RegisterMap<Clint> map(*this);
//   map.reg("mtime", 0xBFF8).u64().words().read(&Clint::mtime).write(&Clint::set_mtime);
//   map.reg("msip", 0).u32().array(harts).mask(1).write(&Clint::set_software);
//
// A register accepts reads and writes of its full width, unless the expression says otherwise;
// register_block.h has the rules. A bound member is
//   * a function: read() [(cycle)] [(index, cycle)], write(value) [(value, cycle)]
//     [(index, value, cycle)] with integers of any width. Further arguments of the binding are
//     passed before these, so that one function can serve several registers;
//   * a data member: a read returns its value, a write stores into it.
// Without a read function the block stores the value.
#pragma once

#include "hw/common/register_block.h"

#include <cstddef>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace pes {

namespace register_map {

/// Types of a member function's arguments; a data member has none.
template <typename Member>
struct Signature;
template <typename Owner, typename Result, typename... Arguments>
struct Signature<Result (Owner::*)(Arguments...)> {
    static constexpr std::size_t kArguments = sizeof...(Arguments);
    template <std::size_t N>
    using Argument = std::tuple_element_t<N, std::tuple<Arguments...>>;
};
template <typename Owner, typename Result, typename... Arguments>
struct Signature<Result (Owner::*)(Arguments...) const>
    : Signature<Result (Owner::*)(Arguments...)> {};

} // namespace register_map

template <typename Owner>
class RegisterMap {
  public:
    explicit RegisterMap(Owner& owner) : owner_(owner) {}

    class Row {
      public:
        Row(Owner& owner, Register& definition) : owner_(owner), register_(definition) {}

        // --- Shape
        Row& u8() { return width(1); }
        Row& u16() { return width(2); }
        Row& u32() { return width(4); }
        Row& u64() { return width(8); }
        Row& width(unsigned bytes) {
            register_.width = bytes;
            return *this;
        }
        /// `stride` in bytes; 0: elements are adjacent.
        Row& array(unsigned count, unsigned stride = 0) {
            register_.count = count;
            register_.stride = stride;
            return *this;
        }

        // --- Accesses
        /// Also accepts accesses to any aligned 32-bit word.
        Row& words() { return parts(RegisterParts::Words); }
        /// Also accepts accesses to its low bytes.
        Row& low_bytes() { return parts(RegisterParts::Low); }
        Row& read_only() { return rights(RegisterRights::ReadOnly); }
        Row& write_only() { return rights(RegisterRights::WriteOnly); }

        // --- Value
        /// A write changes only these bits.
        Row& mask(std::uint64_t bits) {
            register_.write_mask = bits;
            return *this;
        }
        /// For a register without a read function.
        Row& reset(std::uint64_t value) {
            register_.reset = value;
            return *this;
        }

        // --- Members
        template <typename Member, typename... Before>
        Row& read(Member member, Before... before) {
            register_.read = reader(member, before...);
            return *this;
        }
        /// What a debug access reads if the read function has side effects.
        template <typename Member, typename... Before>
        Row& peek(Member member, Before... before) {
            register_.peek = reader(member, before...);
            return *this;
        }
        template <typename Member, typename... Before>
        Row& write(Member member, Before... before) {
            register_.write = writer(member, before...);
            return *this;
        }
        /// Receives the size and the value of each access: (index, bytes, value, cycle). The
        /// register then also accepts accesses to its last half, quarter and so on.
        template <typename Member, typename... Before>
        Row& write_part(Member member, Before... before) {
            register_.parts = RegisterParts::High;
            register_.write_part = [&owner = owner_, member,
                                    before...](unsigned index, unsigned bytes, std::uint64_t value,
                                               Cycle at) {
                (owner.*member)(before..., index, bytes, value, at);
            };
            return *this;
        }

      private:
        Row& parts(RegisterParts taken) {
            register_.parts = taken;
            return *this;
        }
        Row& rights(RegisterRights rights) {
            register_.rights = rights;
            return *this;
        }

        template <typename Member, typename... Before>
        Register::Read reader(Member member, Before... before) const {
            Owner& owner = owner_;
            if constexpr (std::is_member_object_pointer_v<Member>) {
                return [&owner, member](unsigned, Cycle) {
                    return static_cast<std::uint64_t>(owner.*member);
                };
            } else {
                return [&owner, member, before...](unsigned index, Cycle at) {
                    constexpr std::size_t kCount =
                        register_map::Signature<Member>::kArguments - sizeof...(Before);
                    static_assert(kCount <= 2, "a read function takes an index and a cycle");
                    if constexpr (kCount == 0) {
                        return static_cast<std::uint64_t>((owner.*member)(before...));
                    } else if constexpr (kCount == 1) {
                        return static_cast<std::uint64_t>((owner.*member)(before..., at));
                    } else {
                        return static_cast<std::uint64_t>((owner.*member)(before..., index, at));
                    }
                };
            }
        }

        template <typename Member, typename... Before>
        Register::Write writer(Member member, Before... before) const {
            Owner& owner = owner_;
            if constexpr (std::is_member_object_pointer_v<Member>) {
                return [&owner, member](unsigned, std::uint64_t value, Cycle) {
                    owner.*member =
                        static_cast<std::remove_reference_t<decltype(owner.*member)>>(value);
                };
            } else {
                return [&owner, member, before...](unsigned index, std::uint64_t value, Cycle at) {
                    using Call = register_map::Signature<Member>;
                    constexpr std::size_t kBefore = sizeof...(Before);
                    constexpr std::size_t kCount = Call::kArguments - kBefore;
                    static_assert(kCount >= 1 && kCount <= 3,
                                  "a write function takes an index, the value and a cycle");
                    using Value = typename Call::template Argument<kBefore + (kCount == 3 ? 1 : 0)>;
                    const auto narrow = static_cast<Value>(value);
                    if constexpr (kCount == 1) {
                        (owner.*member)(before..., narrow);
                    } else if constexpr (kCount == 2) {
                        (owner.*member)(before..., narrow, at);
                    } else {
                        (owner.*member)(before..., index, narrow, at);
                    }
                };
            }
        }

        Owner& owner_;
        Register& register_;
    };

    /// Adds a register at this offset in bytes. It has 32 bits unless the row says otherwise.
    Row reg(std::string name, Address offset) {
        Register& added = registers_.emplace_back();
        added.name = std::move(name);
        added.offset = offset;
        return Row(owner_, added);
    }

    /// The rows, for the constructor of the RegisterBlock.
    std::vector<Register> take() { return std::move(registers_); }

  private:
    Owner& owner_;
    std::vector<Register> registers_;
};

} // namespace pes
