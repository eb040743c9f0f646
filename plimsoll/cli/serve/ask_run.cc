#include "plimsoll/cli/serve/ask_run.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "plimsoll/base/error.h"
#include "plimsoll/base/lock_holder.h"
#include "plimsoll/report/run_files.h"
#include "plimsoll/train/runs/run_json.h"

namespace plimsoll::serve {
namespace {

// A process that stays the one that it was, also if its number is given to another.
class Process {
 public:
  explicit Process(int number) : file_(static_cast<int>(syscall(SYS_pidfd_open, number, 0))) {}
  ~Process() {
    if (file_ >= 0) close(file_);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  bool is_open() const { return file_ >= 0; }
  bool signal(int which) const {
    return syscall(SYS_pidfd_send_signal, file_, which, nullptr, 0) == 0;
  }

 private:
  int file_;
};

// True if the process has a handler for the signal, and none of its kind is still to be handled: a
// run takes one SIGTERM, and the next ends it at once. The lines of /proc are read at one moment.
bool waits_for(int process, int signal) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  const uint64_t bit = uint64_t{1} << (signal - 1);
  bool is_caught = false;
  for (std::string line; std::getline(status, line);) {
    const auto has_bit = [&](std::string_view name) {
      return line.starts_with(name) &&
             (std::strtoull(line.c_str() + name.size(), nullptr, 16) & bit) != 0;
    };
    if (has_bit("SigPnd:") || has_bit("ShdPnd:")) return false;
    is_caught |= has_bit("SigCgt:");
  }
  return is_caught;
}

// A program may have handlers that are none of fit's.
bool takes_wishes(const RunDoor& run) try {
  return takes_signals(read_run_file(run.path()));
} catch (const Error&) {
  return false;
}

}  // namespace

std::string ask_run(const RunDoor& run, Wish wish) {
  if (!takes_wishes(run)) return "a program trains the run, and its fit takes no signals";
  const std::string lock = run.path() + "/.lock";
  const auto holder = lock_holder(lock);
  if (!holder) return "the run is not running";
  const Process process(*holder);
  if (!process.is_open()) return "the process of the run is gone";
  // Its number may have changed hands before it was opened.
  if (lock_holder(lock) != holder) return "the run has just ended";
  const int signal = wish == Wish::checkpoint ? SIGUSR1 : SIGTERM;
  if (!waits_for(*holder, signal))
    return wish == Wish::stop ? "the run was asked to stop before" : "the run is asked already";
  if (!process.signal(signal))
    return std::string("the process of the run takes no signal: ") + std::strerror(errno);
  return "";
}

}  // namespace plimsoll::serve
