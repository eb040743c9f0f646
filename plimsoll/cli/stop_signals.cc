#include "plimsoll/cli/stop_signals.h"

#include <csignal>

namespace plimsoll::cli {
namespace {

volatile std::sig_atomic_t received = 0;

extern "C" void note_signal(int number) {
  received = number;
}

}  // namespace

Stopped::Stopped(int number)
    : Error(number == SIGINT ? "stopped by an interrupt" : "stopped by a request to terminate"),
      signal_(number) {}

StopSignals::StopSignals() {
  received = 0;
  struct sigaction action = {};
  action.sa_handler = note_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  for (const int number : {SIGINT, SIGTERM}) sigaction(number, &action, nullptr);
}

StopSignals::~StopSignals() {
  for (const int number : {SIGINT, SIGTERM}) std::signal(number, SIG_DFL);
}

void StopSignals::check() {
  if (received != 0) throw Stopped(received);
}

}  // namespace plimsoll::cli
