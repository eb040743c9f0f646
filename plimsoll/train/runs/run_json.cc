#include "plimsoll/train/runs/run_json.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/json.h"
#include "plimsoll/formats/bytes/read_text.h"

namespace plimsoll {

using Json = nlohmann::ordered_json;

void refuse_run_json(const std::string& run) {
  throw CorruptFile(run + "/run.json: is damaged; name another folder, or pass --overwrite");
}

Json read_run_json(const std::string& run) {
  const std::string path = run + "/run.json";
  if (std::error_code error; !std::filesystem::exists(path, error))
    throw InvalidArgument(run + ": is not the folder of a run (it has no run.json)");
  constexpr int64_t kMostBytes = 64 << 20;
  const Json json = parse_json(read_own_text(path, kMostBytes, "a run.json"), path);
  if (!json.is_object()) refuse_run_json(run);
  return json;
}

std::string model_in(const std::string& run) {
  std::error_code error;
  for (const char* name : {"/best.keras", "/model.keras"})
    if (std::filesystem::is_regular_file(std::filesystem::symlink_status(run + name, error)))
      return run + name;
  return {};
}

std::string program_of_run(const Json& run) {
  const auto program = run.find("program");
  if (run.contains("command") || program == run.end() || !program->is_object()) return {};
  std::string words;
  const auto arguments = program->find("arguments");
  if (arguments != program->end() && arguments->is_array())
    for (const Json& word : *arguments)
      if (word.is_string()) words += (words.empty() ? "" : " ") + word.get<std::string>();
  return words.empty() ? "a program" : words;
}

bool takes_signals(const Json& run) {
  if (program_of_run(run).empty()) return true;
  const auto options = run.find("options");
  if (options == run.end() || !options->is_object()) return false;
  const auto takes = options->find("takes_signals");
  return takes != options->end() && *takes == Json(true);
}

}  // namespace plimsoll
