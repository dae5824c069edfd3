// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/job_runner.h"

#include "platform/host/end_request.h"
#include "platform/host/subcommand.h"
#include "tb/lab/child_process.h"

#include <chrono>
#include <fstream>
#include <iterator>
#include <list>
#include <optional>
#include <poll.h>

namespace pes::lab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kProgressInterval = 500; // ms

class Running {
  public:
    Running(const Job& job, std::filesystem::path errors)
        : job_(job), errors_(std::move(errors)), process_(job.command, errors_) {}

    const std::string& label() const { return job_.label; }
    int descriptor() const { return process_.descriptor(); }

    /// False while it runs. Throws RunFailure if it failed.
    bool ended() {
        const std::optional<int> code = process_.exit_code();
        if (!code) {
            return false;
        }
        if (*code != 0) {
            throw RunFailure(job_.label + ": exit code " + std::to_string(*code) + " of '" +
                             joined(job_.command) + "'" + reason());
        }
        const std::chrono::duration<double> seconds = Clock::now() - start_;
        job_.finished(seconds.count());
        std::filesystem::remove(errors_);
        return true;
    }

  private:
    static std::string joined(const std::vector<std::string>& command) {
        std::string text;
        for (const std::string& word : command) {
            text += (text.empty() ? "" : " ") + word;
        }
        return text;
    }

    std::string reason() const {
        std::ifstream in(errors_);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        return text.empty() ? "" : ": " + first_line(text);
    }

    const Job& job_;
    std::filesystem::path errors_;
    ChildProcess process_;
    Clock::time_point start_ = Clock::now();
};

/// Until one of them ends, or the progress is to be shown.
void wait_for(const std::list<Running>& running) {
    std::vector<pollfd> descriptors;
    for (const Running& job : running) {
        descriptors.push_back({.fd = job.descriptor(), .events = POLLIN, .revents = 0});
    }
    ::poll(descriptors.data(), descriptors.size(), kProgressInterval);
}

std::vector<std::string> labels(const std::list<Running>& running) {
    std::vector<std::string> labels;
    for (const Running& job : running) {
        labels.push_back(job.label());
    }
    return labels;
}

} // namespace

bool JobRunner::run(const std::vector<Job>& jobs) {
    std::list<Running> running;
    std::optional<RunFailure> failure;
    std::size_t started = 0;
    progress_.begin(jobs.size());
    const auto stopping = [&] { return failure || end_requested() != EndRequest::None; };
    while (!running.empty() || (started < jobs.size() && !stopping())) {
        while (started < jobs.size() && running.size() < at_once_ && !stopping()) {
            running.emplace_back(jobs[started],
                                 work_ / ("errors-" + std::to_string(started) + ".txt"));
            ++started;
        }
        progress_.show(started - running.size(), labels(running));
        wait_for(running);
        for (auto job = running.begin(); job != running.end();) {
            try {
                job = job->ended() ? running.erase(job) : std::next(job);
            } catch (const RunFailure& error) {
                failure = failure ? failure : error;
                job = running.erase(job);
            }
        }
    }
    progress_.clear();
    if (failure) {
        throw RunFailure(*failure);
    }
    return started == jobs.size();
}

} // namespace pes::lab
