#include "plimsoll/engine/busy_machine.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "plimsoll/base/threads.h"
#include "plimsoll/graph/context.h"

namespace plimsoll {
namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(50);

// A person who has said how OpenMP's threads wait is obeyed.
bool is_wait_given() {
  return std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr;
}

// The file has three numbers: nanoseconds on a core, nanoseconds of waiting for one, time slices.
// 0 if the system does not say.
int64_t waited_in(int file) {
  std::array<char, 96> text;
  const ssize_t size = file < 0 ? 0 : pread(file, text.data(), text.size(), 0);
  const std::string_view line(text.data(), static_cast<size_t>(std::max<ssize_t>(size, 0)));
  const size_t space = line.find(' ');
  if (space == std::string_view::npos) return 0;
  int64_t waited = 0;
  std::from_chars(line.data() + space + 1, line.data() + line.size(), waited);
  return waited;
}

}  // namespace

bool BusyJudge::add(double seconds, double waited_seconds) {
  seconds_ += seconds;
  if (is_busy_) {
    if (seconds_ < pause_) return true;
    is_busy_ = false;  // a trial
    seconds_ = window_ = waited_ = 0;
    return false;
  }
  window_ += seconds;
  waited_ += waited_seconds;
  if (window_ < kWindowSeconds) return false;
  is_busy_ = waited_ > kBusyShare * window_;
  window_ = waited_ = 0;
  if (!is_busy_) return false;
  pause_ = seconds_ < kTrialSeconds ? std::min(pause_ * 2, kLongestPause) : kFirstPause;
  seconds_ = 0;
  return true;
}

BusyMachine& BusyMachine::current() {
  return Context::current().part<BusyMachine>();
}

BusyMachine::BusyMachine() {
  if (is_wait_given()) next_look_ = Clock::time_point::max();
}

BusyMachine::~BusyMachine() {
  close_files();
}

void BusyMachine::open_files() {
  close_files();
  files_.assign(static_cast<size_t>(thread_count()), -1);
  // The same threads as those of the loops that compute.
  parallel_for(thread_count(), 1, [&](int64_t begin, int64_t) {
    files_[static_cast<size_t>(begin)] = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  });
}

void BusyMachine::close_files() {
  for (const int file : files_)
    if (file >= 0) close(file);
  files_.clear();
}

void BusyMachine::measure(Clock::time_point now) {
  next_look_ = now + kBetweenLooks;
  const bool is_new = std::ssize(files_) != thread_count();
  if (is_new) open_files();
  const int64_t waited = waited_nanoseconds();
  const std::chrono::duration<double> passed = now - last_look_;
  const double waited_seconds = static_cast<double>(waited - last_waited_) * 1e-9;
  last_look_ = now;
  last_waited_ = waited;
  if (is_new) return;
  if (!judge_.add(passed.count(), waited_seconds))
    short_waits_.reset();
  else if (!short_waits_)
    short_waits_.emplace();
}

int64_t BusyMachine::waited_nanoseconds() const {
  int64_t waited = 0;
  for (const int file : files_) waited += waited_in(file);
  return waited;
}

}  // namespace plimsoll
