// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/outputs/empty_outputs.h"

#include "platform/host/numbers.h"

namespace pes {

namespace {

std::string reason_for_no_samples(const SampleChannel& samples, const SampleWays& ways) {
    const std::uint64_t bytes = samples.malformed() * kSampleSize + samples.partial();
    if (bytes != 0) {
        return "the " + std::to_string(bytes) +
               " bytes that the program wrote to file descriptor 3 hold no whole sample record";
    }
    if (!ways.host_interface_on) {
        return "sample records reach the host through tohost, which is off (htif.enabled = false)";
    }
    if (!ways.has_tohost) {
        return "the program has no symbol tohost, through which its sample records would reach "
               "the host";
    }
    if (ways.threshold_interrupts == 0) {
        return "no counter reached a threshold; a program samples by setting one (docs/pes.md)";
    }
    return "counters reached a threshold " + std::to_string(ways.threshold_interrupts) +
           (ways.threshold_interrupts == 1 ? " time" : " times") +
           ", but the program wrote no record to file descriptor 3 before the run ended";
}

std::string reason_for_no_trace(const TraceReport& report, const TraceSetup& setup) {
    std::uint64_t messages = 0;
    for (const trace::SenderCounts& encoder : report.encoders) {
        messages += encoder.messages;
    }
    if (messages != 0) {
        return "none of the " + std::to_string(messages) +
               " messages left through the probe: the program chose another sink or switched the "
               "probe off";
    }
    if (setup.program == ProgramTrace::None) {
        return setup.instrumentation
                   ? "--trace-program none leaves the stimuli, and the program wrote to none"
                   : "--trace-program none and --trace-itc off leave nothing to trace";
    }
    if (setup.program == ProgramTrace::Events) {
        return "no event that --trace-program events sends came before the run ended";
    }
    if (setup.filter.any()) {
        return "no instruction matched --trace-range, --trace-mode and --trace-traps";
    }
    return "the program switched the encoder off before its first message";
}

} // namespace

std::optional<std::string> why_no_samples(const SampleChannel& samples, const SampleWays& ways) {
    return samples.records() != 0
               ? std::nullopt
               : std::optional("no records: " + reason_for_no_samples(samples, ways));
}

std::optional<std::string> why_no_trace(const TraceReport& report, const TraceSetup& setup) {
    return report.probe_bytes != 0
               ? std::nullopt
               : std::optional("no messages: " + reason_for_no_trace(report, setup));
}

std::optional<std::string> why_no_software_trace(const TraceReport& report, std::uint32_t csr) {
    std::string silent;
    std::size_t count = 0;
    for (std::size_t hart = 0; hart < report.software.size(); ++hart) {
        if (report.software[hart].words == 0) {
            silent += (count == 0 ? "" : ", ") + std::to_string(hart);
            ++count;
        }
    }
    if (count == 0) {
        return std::nullopt;
    }
    const std::string of_whom =
        report.software.size() == 1 ? "" : (count == 1 ? " of hart " : " of harts ") + silent;
    return "no packets" + of_whom + ": CSR " + hex(csr) +
           " was not written while the software trace module was on";
}

} // namespace pes
