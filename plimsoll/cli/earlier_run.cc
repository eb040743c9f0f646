#include "plimsoll/cli/earlier_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/checkpoint/checkpoint_folder.h"
#include "plimsoll/train/checkpoints/checkpoints.h"
#include "plimsoll/train/runs/run_json.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool is_there(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
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
    refuse_run_json(run);
  }
}

}  // namespace

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
  if (const std::string program = program_of_run(json); !program.empty())
    throw InvalidArgument(
        fmt::format("{}: a program has trained it, not `plimsoll train`; it goes on if the program "
                    "calls fit again with the same run ('{}' began it)",
                    run, program));
  try {
    const Json& command = json.at("command");
    return {command.at("arguments").get<std::vector<std::string>>(),
            command.at("folder").get<std::string>()};
  } catch (const Json::exception&) {
    refuse_run_json(run);
  }
}

bool is_of_program(const std::string& run) {
  return !program_of_run(read_run_json(run)).empty();
}

}  // namespace plimsoll::cli
