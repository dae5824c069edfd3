// SPDX-License-Identifier: Apache-2.0
// Names, codes and descriptions of preset and native events.
#include "firmware/papi/library.h"

namespace pes::papi {

namespace {

struct PresetName {
    const char* name;
    const char* text;
    int category; ///< PAPI_PRESET_ENUM_...
};
#define PES_PAPI_ROW(name, category, text) {"PAPI_" #name, text, PAPI_PRESET_ENUM_##category},
constexpr PresetName kPresetNames[] = {PES_PAPI_PRESETS(PES_PAPI_ROW)};
#undef PES_PAPI_ROW

/// Index of a preset's code, PAPI_END_idx if it is none.
unsigned preset_index(int code) {
    const auto index = static_cast<unsigned>(code & PAPI_PRESET_AND_MASK);
    return IS_PRESET(code) && index < PAPI_END_idx ? index : unsigned{PAPI_END_idx};
}

bool preset_matches(unsigned index, int modifier) {
    switch (modifier) {
    case PAPI_ENUM_EVENTS:
    case PAPI_ENUM_FIRST:
    case PAPI_PRESET_ENUM_FIRST_COMP: // there is no other component
    case PAPI_PRESET_ENUM_CPU:
        return true;
    case PAPI_PRESET_ENUM_AVAIL:
    case PAPI_PRESET_ENUM_CPU_AVAIL:
        return find_preset(static_cast<int>(index) | PAPI_PRESET_MASK) != nullptr;
    default:
        return kPresetNames[index].category == modifier;
    }
}

int enumerate_presets(int* code, int modifier) {
    if (modifier >= PAPI_NTV_ENUM_UMASKS) {
        return PAPI_EINVAL;
    }
    const bool first = modifier == PAPI_ENUM_FIRST || modifier == PAPI_PRESET_ENUM_FIRST_COMP;
    unsigned index = first ? 0 : static_cast<unsigned>(*code & PAPI_PRESET_AND_MASK) + 1;
    while (index < PAPI_END_idx && !preset_matches(index, modifier)) {
        ++index;
    }
    if (index >= PAPI_END_idx) {
        return PAPI_ENOEVNT;
    }
    *code = static_cast<int>(index) | PAPI_PRESET_MASK;
    return PAPI_OK;
}

int enumerate_natives(int* code, int modifier) {
    if (modifier >= PAPI_NTV_ENUM_UMASKS) {
        return PAPI_ENOEVNT; // no event has masks, ranges or groups
    }
    if (modifier != PAPI_ENUM_EVENTS && modifier != PAPI_ENUM_FIRST) {
        return PAPI_EINVAL;
    }
    unsigned index = static_cast<unsigned>(*code & ~PAPI_NATIVE_MASK);
    index = modifier == PAPI_ENUM_FIRST ? 0 : index + 1;
    while (index < library.profile->native_count && !native_available(index)) {
        ++index;
    }
    if (index >= library.profile->native_count) {
        return PAPI_ENOEVNT;
    }
    *code = static_cast<int>(index) | PAPI_NATIVE_MASK;
    return PAPI_OK;
}

void describe_preset(const Preset& preset, PAPI_event_info_t& info) {
    const PresetName& row = kPresetNames[preset_index(preset.code)];
    set_text(info.symbol, row.name);
    set_text(info.short_descr, row.text);
    set_text(info.long_descr, row.text);
    info.event_type = 1U << row.category;
    info.count = preset.terms;
    set_text(info.derived, kDerivedNames[static_cast<unsigned>(preset.derived)]);
    set_text(info.postfix, preset.postfix);
    set_text(info.note, preset.note);
    for (unsigned i = 0; i < preset.terms; ++i) {
        info.code[i] = preset.term[i] | static_cast<unsigned>(PAPI_NATIVE_MASK);
        set_text(info.name[i], library.profile->natives[preset.term[i]].name);
    }
}

void describe_native(const Native& native, PAPI_event_info_t& info) {
    set_text(info.symbol, native.name);
    set_text(info.short_descr, native.name);
    set_text(info.long_descr, native.meaning);
    info.count = 1;
    info.code[0] = native.event;
    set_text(info.name[0], "SBI event_idx");
}

} // namespace

const Preset* find_preset(int code) {
    for (unsigned i = 0; i < library.profile->preset_count; ++i) {
        const Preset& preset = library.profile->presets[i];
        if (preset.code != code) {
            continue;
        }
        for (unsigned term = 0; term < preset.terms; ++term) {
            if (!native_available(preset.term[term])) {
                return nullptr;
            }
        }
        return &preset;
    }
    return nullptr;
}

bool native_available(unsigned native) {
    return (library.available >> native & 1) != 0;
}

bool event_known(int code) {
    return IS_PRESET(code) ? find_preset(code) != nullptr : native_of(code) >= 0;
}

int native_of(int code) {
    const int index = code & ~PAPI_NATIVE_MASK;
    if (!IS_NATIVE(code) || index >= library.profile->native_count ||
        !native_available(static_cast<unsigned>(index))) {
        return -1;
    }
    return index;
}

} // namespace pes::papi

