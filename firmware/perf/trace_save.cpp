// SPDX-License-Identifier: Apache-2.0
// perfWriteTrace: what a sink has gathered so far, oldest first, as a file of the host, and beside
// it how to read it.
#include "firmware/lib/host_file.h"
#include "firmware/perf/hart_state.h"
#include "firmware/perf/platform_facts.h"
#include "firmware/perf/trace_description.h"
#include "hw/interface/trace/crc32.h"

namespace pes::perf {

namespace {

constexpr const char* kDefaultName = "trace.rtd";
constexpr unsigned kChunkWords = 256; // that are fetched from a buffer between two writes

// Offsets in a buffer. All of it is valid once it has wrapped, and the oldest byte is then at the
// write pointer.
struct Filling {
    uint64_t write_pointer = 0;
    bool wrapped = false;
    bool overwritten = false; ///< not merely full: the oldest byte may be inside of a message
    bool stopped = false;     ///< by the end of the buffer
};

Filling read_filling(const TraceUnit& unit, const Buffer& buffer) {
    const WritePointer pointer = unit.write_pointer();
    const auto words = static_cast<uint32_t>(buffer.size / unit.sink_word_bytes());
    return {.write_pointer = pointer.address - static_cast<uint32_t>(buffer.base),
            .wrapped = pointer.wrapped,
            .overwritten = pointer.wrapped && unit.words_written() != words};
}

// The host serves one call at a time.
class File {
  public:
    explicit File(const char* name) {
        const LockGuard guard(library.host_lock);
        file_ = host_file_create(name);
    }
    Status status() const {
        return file_ < 0 ? fail("the host does not create the trace's file: is there a host with "
                                "--guest-files, and is it a plain name?")
                         : Status::Ok;
    }

    Status write(const void* data, uint64_t bytes) {
        crc32_.add(data, bytes);
        const auto* from = static_cast<const uint8_t*>(data);
        while (bytes != 0) {
            const LockGuard guard(library.host_lock);
            const int64_t written = host_file_write(file_, from, bytes);
            if (written <= 0 || static_cast<uint64_t>(written) > bytes) {
                return fail("the host does not take all of the trace: its disk may be full");
            }
            from += written;
            bytes -= static_cast<uint64_t>(written);
        }
        return Status::Ok;
    }

    Status close() {
        const LockGuard guard(library.host_lock);
        return host_file_close(file_) < 0 ? fail("the host could not close the trace's file")
                                          : Status::Ok;
    }

    /// Of all that was written.
    uint32_t crc32() const { return crc32_.value(); }

  private:
    int64_t file_ = -1;
    trace::Crc32 crc32_;
};

// Messages that are still in the encoder or the funnel belong to what has been gathered. Encoder
// first, so that the funnel or the RAM sink gets all of it. The units end as they were.
Status flush_units(const HartState& hart, Filling& filling) {
    const InterruptMask mask;
    const bool shared = hart.sink_unit.base() != hart.encoder.base();
    uint32_t encoder_control = 0;
    uint32_t funnel_control = 0;
    Status status = hart.encoder.flush(encoder_control);
    if (shared) {
        if (hart.sink_unit.flush(funnel_control) != Status::Ok) {
            status = Status::Error;
        }
    }
    filling = read_filling(hart.sink_unit, hart.sink->buffer);
    if (shared) {
        hart.sink_unit.resume(funnel_control);
    }
    hart.encoder.resume(encoder_control);
    filling.stopped = hart.sink_unit.full();
    return status;
}

// Word by word through a buffer of its own, for memory too: records may overwrite a circular buffer
// meanwhile, and the checksum has to be that of the bytes in the file.
Status save_part(File& file, const HartState& hart, uint64_t from, uint64_t to) {
    const bool sram = hart.sink->requested == 0;
    if (sram) {
        hart.sink_unit.set_read_pointer(static_cast<uint32_t>(from));
    }
    const auto* memory = reinterpret_cast<const volatile uint32_t*>(hart.sink->buffer.base + from);
    uint32_t chunk[kChunkWords];
    for (uint64_t words = (to - from) / sizeof chunk[0]; words != 0;) {
        const uint64_t count = words < kChunkWords ? words : kChunkWords;
        for (uint64_t index = 0; index < count; ++index) {
            // Reading the window of the SRAM moves its read pointer on.
            chunk[index] = sram ? hart.sink_unit.take_data() : *memory++;
        }
        if (file.write(chunk, count * sizeof chunk[0]) != Status::Ok) {
            return Status::Error;
        }
        words -= count;
    }
    return Status::Ok;
}

Status save_buffer(const HartState& hart, const Filling& filling, const char* name,
                   uint32_t& crc32) {
    File file(name);
    Status status = file.status();
    if (status != Status::Ok) {
        return status;
    }
    if (filling.wrapped) {
        status = save_part(file, hart, filling.write_pointer, hart.sink->buffer.size);
    }
    if (status == Status::Ok) {
        status = save_part(file, hart, 0, filling.write_pointer);
    }
    crc32 = file.crc32();
    return file.close() == Status::Ok ? status : Status::Error;
}

Status save_description(const HartState& hart, const Filling& filling, uint32_t crc32,
                        const char* name) {
    const TraceUnit& clock = hart.clock.base() != 0 ? hart.clock : hart.encoder;
    const auto text = description_text({.wrapped = filling.overwritten,
                                        .stopped = filling.stopped,
                                        .source_bits = hart.encoder.source_bits(),
                                        .timestamp_bits = hart.encoder.timestamp_width(),
                                        .differences = hart.encoder.timestamps_are_differences(),
                                        .clock_hz = platform_facts().clock_hz / clock.prescale(),
                                        .crc32 = crc32});
    File file(name);
    Status status = file.status();
    if (status != Status::Ok) {
        return status;
    }
    status = file.write(text.data(), text.length());
    size_t more = 0;
    while (platform_text()[more] != '\0') {
        ++more;
    }
    if (status == Status::Ok) {
        status = file.write(platform_text(), more);
    }
    return file.close() == Status::Ok ? status : Status::Error;
}

Status save(const HartState& hart, const char* name) {
    const auto description = description_name(name);
    Filling filling;
    if (description.cut()) {
        return fail("a trace file's name has 1 to 250 characters");
    }
    if (flush_units(hart, filling) != Status::Ok) {
        return Status::Error;
    }
    machine::order_memory();
    uint32_t crc32 = 0;
    const Status status = save_buffer(hart, filling, name, crc32);
    return status != Status::Ok ? status
                                : save_description(hart, filling, crc32, description.data());
}

} // namespace

} // namespace pes::perf

int perfWriteTrace(const char* file) {
    using namespace pes::perf;
    const HartState* hart = this_hart();
    if (hart == nullptr || hart->collection == Collection::None) {
        return static_cast<int>(fail("perfWriteTrace comes after the initialisation of its hart"));
    }
    if (library.funnels != 0) {
        library.sink_lock.acquire(); // a sink that harts share is read by one at a time
    }
    const Status status = save(*hart, file != nullptr ? file : kDefaultName);
    if (library.funnels != 0) {
        library.sink_lock.release();
    }
    return static_cast<int>(status);
}
