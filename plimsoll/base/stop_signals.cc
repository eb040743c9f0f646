#include "plimsoll/base/stop_signals.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>

namespace plimsoll {
namespace {

volatile std::sig_atomic_t stop_signal = 0, wants_checkpoint = 0;
volatile std::sig_atomic_t noting_process = 0;
std::atomic<int> was_asked = 0;                        // two threads may handle two signals at once
std::atomic<bool> is_thrown = false;                   // the signal that came
std::atomic<int> alive = 0;                            // so many StopSignals
static_assert(std::atomic<int>::is_always_lock_free);  // as signal handlers need it

// What the signal does where it has no handler, as soon as its handler returns.
void end_process(int number) {
  std::signal(number, SIG_DFL);
  std::raise(number);
}

bool is_for_child() {
  return getpid() != noting_process;
}

// A terminal that closes sends several, by the kernel and by the shell; of the others the second
// ends the process.
extern "C" void note_signal(int number) {
  if (is_for_child()) return end_process(number);
  if (stop_signal == 0) stop_signal = number;
  if (number == SIGHUP) return;
  if (was_asked.exchange(1) != 0) end_process(number);
}

extern "C" void note_wish(int number) {
  if (is_for_child()) return end_process(number);
  wants_checkpoint = 1;
}

bool is_to_take(StopSignals::Take take, int number, const struct sigaction& now) {
  if (take == StopSignals::Take::unhandled) return number != SIGINT && now.sa_handler == SIG_DFL;
  return number != SIGHUP || now.sa_handler != SIG_IGN;
}

struct sigaction noting(int number) {
  struct sigaction action = {};
  action.sa_handler = number == SIGUSR1 ? note_wish : note_signal;
  action.sa_flags = SA_RESTART;
  if (number == SIGINT || number == SIGTERM) action.sa_flags |= static_cast<int>(SA_RESETHAND);
  return action;
}

const char* sentence_of(int number) {
  switch (number) {
    case SIGINT:
      return "stopped by an interrupt";
    case SIGHUP:
      return "stopped because the terminal was closed";
    default:
      return "stopped by a request to terminate";
  }
}

}  // namespace

Stopped::Stopped(int number) : Interrupted(sentence_of(number)), signal_(number) {}

StopSignals::StopSignals(Take take) : take_(take) {
  if (alive++ == 0 || is_for_child()) {
    stop_signal = 0;
    was_asked = 0;
    is_thrown = false;
    wants_checkpoint = 0;
  }
  noting_process = getpid();
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) {
    struct sigaction before = {};
    sigaction(number, nullptr, &before);
    if (!is_to_take(take, number, before)) continue;
    taken_.emplace_back(number, before);
    const struct sigaction action = noting(number);
    sigaction(number, &action, nullptr);
  }
}

// A handler that the program has set meanwhile stays.
StopSignals::~StopSignals() {
  for (const auto& [number, before] : taken_) {
    struct sigaction now = {};
    sigaction(number, nullptr, &now);
    const bool is_spent = now.sa_handler == SIG_DFL;
    if (is_noted(number) || is_spent) sigaction(number, &before, nullptr);
  }
  if (--alive == 0 && take_ == Take::unhandled && has_taken(stop_signal) && !is_thrown)
    std::raise(stop_signal);
}

bool StopSignals::has_taken(int number) const {
  return std::ranges::find(taken_, number, &std::pair<int, struct sigaction>::first) !=
         taken_.end();
}

bool StopSignals::is_noted(int number) {
  struct sigaction now = {};
  sigaction(number, nullptr, &now);
  return now.sa_handler == note_signal || now.sa_handler == note_wish;
}

int StopSignals::received() {
  return stop_signal;
}

void StopSignals::check() {
  if (stop_signal == 0) return;
  is_thrown = true;
  throw Stopped(stop_signal);
}

bool StopSignals::take_checkpoint_wish() {
  const bool wish = wants_checkpoint != 0;
  wants_checkpoint = 0;
  return wish;
}

}  // namespace plimsoll
