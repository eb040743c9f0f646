#include "plimsoll/cli/stop_signals.h"

#include <csignal>

namespace plimsoll::cli {
namespace {

volatile std::sig_atomic_t stop_signal = 0, was_asked = 0, wants_checkpoint = 0;

// A terminal that closes sends several, by the kernel and by the shell; of the others the second
// ends the process.
extern "C" void note_signal(int number) {
  if (stop_signal == 0) stop_signal = number;
  if (number == SIGHUP) return;
  if (was_asked != 0) {
    std::signal(number, SIG_DFL);
    std::raise(number);
  }
  was_asked = 1;
}

extern "C" void note_wish(int) {
  wants_checkpoint = 1;
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

Stopped::Stopped(int number) : Error(sentence_of(number)), signal_(number) {}

StopSignals::StopSignals() {
  stop_signal = 0;
  was_asked = 0;
  wants_checkpoint = 0;
  struct sigaction action = {};
  action.sa_handler = note_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  for (const int number : {SIGINT, SIGTERM}) sigaction(number, &action, nullptr);
  // nohup has it ignored.
  action.sa_flags = SA_RESTART;
  struct sigaction before = {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  action.sa_handler = note_wish;
  sigaction(SIGUSR1, &action, nullptr);
}

StopSignals::~StopSignals() {
  for (const int number : {SIGINT, SIGTERM, SIGUSR1}) std::signal(number, SIG_DFL);
  struct sigaction now = {};
  sigaction(SIGHUP, nullptr, &now);
  if (now.sa_handler == note_signal) std::signal(SIGHUP, SIG_DFL);
}

int StopSignals::received() {
  return stop_signal;
}

void StopSignals::check() {
  if (stop_signal != 0) throw Stopped(stop_signal);
}

bool StopSignals::take_checkpoint_wish() {
  const bool wish = wants_checkpoint != 0;
  wants_checkpoint = 0;
  return wish;
}

}  // namespace plimsoll::cli
