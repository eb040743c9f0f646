// plimsoll-serve DIR PORT: what 'plimsoll serve' starts.
#include <fmt/format.h>

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "plimsoll/base/error.h"
#include "plimsoll/base/printable.h"
#include "plimsoll/cli/command_list.h"
#include "plimsoll/cli/serve/run_server.h"
#include "plimsoll/report/run_list.h"

namespace {

// A run that is trained has the cores first. Threads that begin later are as nice; a process that
// was started nicer stays so.
void give_way_to_runs() {
  constexpr int kNice = 10;
  setpriority(PRIO_PROCESS, 0, std::max(kNice, getpriority(PRIO_PROCESS, 0)));
}

// Until a signal that ends programs comes, which no other thread takes.
int serve(const std::string& folder, int port) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, number);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  plimsoll::list_runs(folder);
  plimsoll::serve::RunServer server(folder, port);
  fmt::print("{}\n", server.address());
  std::fflush(stdout);
  std::jthread waiter([&] {
    int number = 0;
    sigwait(&signals, &number);
    server.stop();
  });
  server.run();
  kill(getpid(), SIGTERM);  // ends the waiter where the server ended by itself
  return plimsoll::cli::kDone;
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    fmt::print(stderr, "plimsoll: this program is started by 'plimsoll serve'\n");
    return plimsoll::cli::kWrongUsage;
  }
  give_way_to_runs();
  try {
    return serve(words[1], std::atoi(words[2]));
  } catch (const plimsoll::Error& error) {
    fmt::print(stderr, "plimsoll: {}\n", plimsoll::printable(error.what()));
    return plimsoll::cli::kBadModelOrData;
  }
}
