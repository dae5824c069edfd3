// SPDX-License-Identifier: Apache-2.0
// Virtio over MMIO and its split queues: VIRTIO 1.2, sections 2.1, 2.7, 4.2.2 and 6. Freestanding.
#pragma once

namespace pes::virtio {

// Registers (table 4.1). All of them take 32-bit accesses only; the configuration of the device
// begins at kConfig.
inline constexpr unsigned kMagicValue = 0x000;
inline constexpr unsigned kVersion = 0x004;
inline constexpr unsigned kDeviceId = 0x008;
inline constexpr unsigned kVendorId = 0x00C;
inline constexpr unsigned kDeviceFeatures = 0x010;
inline constexpr unsigned kDeviceFeaturesSel = 0x014;
inline constexpr unsigned kDriverFeatures = 0x020;
inline constexpr unsigned kDriverFeaturesSel = 0x024;
inline constexpr unsigned kQueueSel = 0x030;
inline constexpr unsigned kQueueNumMax = 0x034;
inline constexpr unsigned kQueueNum = 0x038;
inline constexpr unsigned kQueueReady = 0x044;
inline constexpr unsigned kQueueNotify = 0x050;
inline constexpr unsigned kInterruptStatus = 0x060;
inline constexpr unsigned kInterruptAck = 0x064;
inline constexpr unsigned kStatus = 0x070;
inline constexpr unsigned kQueueDescLow = 0x080;
inline constexpr unsigned kQueueDescHigh = 0x084;
inline constexpr unsigned kQueueDriverLow = 0x090;
inline constexpr unsigned kQueueDriverHigh = 0x094;
inline constexpr unsigned kQueueDeviceLow = 0x0A0;
inline constexpr unsigned kQueueDeviceHigh = 0x0A4;
inline constexpr unsigned kShmSel = 0x0AC;
inline constexpr unsigned kShmLenLow = 0x0B0; ///< and three more words
inline constexpr unsigned kConfigGeneration = 0x0FC;
inline constexpr unsigned kConfig = 0x100;

inline constexpr unsigned kMagic = 0x74726976; // "virt"
inline constexpr unsigned kModern = 2;         // Version

// Status (section 2.1)
inline constexpr unsigned kAcknowledge = 1;
inline constexpr unsigned kDriver = 2;
inline constexpr unsigned kDriverOk = 4;
inline constexpr unsigned kFeaturesOk = 8;
inline constexpr unsigned kNeedsReset = 0x40;
inline constexpr unsigned kFailed = 0x80;

// InterruptStatus
inline constexpr unsigned kUsedBuffer = 1;
inline constexpr unsigned kConfigChange = 2;

// Feature bits of every device (section 6)
inline constexpr unsigned kIndirectDescriptors = 28;
inline constexpr unsigned kEventIndex = 29;
inline constexpr unsigned kVersion1 = 32;

// Split queues (section 2.7): sizes in bytes and flags
inline constexpr unsigned kDescriptorBytes = 16;
inline constexpr unsigned kUsedElementBytes = 8;
inline constexpr unsigned kRingHeaderBytes = 4; ///< flags and idx, before the elements
inline constexpr unsigned kEventBytes = 2;      ///< used_event or avail_event, behind them
inline constexpr unsigned kNext = 1;            ///< of a descriptor
inline constexpr unsigned kWrite = 2;           ///< likewise
inline constexpr unsigned kIndirect = 4;        ///< likewise
inline constexpr unsigned kNoInterrupt = 1;     ///< of the available ring
inline constexpr unsigned kDescriptorAlignment = 16;
inline constexpr unsigned kAvailableAlignment = 2;
inline constexpr unsigned kUsedAlignment = 4;

// Block device (section 5.2): feature bits, types of requests and their status
inline constexpr unsigned kBlockSegMax = 2;
inline constexpr unsigned kBlockSize = 6;
inline constexpr unsigned kBlockFlush = 9;
inline constexpr unsigned kBlockIn = 0;
inline constexpr unsigned kBlockOut = 1;
inline constexpr unsigned kBlockFlushRequest = 4;
inline constexpr unsigned kBlockGetId = 8;
inline constexpr unsigned kBlockHeaderBytes = 16;
inline constexpr unsigned char kBlockOk = 0;
inline constexpr unsigned char kBlockIoError = 1;
inline constexpr unsigned char kBlockUnsupported = 2;

// Console device (section 5.3): feature bit, field of the configuration, queues of port 0
inline constexpr unsigned kConsoleEmergencyWrite = 2;
inline constexpr unsigned kConsoleEmergencyField = 8;
inline constexpr unsigned kConsoleReceiveQueue = 0;
inline constexpr unsigned kConsoleTransmitQueue = 1;

// DeviceID (section 5)
inline constexpr unsigned kBlockDevice = 2;
inline constexpr unsigned kConsoleDevice = 3;
inline constexpr unsigned kEntropyDevice = 4;
inline constexpr unsigned kFileDevice = 9; ///< 9P transport

} // namespace pes::virtio
