#include "plimsoll/cli/stop_signals.h"

#include <csignal>

namespace plimsoll::cli {
namespace {

volatile std::sig_atomic_t received = 0;

extern "C" void note_signal(int number) {
  if (received == 0) received = number;
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
  received = 0;
  struct sigaction action = {};
  action.sa_handler = note_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  for (const int number : {SIGINT, SIGTERM}) sigaction(number, &action, nullptr);
  // A terminal that closes sends several, by the kernel and by the shell. nohup has it ignored.
  action.sa_flags = SA_RESTART;
  struct sigaction before = {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

StopSignals::~StopSignals() {
  for (const int number : {SIGINT, SIGTERM}) std::signal(number, SIG_DFL);
  struct sigaction now = {};
  sigaction(SIGHUP, nullptr, &now);
  if (now.sa_handler == note_signal) std::signal(SIGHUP, SIG_DFL);
}

void StopSignals::check() {
  if (received != 0) throw Stopped(received);
}

}  // namespace plimsoll::cli
