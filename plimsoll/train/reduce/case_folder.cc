#include "plimsoll/train/reduce/case_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/json.h"
#include "plimsoll/formats/numpy/npz_writer.h"
#include "plimsoll/nn/keras/network_config.h"
#include "plimsoll/train/data/open_data.h"
#include "plimsoll/train/files/compile_config.h"
#include "plimsoll/train/files/model_file.h"
#include "plimsoll/train/reduce/kept_clock.h"
#include "plimsoll/train/reduce/trial.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

// A folder beside the one that is to be made; it is removed unless it gets that name.
class HiddenFolder {
 public:
  explicit HiddenFolder(const fs::path& place) : place_(place) {
    if (fs::exists(fs::symlink_status(place)))
      throw InvalidArgument(
          fmt::format("{}: exists already; name another folder for the case", place.string()));
    const fs::path parent = place.has_parent_path() ? place.parent_path() : fs::path(".");
    path_ = parent / fmt::format(".{}.{}.tmp", place.filename().string(), getpid());
    fs::create_directories(path_);
  }
  ~HiddenFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  HiddenFolder(const HiddenFolder&) = delete;
  HiddenFolder& operator=(const HiddenFolder&) = delete;

  std::string path(const char* file) const { return (path_ / file).string(); }
  std::string path() const { return path_.string(); }
  void take_name() {
    fs::rename(path_, place_);
    path_.clear();
  }

 private:
  fs::path place_, path_;
};

void write_records(const ReducedCase& found, const std::string& path) {
  std::vector<NpzWriter::NamedSpec> arrays;
  for (size_t i = 0; i < found.fields.size(); ++i)
    arrays.push_back({found.field_names[i], found.fields[i].spec});
  NpzWriter writer(path, arrays);
  for (size_t i = 0; i < found.fields.size(); ++i)
    writer.append(
        i, {found.fields[i].storage->data(), static_cast<size_t>(found.fields[i].spec.bytes())});
  writer.finish();
}

Look look_of(const ReducedCase& found) {
  if (found.failure.kind == Failure::Kind::bad_record) return Look::at_records;
  if (found.failure.kind == Failure::Kind::not_finite) return Look::at_steps;
  return found.is_trained ? Look::after_training : Look::before_training;
}

// The failure of what the folder holds, as it is read from there.
std::optional<Failure> failure_in(const std::string& folder, const ReducedCase& found) {
  const LoadedModel loaded = load_model(folder + "/model.keras");
  const Dataset data = open_data(folder + "/data.npz", loaded.model).data;
  TrialSetting setting{.compile = dump_json(compile_config(loaded.model.compile_options())),
                       .meaning = data,
                       .seed = found.seed,
                       .shuffles = found.is_shuffled};
  setting.reading.allow_not_finite = found.allows_not_finite;
  const Candidate candidate{.network = dump_json(network_to_json(loaded.model.network())),
                            .start = std::make_shared<StartState>(loaded.model.network()),
                            .records = data.source,
                            .batch_size = found.batch_size,
                            .epochs = found.epochs};
  return run_trial(setting, candidate, look_of(found)).failure;
}

// Messages name the file as it is called where the command runs.
std::string without_folder(std::string text, const std::string& folder) {
  for (size_t at = text.find(folder + "/"); at != text.npos; at = text.find(folder + "/"))
    text.erase(at, folder.size() + 1);
  return text;
}

ReducedCase as_read_back(ReducedCase found, const std::string& folder) {
  const std::optional<Failure> failure = failure_in(folder, found);
  if (!failure || !fails_alike(*failure, found.failure))
    throw InvalidArgument(
        fmt::format("reduce: the case does not fail any more when it is read from its files ({})",
                    failure ? failure->what : "nothing fails"));
  found.failure = *failure;
  found.failure.what = without_folder(found.failure.what, folder);
  return found;
}

std::string shell_script(const ReducedCase& found) {
  std::string text = "#!/bin/sh\n# Shows the failure that README.md describes.\n";
  text += "cd \"$(dirname \"$0\")\" || exit\n";
  for (const auto& command : commands_of(found))
    text += fmt::format("plimsoll {}\n", fmt::join(command, " "));
  return text;
}

}  // namespace

std::vector<std::vector<std::string>> commands_of(const ReducedCase& found) {
  if (!found.is_trained) return {{"doctor", "model.keras", "data.npz"}};
  std::vector<std::string> train = {"train",        "model.keras",
                                    "data.npz",     "--out",
                                    "run",          "--overwrite",
                                    "--epochs",     std::to_string(found.epochs),
                                    "--batch-size", std::to_string(found.batch_size),
                                    "--seed",       std::to_string(found.seed)};
  if (!found.is_shuffled) train.emplace_back("--no-shuffle");
  if (found.allows_not_finite) train.emplace_back("--allow-nan");
  if (found.failure.kind != Failure::Kind::diagnosis) return {train};
  return {train, {"doctor", "run"}};
}

void write_case(const ReducedCase& found, const std::string& folder, const CaseCheck& more) {
  const KeptClock clock;
  HiddenFolder hidden(folder);
  save_model(found.model, hidden.path("model.keras"));
  write_records(found, hidden.path("data.npz"));
  const ReducedCase shown = as_read_back(found, hidden.path());
  if (more) more(hidden.path(), shown);
  write_file(hidden.path("case.json"), case_json(shown));
  write_file(hidden.path("run_plimsoll.sh"), shell_script(shown));
  write_file(hidden.path("run_keras.py"), case_keras_script(shown));
  write_file(hidden.path("README.md"), case_readme(shown));
  fs::permissions(hidden.path("run_plimsoll.sh"), fs::perms::owner_exec, fs::perm_options::add);
  hidden.take_name();
}

}  // namespace plimsoll
