// plimsoll serve: shows runs in a browser. The server is a program of its own, so that the
// libraries that it needs are in no process that trains.
#include <fmt/format.h>

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "plimsoll/base/error.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/wrong_usage.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

// Beside this program where it was built, in ../libexec/plimsoll where it is installed.
std::string find_server() {
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& place : {here, here.parent_path() / "libexec/plimsoll"})
    if (access((place / "plimsoll-serve").c_str(), X_OK) == 0)
      return (place / "plimsoll-serve").string();
  throw IoError(
      fmt::format("{}/plimsoll-serve: is not there; install the whole package", here.string()));
}

}  // namespace

int serve(Arguments arguments) {
  CLI::App app("Shows runs in a browser while they go on.", "plimsoll serve");
  std::string folder = ".";
  int64_t port = 0;
  app.add_option("DIR", folder, "the folder of a run, or one that has such folders (default: .)")
      ->option_text(" ");
  app.add_option("--port", port, "the port to listen on (default: a free one)")
      ->option_text("N")
      ->check(count());
  app.footer(
      "Example:\n\n"
      "  plimsoll serve experiments\n\n"
      "Open the address that it prints. It is this machine's alone, and has a secret part: "
      "whoever\n"
      "knows it may look at the runs in DIR, ask one for a checkpoint and stop it in good order.\n"
      "Nothing outside of DIR is read. Ctrl-C ends the server; runs go on.\n");
  if (!parse(app, arguments)) return kDone;
  constexpr int64_t kMostPort = 65535;
  if (port > kMostPort)
    throw WrongUsage(
        fmt::format("serve: --port expects a number from 1 to {}, found {}", kMostPort, port));
  const std::string server = find_server(), number = fmt::format("{}", port);
  const char* words[] = {server.c_str(), folder.c_str(), number.c_str(), nullptr};
  execv(server.c_str(), const_cast<char* const*>(words));
  throw IoError(server + ": cannot be started: " + std::strerror(errno));
}

}  // namespace plimsoll::cli
