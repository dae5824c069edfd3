// SPDX-License-Identifier: Apache-2.0
// 16550 register numbers; the byte offset is number * stride. Freestanding.
#pragma once

#include <stdint.h>

namespace pes::uart {

inline constexpr unsigned kData = 0;            ///< RBR (read), THR (write); DLL when LCR.DLAB
inline constexpr unsigned kInterruptEnable = 1; ///< IER; DLM when LCR.DLAB
inline constexpr unsigned kInterruptId = 2;     ///< IIR (read), FCR (write)
inline constexpr unsigned kLineControl = 3;     ///< LCR
inline constexpr unsigned kModemControl = 4;    ///< MCR
inline constexpr unsigned kLineStatus = 5;      ///< LSR
inline constexpr unsigned kModemStatus = 6;     ///< MSR
inline constexpr unsigned kScratch = 7;         ///< SCR

inline constexpr uint8_t kLineStatusDataReady = 0x01;
inline constexpr uint8_t kLineStatusTransmitEmpty = 0x20; ///< THRE
inline constexpr uint8_t kLineStatusIdle = 0x40;          ///< TEMT

} // namespace pes::uart
