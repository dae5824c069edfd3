// SPDX-License-Identifier: Apache-2.0
// The trace wire format, written once: Nexus messages in byte slices (IEEE-ISTO 5001, as SiFive's
// encoders and RISC-V N-Trace 1.0 use them). Encoder, decoder and documentation stand on this
// table.
//
//   slice    bits 7:2 MDO (six data bits, least significant first), bits 1:0 MSEO
//   message  TCODE(6) [SRC(n)] fixed fields, variable fields [TSTAMP]
//
// Fixed fields are packed back to back, also across slices. A variable field starts right behind
// them, ends at a slice boundary, and leaves out leading slices of zeros. TSTAMP is the last
// variable field, so what follows the last field of the layout is one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pes::trace {

inline constexpr unsigned kSliceDataBits = 6; ///< MDO
inline constexpr unsigned kSliceEndBits = 2;  ///< MSEO
inline constexpr unsigned kCodeBits = 6;      ///< TCODE: the data bits of the first slice

/// Of a variable field.
constexpr std::size_t slices(unsigned bits) {
    return (bits + kSliceDataBits - 1) / kSliceDataBits;
}

/// MSEO.
enum class SliceEnd : std::uint8_t { Inside = 0, Field = 1, Illegal = 2, Message = 3 };

inline constexpr std::uint8_t kIdleByte = 0xFF; ///< between messages; pads words of a sink

/// SiFive's decoder gives up on longer messages; N-Trace's longest has 38.
inline constexpr std::size_t kMostSlices = 64;

inline constexpr unsigned kMostSourceBits = 12; ///< N-Trace 1.0, trTeSrcBits

/// TCODE.
enum class MessageCode : std::uint8_t {
    Ownership = 2,
    DirectBranch = 3,
    IndirectBranch = 4,
    DataAcquisition = 7, ///< a write to an instrumentation stimulus
    Error = 8,
    ProgramTraceSync = 9,
    DirectBranchSync = 11,
    IndirectBranchSync = 12,
    AuxAccessWrite = 23, ///< instrumentation of older cores
    ResourceFull = 27,
    IndirectBranchHistory = 28,
    IndirectBranchHistorySync = 29,
    RepeatBranch = 30,
    ProgramTraceCorrelation = 33,
    InCircuitTrace = 34,
    InCircuitTraceSync = 35,
};

/// Codes that N-Trace leaves to vendors: whole messages of something else, nothing is damaged.
constexpr bool is_vendor_code(unsigned code) {
    return code >= 56 && code <= 62;
}

enum class Field : std::uint8_t {
    Process,          ///< PROCESS: format, privilege, V, context
    BranchType,       ///< B-TYPE
    InstructionCount, ///< I-CNT, in units of 16 bits
    Address,          ///< U-ADDR or, in messages with absolute values, F-ADDR
    History,          ///< HIST: stop bit, then the oldest branch; 1 = taken
    IdTag,            ///< IDTAG: 4 * stimulus + offset of the store
    Data,             ///< DQDATA, or DATA of an auxiliary access
    ErrorType,        ///< ETYPE
    ErrorCode,        ///< ECODE
    SyncReason,       ///< SYNC
    AccessAddress,    ///< ADDR of an auxiliary access
    ResourceCode,     ///< RCODE
    ResourceData,     ///< RDATA
    HistoryRepeat,    ///< HREPEAT
    BranchCount,      ///< B-CNT
    EventCode,        ///< EVCODE
    DataFormat,       ///< CDF or CKDF: how many data fields follow
    EventSource,      ///< CKSRC
    EventData0,       ///< CKDATA0
    EventData1,       ///< CKDATA1
};

enum class Packing : std::uint8_t { Fixed, Variable };

struct FieldLayout {
    Field field{};
    Packing packing = Packing::Variable;
    std::uint8_t bits = 0;        ///< width if fixed; if variable, the most that are plausible
    std::uint16_t assigned = 0;   ///< fixed: bit n = value n has a meaning
    std::int8_t selector = -1;    ///< present only if the value of this earlier field ...
    std::uint8_t selected_by = 0; ///< ... is this
};

enum class TimestampKind : std::uint8_t { Relative, Absolute };

inline constexpr std::size_t kMostFields = 5;

struct MessageLayout {
    MessageCode code{};
    std::string_view name; ///< as SiFive's decoder prints it
    TimestampKind timestamp = TimestampKind::Relative;
    std::uint8_t field_count = 0;
    std::array<FieldLayout, kMostFields> fields{};
};

inline constexpr std::size_t kCodes = std::size_t{1} << kCodeBits;
inline constexpr std::size_t kFields = static_cast<std::size_t>(Field::EventData1) + 1;

/// By code, null where this format has none; and the places of its fields.
extern const std::array<const MessageLayout*, kCodes> kLayouts;
extern const std::array<std::array<std::uint8_t, kFields>, kCodes> kFieldPlaces;

/// The layout of a TCODE, or null if this format does not have it (reserved, or a vendor's own).
inline const MessageLayout* find_layout(unsigned code) {
    return code < kCodes ? kLayouts[code] : nullptr;
}

/// The same for a code that is known to exist: every enumerator does.
inline const MessageLayout& layout_of(MessageCode code) {
    return *kLayouts[static_cast<std::size_t>(code)];
}

/// Where the fields of the layout of `code` have this one; kMostFields if it does not.
inline std::size_t field_index(MessageCode code, Field field) {
    return kFieldPlaces[static_cast<std::size_t>(code)][static_cast<std::size_t>(field)];
}

// Values of fixed fields. Names and numbers of SiFive's encoders; N-Trace 1.0 gives the shared ones
// the same meaning.

/// SYNC.
enum class SyncReason : std::uint8_t {
    ExternalTrigger = 0,
    ExitReset = 1,
    Periodic = 2,
    ExitDebug = 3,
    InstructionCountOverflow = 4,
    TraceEnable = 5,
    Watchpoint = 6,
    FifoOverrun = 7,
    ExitPowerDown = 9,
    MessageContention = 11,
    PcSample = 15,
};

/// B-TYPE. SiFive knows 0 and 1 (and 2 as "hardware"); N-Trace splits 1 into 2 and 3.
enum class BranchType : std::uint8_t { Indirect = 0, Trap = 1, Exception = 2, Interrupt = 3 };

/// EVCODE.
enum class CorrelationEvent : std::uint8_t {
    EnterDebug = 0,
    LowPower = 1,
    TraceDisabled = 4,
    EnterReset = 8,
};

/// RCODE.
enum class Resource : std::uint8_t {
    InstructionCount = 0,
    History = 1,
    HistoryRepeat = 2,
    NotTaken = 8,
    Taken = 9,
};

/// CKSRC.
enum class EventSource : std::uint8_t {
    Control = 0,
    ExternalTrigger = 8,
    CallReturn = 9,
    Exception = 10,
    Interrupt = 11,
    Counters = 12, ///< event_counters.h
    Context = 13,
    Watchpoint = 14,
    PcSample = 15,
};

/// CKDATA of CKSRC 0.
enum class ControlCode : std::uint8_t {
    None = 0, ///< nothing but the absolute timestamp
    TraceOn = 2,
    TraceOff = 3,
    ExitDebug = 4,
    EnterDebug = 5,
    ExitReset = 6,
    EnterReset = 8,
};

} // namespace pes::trace
