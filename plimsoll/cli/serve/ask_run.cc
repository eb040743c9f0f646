#include "plimsoll/cli/serve/ask_run.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

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

// These signals end a program that does not handle them.
bool takes_wishes(const RunDoor& run) try {
  return program_of_run(read_run_file(run.path())).empty();
} catch (const Error&) {
  return false;
}

}  // namespace

std::string ask_run(const RunDoor& run, Wish wish) {
  if (!takes_wishes(run)) return "a program trains the run, and takes no wishes from here";
  const std::string lock = run.path() + "/.lock";
  const auto holder = lock_holder(lock);
  if (!holder) return "the run is not running";
  const Process process(*holder);
  if (!process.is_open()) return "the process of the run is gone";
  // Its number may have changed hands before it was opened.
  if (lock_holder(lock) != holder) return "the run has just ended";
  if (!process.signal(wish == Wish::checkpoint ? SIGUSR1 : SIGTERM))
    return std::string("the process of the run takes no signal: ") + std::strerror(errno);
  return "";
}

}  // namespace plimsoll::serve
