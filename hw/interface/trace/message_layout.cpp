// SPDX-License-Identifier: Apache-2.0
#include "hw/interface/trace/message_layout.h"

#include <initializer_list>

namespace pes::trace {
namespace {

constexpr std::uint16_t values(std::initializer_list<unsigned> list) {
    std::uint16_t mask = 0;
    for (const unsigned value : list) {
        mask = static_cast<std::uint16_t>(mask | (1U << value));
    }
    return mask;
}

constexpr FieldLayout fixed(Field field, std::uint8_t bits, std::uint16_t assigned) {
    return {.field = field, .packing = Packing::Fixed, .bits = bits, .assigned = assigned};
}

constexpr FieldLayout variable(Field field, std::uint8_t most_bits) {
    return {.field = field, .packing = Packing::Variable, .bits = most_bits};
}

constexpr FieldLayout only_if(std::int8_t selector, std::uint8_t value, FieldLayout layout) {
    layout.selector = selector;
    layout.selected_by = value;
    return layout;
}

constexpr MessageLayout message(MessageCode code, std::string_view name, TimestampKind timestamp,
                                std::initializer_list<FieldLayout> fields) {
    MessageLayout layout{.code = code, .name = name, .timestamp = timestamp};
    for (const FieldLayout& field : fields) {
        layout.fields[layout.field_count++] = field;
    }
    return layout;
}

// The widths of variable fields are N-Trace's limits; IDTAG has 32 stimuli of four bytes.
constexpr FieldLayout kProcess = variable(Field::Process, 64);
constexpr FieldLayout kInstructionCount = variable(Field::InstructionCount, 22);
constexpr FieldLayout kAddress = variable(Field::Address, 63);
constexpr FieldLayout kHistory = variable(Field::History, 32);
constexpr FieldLayout kIdTag = variable(Field::IdTag, 7);
constexpr FieldLayout kData = variable(Field::Data, 64);
constexpr FieldLayout kBranchType = fixed(Field::BranchType, 2, values({0, 1, 2, 3}));
constexpr FieldLayout kErrorType = fixed(Field::ErrorType, 4, values({0}));
constexpr FieldLayout kErrorCode = variable(Field::ErrorCode, 8);
// N-Trace reserves 8 and 10 to 13 (11 is SiFive's contention) and leaves 14 and 15 to vendors.
constexpr FieldLayout kSync =
    fixed(Field::SyncReason, 4, values({0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 14, 15}));
constexpr FieldLayout kAccessAddress = variable(Field::AccessAddress, 64);
constexpr FieldLayout kResourceCode = fixed(Field::ResourceCode, 4, values({0, 1, 2, 8, 9}));
constexpr FieldLayout kResourceData = variable(Field::ResourceData, 32);
constexpr FieldLayout kHistoryRepeat = only_if(0, 2, variable(Field::HistoryRepeat, 18));
constexpr FieldLayout kBranchCount = variable(Field::BranchCount, 18);
constexpr FieldLayout kEventCode = fixed(Field::EventCode, 4, values({0, 1, 4, 8}));
constexpr FieldLayout kDataFormat = fixed(Field::DataFormat, 2, values({0, 1}));
constexpr FieldLayout kCorrelationHistory = only_if(1, 1, kHistory);
constexpr FieldLayout kEventSource =
    fixed(Field::EventSource, 4, values({0, 8, 9, 10, 11, 12, 13, 14, 15}));
constexpr FieldLayout kEventData0 = variable(Field::EventData0, 64);
constexpr FieldLayout kEventData1 = only_if(1, 1, variable(Field::EventData1, 64));

using enum MessageCode;
using enum TimestampKind;

constexpr std::array kRows{
    message(Ownership, "OWNERSHIP TRACE", Relative, {kProcess}),
    message(DirectBranch, "DIRECT BRANCH", Relative, {kInstructionCount}),
    message(IndirectBranch, "INDIRECT BRANCH", Relative,
            {kBranchType, kInstructionCount, kAddress}),
    message(DataAcquisition, "DATA ACQUISITION", Relative, {kIdTag, kData}),
    message(Error, "ERROR", Relative, {kErrorType, kErrorCode}),
    message(ProgramTraceSync, "SYNC", Absolute, {kSync, kInstructionCount, kAddress}),
    message(DirectBranchSync, "DIRECT BRANCH WS", Absolute, {kSync, kInstructionCount, kAddress}),
    message(IndirectBranchSync, "INDIRECT BRANCH WS", Absolute,
            {kSync, kBranchType, kInstructionCount, kAddress}),
    message(AuxAccessWrite, "AUX ACCESS WRITE", Relative, {kAccessAddress, kData}),
    message(ResourceFull, "RESOURCE FULL", Relative,
            {kResourceCode, kResourceData, kHistoryRepeat}),
    message(IndirectBranchHistory, "INDIRECT BRANCH HISTORY", Relative,
            {kBranchType, kInstructionCount, kAddress, kHistory}),
    message(IndirectBranchHistorySync, "INDIRECT BRANCH HISTORY WS", Absolute,
            {kSync, kBranchType, kInstructionCount, kAddress, kHistory}),
    message(RepeatBranch, "REPEAT BRANCH", Relative, {kBranchCount}),
    message(ProgramTraceCorrelation, "CORRELATION", Relative,
            {kEventCode, kDataFormat, kInstructionCount, kCorrelationHistory}),
    message(InCircuitTrace, "INCIRCUITTRACE", Relative,
            {kEventSource, kDataFormat, kEventData0, kEventData1}),
    message(InCircuitTraceSync, "INCIRCUITTRACE WS", Absolute,
            {kEventSource, kDataFormat, kEventData0, kEventData1}),
};

} // namespace

constinit const std::array<const MessageLayout*, kCodes> kLayouts = [] {
    std::array<const MessageLayout*, kCodes> table{};
    for (const MessageLayout& layout : kRows) {
        table[static_cast<std::size_t>(layout.code)] = &layout;
    }
    return table;
}();

constinit const std::array<std::array<std::uint8_t, kFields>, kCodes> kFieldPlaces = [] {
    std::array<std::array<std::uint8_t, kFields>, kCodes> table{};
    for (auto& row : table) {
        row.fill(kMostFields);
    }
    for (const MessageLayout& layout : kRows) {
        for (std::uint8_t index = 0; index < layout.field_count; ++index) {
            const Field field = layout.fields[index].field;
            table[static_cast<std::size_t>(layout.code)][static_cast<std::size_t>(field)] = index;
        }
    }
    return table;
}();

} // namespace pes::trace
