// SPDX-License-Identifier: Apache-2.0
// What a checkpoint has of funnels and sinks: registers, the bytes of an SRAM, and what has been
// taken from the source and not written yet. What has reached memory or a file is there.
#include "hw/common/archive.h"
#include "hw/trace/sinks/funnel.h"
#include "hw/trace/sinks/trace_sink.h"

namespace pes::trace {

void SinkWindow::state(Archive& archive) {
    archive.fixed(sram_);
    archive.one_of(kind_, BufferKind::Memory);
    archive(start_, limit_, write_pointer_, read_pointer_, wrapped_, changes_);
}

void TraceSink::state(Archive& archive) {
    archive(window_);
    archive.below(code_, trace_map::sink::kFunnel + 1);
    archive.below(selected_, trace_map::sink::kFunnel + 1);
    if (!is_present(selected_)) {
        archive.refuse("a trace sink is selected that is not there");
    }
    archive.one_of(on_wrap_, OnWrap::StopEachTime);
    archive(probe_settings_, error_, closed_, closing_, bytes_);
    archive.below(held_, bytes_.size() + 1);
    archive(waiting_, wake_, busy_until_, flush_at_, words_);
    archive(statistics_.written, statistics_.overwritten, statistics_.refused,
            statistics_.discarded);
    if (!archive.saves()) {
        source_->set_listener(selected_ == trace_map::sink::kFunnel ? funnel_ : this);
    }
}

void Funnel::Input::state(Archive& archive) {
    archive(disabled_, disabled_at_);
}

void Funnel::state(Archive& archive) {
    archive(timestamps_);
    for (Input& input : inputs_) {
        archive(input);
    }
    archive.below(next_, inputs_.size() + 1); // there may be none
    archive(active_, enable_, stop_on_wrap_, sink_code_, disabled_at_, dropped_, registers_);
}

} // namespace pes::trace
