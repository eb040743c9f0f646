#include "plimsoll/cli/standard_output.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "plimsoll/cli/command_list.h"

namespace plimsoll::cli {
namespace {

// True if the reader of a pipe has closed it, or a terminal has hung up.
bool is_gone(int file) {
  pollfd state{.fd = file, .events = POLLOUT, .revents = 0};
  return poll(&state, 1, 0) > 0 && (state.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
}

bool is_of_lost_console(int error) {
  return error == EPIPE || error == EIO || error == EBADF;
}

}  // namespace

void prepare_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  // open() returns the lowest number that is free.
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(file, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0) return;
}

int end_output(int code, bool is_only_console) {
  const bool has_failed = std::ferror(stdout) != 0;
  errno = 0;
  bool fails = std::fflush(stdout) != 0;
  if (!has_failed && !fails) return code;
  // Why it failed before is not kept: the reason is found by trying again.
  if (!fails) fails = write(STDOUT_FILENO, "\n", 1) < 0;
  const int error = fails ? errno : 0;
  if (is_only_console && (is_of_lost_console(error) || is_gone(STDOUT_FILENO))) return code;
  std::fprintf(stderr, "plimsoll: standard output cannot be written%s%s\n", error != 0 ? ": " : "",
               error != 0 ? std::strerror(error) : "");
  return code == kDone ? static_cast<int>(kBadModelOrData) : code;
}

}  // namespace plimsoll::cli
