// SPDX-License-Identifier: Apache-2.0
// A router, a memory and two devices as any platform has them, in plain TLM-2.0.
#pragma once

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

class Router : public sc_core::sc_module {
  public:
    explicit Router(const sc_core::sc_module_name& name) : sc_module(name) {
        from.register_b_transport(this, &Router::b_transport);
        from.register_transport_dbg(this, &Router::transport_dbg);
        from.register_get_direct_mem_ptr(this, &Router::get_direct_mem_ptr);
        to_.register_invalidate_direct_mem_ptr(this, &Router::invalidate);
    }
    template <typename Socket>
    void map(sc_dt::uint64 base, sc_dt::uint64 size, Socket& target) {
        ranges_.push_back({base, size});
        to_.bind(target);
    }

    tlm_utils::multi_passthrough_target_socket<Router> from{"from"}; ///< of any masters

  private:
    struct Range {
        sc_dt::uint64 base, size;
    };
    using Payload = tlm::tlm_generic_payload;

    /// Calls `work` with the port of the target, and its address in the payload.
    template <typename Result, typename Work>
    Result in_range(Payload& payload, Result otherwise, const Work& work) {
        const sc_dt::uint64 address = payload.get_address();
        for (std::size_t port = 0; port < ranges_.size(); ++port) {
            if (address - ranges_[port].base < ranges_[port].size) {
                payload.set_address(address - ranges_[port].base);
                const Result result = work(static_cast<int>(port));
                payload.set_address(address);
                return result;
            }
        }
        return otherwise;
    }
    void b_transport(int, Payload& payload, sc_core::sc_time& delay) {
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        in_range(payload, false, [&](int port) {
            to_[port]->b_transport(payload, delay);
            return true;
        });
    }
    unsigned transport_dbg(int, Payload& payload) {
        return in_range(payload, 0U, [&](int port) { return to_[port]->transport_dbg(payload); });
    }
    bool get_direct_mem_ptr(int, Payload& payload, tlm::tlm_dmi& region) {
        return in_range(payload, false, [&](int port) {
            const bool granted = to_[port]->get_direct_mem_ptr(payload, region);
            region.set_start_address(region.get_start_address() + ranges_[port].base);
            region.set_end_address(region.get_end_address() + ranges_[port].base);
            return granted;
        });
    }
    void invalidate(int port, sc_dt::uint64 first, sc_dt::uint64 last) {
        for (unsigned master = 0; master < from.size(); ++master) {
            from[static_cast<int>(master)]->invalidate_direct_mem_ptr(first + ranges_[port].base,
                                                                      last + ranges_[port].base);
        }
    }

    tlm_utils::multi_passthrough_initiator_socket<Router> to_{"to"};
    std::vector<Range> ranges_;
};

class Memory : public sc_core::sc_module {
  public:
    Memory(const sc_core::sc_module_name& name, std::size_t size) : sc_module(name), bytes_(size) {
        socket.register_b_transport(this, &Memory::b_transport);
        socket.register_transport_dbg(this, &Memory::transport_dbg);
        socket.register_get_direct_mem_ptr(this, &Memory::get_direct_mem_ptr);
    }

    tlm_utils::simple_target_socket<Memory> socket{"socket"};
    bool grants_dmi = true;

  private:
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
        unsigned char* const data = payload.get_data_ptr();
        const std::size_t length = payload.get_data_length();
        if (payload.get_address() + length > bytes_.size()) {
            return 0;
        }
        unsigned char* const here = bytes_.data() + payload.get_address();
        std::memcpy(payload.is_read() ? data : here, payload.is_read() ? here : data, length);
        return static_cast<unsigned>(length);
    }
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
        payload.set_response_status(transport_dbg(payload) != 0 ? tlm::TLM_OK_RESPONSE
                                                                : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& region) {
        region.set_dmi_ptr(bytes_.data());
        region.set_start_address(0);
        region.set_end_address(bytes_.size() - 1);
        region.allow_read_write();
        return grants_dmi;
    }

    std::vector<unsigned char> bytes_;
};

/// The transmitter of a 16550, which is always empty.
class Console : public sc_core::sc_module {
  public:
    Console(const sc_core::sc_module_name& name, const sc_core::sc_time& latency)
        : sc_module(name), latency_(latency) {
        socket.register_b_transport(this, &Console::b_transport);
    }
    std::FILE* file = stdout;
    tlm_utils::simple_target_socket<Console> socket{"socket"};

  private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
        constexpr unsigned kData = 0, kLineStatus = 5, kEmpty = 0x60;
        delay += latency_;
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        if (payload.is_read()) {
            std::memset(payload.get_data_ptr(), payload.get_address() == kLineStatus ? kEmpty : 0,
                        payload.get_data_length());
        } else if (payload.get_address() == kData) {
            std::fputc(*payload.get_data_ptr(), file);
        }
    }

    const sc_core::sc_time latency_;
};

/// SiFive's test finisher: a write ends the program.
class Finisher : public sc_core::sc_module {
  public:
    Finisher(const sc_core::sc_module_name& name, std::function<void()> finish)
        : sc_module(name), finish_(std::move(finish)) {
        socket.register_b_transport(this, &Finisher::b_transport);
    }
    tlm_utils::simple_target_socket<Finisher> socket{"socket"};

  private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        if (payload.is_write()) {
            finish_();
        }
    }

    const std::function<void()> finish_;
};