using namespace pes::papi;

extern "C" int PAPI_event_name_to_code(const char* in, int* out) {
    if (in == nullptr || out == nullptr) {
        return answer(PAPI_EINVAL);
    }
    if (library.initialized == PAPI_NOT_INITED) {
        return answer(PAPI_ENOINIT);
    }
    for (int i = 0; i < PAPI_END_idx; ++i) {
        if (same_text(in, kPresetNames[i].name)) {
            *out = i | PAPI_PRESET_MASK;
            return PAPI_OK;
        }
    }
    // A native event may have the profile's name in front, as libpfm writes it.
    if (const char* rest = behind(in, library.profile->name); rest != nullptr) {
        rest = behind(rest, "::");
        in = rest != nullptr ? rest : in;
    }
    for (unsigned i = 0; i < library.profile->native_count; ++i) {
        if (native_available(i) && same_text(in, library.profile->natives[i].name)) {
            *out = static_cast<int>(i) | PAPI_NATIVE_MASK;
            return PAPI_OK;
        }
    }
    return answer(PAPI_ENOEVNT);
}

extern "C" int PAPI_event_code_to_name(int EventCode, char* out) {
    if (out == nullptr) {
        return answer(PAPI_EINVAL);
    }
    if (library.initialized == PAPI_NOT_INITED) {
        return answer(PAPI_ENOINIT);
    }
    const char* name = nullptr;
    if (const unsigned index = preset_index(EventCode); index < PAPI_END_idx) {
        name = kPresetNames[index].name;
    } else if (const int native = native_of(EventCode); native >= 0) {
        name = library.profile->natives[native].name;
    } else {
        return answer(PAPI_ENOEVNT);
    }
    while ((*out++ = *name++) != '\0') {
    }
    return PAPI_OK;
}

extern "C" int PAPI_enum_event(int* EventCode, int modifier) {
    if (library.initialized == PAPI_NOT_INITED) {
        return answer(PAPI_ENOINIT);
    }
    if (EventCode == nullptr || modifier < PAPI_ENUM_EVENTS || modifier > PAPI_NTV_ENUM_GROUPS) {
        return answer(PAPI_EINVAL);
    }
    if (IS_PRESET(*EventCode)) {
        return answer(enumerate_presets(EventCode, modifier));
    }
    return answer(IS_NATIVE(*EventCode) ? enumerate_natives(EventCode, modifier) : PAPI_EINVAL);
}

extern "C" int PAPI_enum_cmp_event(int* EventCode, int modifier, int cidx) {
    return cidx == 0 ? PAPI_enum_event(EventCode, modifier) : answer(PAPI_ENOCMP);
}

extern "C" int PAPI_query_event(int EventCode) {
    if (library.initialized == PAPI_NOT_INITED) {
        return answer(PAPI_ENOINIT);
    }
    return answer(event_known(EventCode) ? PAPI_OK : PAPI_ENOEVNT);
}

extern "C" int PAPI_query_named_event(const char* EventName) {
    int code = 0;
    const int result = PAPI_event_name_to_code(EventName, &code);
    return result == PAPI_OK ? PAPI_query_event(code) : result;
}

extern "C" int PAPI_get_event_info(int EventCode, PAPI_event_info_t* info) {
    if (info == nullptr) {
        return answer(PAPI_EINVAL);
    }
    if (library.initialized == PAPI_NOT_INITED) {
        return answer(PAPI_ENOINIT);
    }
    *info = {};
    info->event_code = static_cast<unsigned>(EventCode);
    if (const Preset* preset = IS_PRESET(EventCode) ? find_preset(EventCode) : nullptr) {
        describe_preset(*preset, *info);
        return PAPI_OK;
    }
    if (const int native = native_of(EventCode); native >= 0) {
        describe_native(library.profile->natives[native], *info);
        return PAPI_OK;
    }
    if (const unsigned index = preset_index(EventCode); index < PAPI_END_idx) {
        set_text(info->symbol, kPresetNames[index].name); // not on this machine: count stays 0
        set_text(info->short_descr, kPresetNames[index].text);
        return PAPI_OK;
    }
    return answer(PAPI_ENOEVNT);
}
