// SPDX-License-Identifier: Apache-2.0
// Values of derived events.
#include "firmware/papi/library.h"

namespace pes::papi {

namespace {

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

unsigned read_number(const char*& at) {
    unsigned number = 0;
    while (is_digit(*at)) {
        number = number * 10 + static_cast<unsigned>(*at++ - '0');
    }
    return number;
}

long long apply(char operation, long long left, long long right) {
    switch (operation) {
    case '+':
        return left + right;
    case '-':
        return left - right;
    case '*':
        return left * right;
    default:
        return right != 0 ? left / right : 0;
    }
}

/// Tokens end with '|': N<term>, a number, or one of + - * /. The tables are ours and well formed.
long long evaluate_postfix(const char* at, const long long* value) {
    long long stack[kMaxTerms + 1] = {};
    unsigned depth = 0;
    while (*at != '\0') {
        if (*at == '|') {
            ++at;
        } else if (*at == 'N') {
            stack[depth++] = value[read_number(++at)];
        } else if (is_digit(*at)) {
            stack[depth++] = read_number(at);
        } else {
            --depth;
            stack[depth - 1] = apply(*at++, stack[depth - 1], stack[depth]);
        }
    }
    return stack[0];
}

} // namespace

long long evaluate(Derived derived, unsigned terms, const char* postfix, const long long* value) {
    if (derived == Derived::Postfix) {
        return evaluate_postfix(postfix, value);
    }
    long long result = value[0];
    for (unsigned i = 1; i < terms; ++i) {
        result += derived == Derived::Sub ? -value[i] : value[i];
    }
    return result;
}

} // namespace pes::papi
