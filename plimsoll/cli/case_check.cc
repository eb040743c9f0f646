#include "plimsoll/cli/case_check.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/cli/command_list.h"
#include "plimsoll/formats/archives/json.h"
#include "plimsoll/formats/bytes/read_text.h"
#include "plimsoll/guards/doctor/read_story.h"
#include "plimsoll/train/reduce/case_folder.h"

extern char** environ;

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMostText = 16 << 20;

struct Ran {
  int code = 0;
  std::string out, error;
};

// Output goes to files in the folder, which the caller removes.
class Spawned {
 public:
  Spawned(const std::string& folder, std::vector<std::string> arguments)
      : folder_(folder), arguments_(std::move(arguments)) {
    arguments_.insert(arguments_.begin(), "plimsoll");
    // Ctrl-C is for the search alone.
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    constexpr int kWrite = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, 1, ".out", kWrite, 0600);
    posix_spawn_file_actions_addopen(&actions_, 2, ".error", kWrite, 0600);
  }
  ~Spawned() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Spawned(const Spawned&) = delete;
  Spawned& operator=(const Spawned&) = delete;

  Ran run() {
    std::vector<char*> texts;
    for (std::string& argument : arguments_) texts.push_back(argument.data());
    texts.push_back(nullptr);
    pid_t process = 0;
    const int failed =
        posix_spawn(&process, "/proc/self/exe", &actions_, &attributes_, texts.data(), environ);
    if (failed != 0)
      throw IoError(fmt::format("plimsoll: cannot be started again: {}", std::strerror(failed)));
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return {WIFEXITED(status) ? WEXITSTATUS(status) : kInternalError, text(".out"), text(".error")};
  }

 private:
  std::string text(const char* file) const {
    return read_text(folder_ + "/" + file, kMostText, "what a command said");
  }

  std::string folder_;
  std::vector<std::string> arguments_;
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

bool doctor_names(const std::string& json, const std::string& cause) {
  const nlohmann::ordered_json findings = parse_json(json, "doctor").at("findings");
  return !findings.empty() && findings[0].at("cause") == cause &&
         findings[0].at("severity") != "note";
}

// The log of the run names the operation.
bool log_names(const std::string& folder, const std::string& cause) {
  const std::optional<NotFiniteStory> story = read_run_story(folder + "/run").not_finite;
  return story && (cause == story->op || cause.starts_with(story->op + ","));
}

bool shows(const Ran& ran, const std::string& folder, const Failure& failure, bool is_doctor) {
  if (is_doctor) return ran.code == kDone && doctor_names(ran.out, failure.cause);
  switch (failure.kind) {
    case Failure::Kind::bad_record:
      return ran.code == kBadModelOrData && ran.error.find(failure.what) != std::string::npos;
    case Failure::Kind::not_finite:
      return ran.code == kNotFinite && log_names(folder, failure.cause);
    case Failure::Kind::diagnosis:
      break;
  }
  return ran.code == kDone;
}

}  // namespace

void check_case(const std::string& folder, const ReducedCase& found) {
  for (std::vector<std::string> command : commands_of(found)) {
    const bool is_doctor = command[0] == "doctor";
    const std::string shown = fmt::format("plimsoll {}", fmt::join(command, " "));
    if (is_doctor) command.emplace_back("--json");
    const Ran ran = Spawned(folder, std::move(command)).run();
    if (!shows(ran, folder, found.failure, is_doctor))
      throw InvalidArgument(fmt::format(
          "reduce: '{}' does not show the failure of the case ({}); it ended with {}: {}", shown,
          found.failure.what, ran.code, ran.error));
  }
  for (const char* left : {"/.out", "/.error", "/run"}) fs::remove_all(folder + left);
}

}  // namespace plimsoll::cli
