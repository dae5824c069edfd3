// SPDX-License-Identifier: Apache-2.0
// The text files of event messages (ICT) that SiFive's published decoder (0.18) writes, with its
// names and its lines:
//
//   <program>.events          everything
//   events/<program>.<kind>   trigger, watchpoint, callret, exception, interrupt, privcontext,
//                             scontext, hcontext, periodic, control
//
// TextStyle::Published writes what that decoder writes, byte for byte, with what it does wrong:
// besides that of all its files (published_lines.h) values are cut to 32 bits, a direct call in a
// message with sync leads to itself, a call or return in one that says where it goes is missing,
// address 0 stands for one that is not known, control code 8 is called reserved.
// TextStyle::Fixed mends these, and knows the trap causes that came later.
#pragma once

#include "decoder/trace/messages/trace_events.h"
#include "decoder/trace/output/published_lines.h"
#include "decoder/trace/output/text_output.h"
#include "platform/host/output_set.h"
#include "platform/program/program_image.h"

#include <map>

namespace pes::trace {

class EventFiles {
  public:
    /// `directory` exists; the files are opened as they are needed and committed by the set.
    /// `code`: what the program is made of; it tells calls from returns.
    EventFiles(OutputSet& files, const std::filesystem::path& directory, CodePlaces& places,
               const ProgramImage& code, TextStyle style);

    /// To be told every message but errors and those of stimuli, in its order.
    void add(const TraceItem& item, const MessageContext& context);
    /// An Error message, of whatever source.
    void lost();

    void finish();
    bool empty() const { return empty_; }

  private:
    /// Besides the file with everything.
    enum class File : std::uint8_t {
        Trigger,
        Watchpoint,
        CallReturn,
        Exception,
        Interrupt,
        PrivilegeContext,
        SupervisorContext,
        HypervisorContext,
        Periodic,
        Control,
        Count
    };
    static constexpr std::size_t kFiles = static_cast<std::size_t>(File::Count);

    /// What the published decoder still knows of a source. It takes an address of 0 for none: from
    /// there, from a stop and from a loss of any source on, everything is at 0 until a message with
    /// F-ADDR.
    struct Reference {
        bool address = false;
        bool time = true;
    };
    static constexpr Reference kNothing{false, false};

    static std::optional<File> file_of(const TraceEvent& event);
    static bool has_no_address(const TraceEvent& event);
    static const char* suffix_of(File file);

    bool published() const { return style_ == TextStyle::Published; }
    /// Keeps of the event what the published decoder knows of it.
    void forget(const TraceMessage& message, const MessageContext& context,
                std::optional<TraceEvent>& event);
    void write(const TraceEvent& event, MessageCode code);
    void write_counters(const TraceEvent& event);
    TextOutput& file(File file);

    void append_event(File file, const TraceEvent& event, MessageCode code);
    void append_transfer(const TraceEvent& event, const std::optional<InstructionFlow>& flow,
                         MessageCode code);
    /// False if the line is to be left out.
    bool end_line(File file, const TraceEvent& event);
    void append_address(Address address);
    void append_number(std::uint64_t value);
    std::optional<InstructionFlow> instruction_at(std::uint16_t source, Address address) const;
    std::optional<Address> destination_of(const TraceEvent& event,
                                          const std::optional<InstructionFlow>& flow,
                                          MessageCode code) const;

    OutputSet& files_;
    std::filesystem::path stem_; ///< of the files in the directory "events"
    CodePlaces& places_;
    const ProgramImage& code_;
    TextStyle style_;
    TextOutput all_;
    std::vector<TextOutput> parts_;
    std::vector<Reference> references_;  ///< by source
    std::map<std::uint16_t, File> last_; ///< by source: where the event before went, if anywhere
    std::string line_;
    bool empty_ = true;
};

} // namespace pes::trace
