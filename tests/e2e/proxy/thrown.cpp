// SPDX-License-Identifier: Apache-2.0
// C++ with its library: exceptions through frames with destructors, containers, streams.
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {
struct Counted {
    explicit Counted(int& count) : count_(count) { ++count_; }
    ~Counted() { --count_; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    int& count_;
};
int alive = 0;

int descend(int level) {
    const Counted counted(alive);
    return level == 0 ? throw std::runtime_error("at " + std::to_string(alive))
                      : descend(level - 1) + 1;
}
} // namespace

int main() {
    std::map<std::string, int> words;
    for (int i = 0; i < 1000; ++i) {
        ++words["word" + std::to_string(i * i % 37)];
    }
    try {
        descend(9);
    } catch (const std::exception& error) {
        std::cout << error.what() << ", alive " << alive << ", words " << words.size() << '\n';
    }
    std::vector<double> values(100000, 0.5);
    double sum = 0;
    for (const double value : values) {
        sum += value;
    }
    std::cout << sum << std::endl;
}
