// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "hw/common/event.h"
