#include "plimsoll/cli/earlier_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/json.h"
#include "plimsoll/formats/bytes/read_text.h"
#include "plimsoll/formats/checkpoint/checkpoint_folder.h"
#include "plimsoll/train/checkpoints/checkpoints.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool is_there(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

[[noreturn]] void damaged(const std::string& run) {
  throw CorruptFile(run + "/run.json: is damaged; name another folder, or pass --overwrite");
}

// Nothing would be lost. A step that was kept to be replayed is something.
bool has_learnt_nothing(const std::string& run, const EarlierRun& earlier) {
  if (earlier.status == "done") return false;
  for (const char* kept : {"/model.keras", "/best.keras", "/bad-steps"})
    if (is_there(run + kept)) return false;
  return true;
}

EarlierRun read_earlier(const std::string& run) {
  const Json json = read_run_json(run);
  try {
    const Json& result = json.at("result");
    return {.status = result.at("status").get<std::string>(),
            .epochs_done = result.value("epochs", int64_t{0}),
            .seed = json.at("seed").get<int64_t>()};
  } catch (const Json::exception&) {
    damaged(run);
  }
}

}  // namespace

Json read_run_json(const std::string& run) {
  const std::string path = run + "/run.json";
  if (!is_there(path))
    throw InvalidArgument(run + ": is not the folder of a run (it has no run.json)");
  constexpr int64_t kMostBytes = 64 << 20;
  const Json json = parse_json(read_own_text(path, kMostBytes, "a run.json"), path);
  if (!json.is_object()) damaged(run);
  return json;
}

std::optional<EarlierRun> find_earlier_run(TrainArguments& arguments) {
  const std::string& run = arguments.out;
  if (arguments.overwrite || !is_there(run + "/run.json")) return std::nullopt;
  const EarlierRun earlier = read_earlier(run);
  if (!has_checkpoints(run)) {
    arguments.overwrite = has_learnt_nothing(run, earlier);
    return std::nullopt;
  }
  if (is_done(run, arguments.epochs))
    throw InvalidArgument(fmt::format(
        "{}: exists already, and its {} epoch(s) are done; raise --epochs to go on, name "
        "another folder, or pass --overwrite",
        run, earlier.epochs_done));
  if (arguments.checkpoints.none)
    throw InvalidArgument(
        run +
        ": has checkpoints to go on from, found --no-checkpoints; leave it out, or pass "
        "--overwrite");
  return earlier;
}

bool has_checkpoints(const std::string& run) {
  return !CheckpointFolder(checkpoint_folder(run)).numbers().empty();
}

bool is_done(const std::string& run, int64_t epochs) {
  const EarlierRun earlier = read_earlier(run);
  return earlier.status == "done" && epochs <= earlier.epochs_done;
}

bool has_own_model(const std::string& run) {
  return is_there(run + "/model.keras") && !read_run_json(run).contains(kBesideFirstModel);
}

EarlierCommand command_of_run(const std::string& run) {
  const Json json = read_run_json(run);
  try {
    const Json& command = json.at("command");
    return {command.at("arguments").get<std::vector<std::string>>(),
            command.at("folder").get<std::string>()};
  } catch (const Json::exception&) {
    damaged(run);
  }
}

}  // namespace plimsoll::cli
