#include "plimsoll/record/run_folder.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/base/error.h"
#include "plimsoll/base/file_lock.h"
#include "plimsoll/base/file_system.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kModel = "model.keras", kLock = ".lock", kStaged = ".new";
constexpr std::string_view kRun = "run.json";
// The last four belong to the models: they go when there is a new model.
constexpr std::array<std::string_view, 14> kRunFiles = {
    kRun,           "checkpoints", "log.jsonl",    "quarantine.jsonl", "bad-steps",
    "profile.json", "plan.json",   "report.html",  "tensorboard",      "trace.json",
    "model.keras",  "best.keras",  "classes.json", "data.json"};
constexpr size_t kModelFiles = 10;  // where they begin

[[noreturn]] void refuse(const std::string& path, const char* what, const std::error_code& error) {
  throw IoError(path + ": cannot be " + what + ": " + error.message());
}

// Without symbolic links and a slash at its end.
std::string place_of(const std::string& path) {
  std::error_code error;
  fs::path place = fs::weakly_canonical(path, error);
  if (error) refuse(path, "made", error);
  std::string text = place.lexically_normal().string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

bool is_hidden_of_run(const std::string& name) {
  return name == kLock || name == kStaged || is_temporary_name(name);
}

// Nothing but what a run leaves that was killed before it began.
bool is_empty_folder(const fs::path& path) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error))
    if (!is_hidden_of_run(entry.path().filename().string())) return false;
  return !error;
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool has_model(const fs::path& place) {
  return is_there(place / kModel) || is_there(place / "best.keras");
}

// `overwrite` says whether a run that is there is replaced, `share` that anything may be there.
void check_place(const fs::path& place, const std::string& path, bool overwrite, bool share) {
  std::error_code error;
  const auto status = fs::status(place, error);
  if (!fs::exists(status)) return;
  const bool is_folder = fs::is_directory(status);
  if (is_folder && FileLock::is_held((place / kLock).string()))
    throw InvalidArgument(path + ": another run is writing it; name another folder");
  if (is_folder && (share || is_empty_folder(place))) return;
  if (share) throw IoError(path + ": is a file; name a folder for the run");
  if (!overwrite)
    throw InvalidArgument(path + ": exists already; name another folder, or pass --overwrite");
  if (!is_folder || !is_there(place / "run.json"))
    throw InvalidArgument(path +
                          ": is not the folder of a run (it has no run.json), so it is not "
                          "overwritten; name another folder");
}

// "runs/.first.new" beside "runs/first".
fs::path staged_beside(const fs::path& place) {
  return place.parent_path() / ("." + place.filename().string() + std::string(kStaged));
}

}  // namespace

std::span<const std::string_view> files_of_runs() {
  return kRunFiles;
}

RunFolder::RunFolder(const std::string& path, Taken taken)
    : place_(place_of(path)), is_shared_(taken == Taken::share) {
  check_place(place_, path, taken == Taken::replace, taken == Taken::share);
  const bool is_in_place = is_there(place_);
  const fs::path staged = is_in_place ? fs::path(place_) / kStaged : staged_beside(place_);
  path_ = staged.string();
  has_earlier_model_ = has_model(place_);
  std::error_code error;
  if (!is_in_place) fs::create_directories(staged, error);
  if (error) refuse(path, "made", error);
  lock(path, is_in_place ? place_ : path_);
  // What a run left that was killed before it began.
  for (const fs::directory_entry& entry : fs::directory_iterator(staged, error))
    if (entry.path().filename() != kLock) fs::remove_all(entry.path(), error);
  fs::create_directories(staged, error);
  if (error) refuse(path, "made", error);
}

RunFolder::RunFolder(const std::string& path) : place_(place_of(path)), path_(place_) {
  lock(path, place_);
  remove_hidden();
}

void RunFolder::lock(const std::string& path, const std::string& folder) {
  lock_ = FileLock::take((fs::path(folder) / kLock).string());
  if (lock_ == nullptr)
    throw InvalidArgument(path + ": another run is writing it; name another folder");
}

RunFolder::~RunFolder() {
  std::error_code error;
  if (path_ != place_) fs::remove_all(path_, error);
}

void RunFolder::begin() {
  if (path_ == place_) return;
  std::error_code error;
  if (fs::path(path_).parent_path() == place_) {
    take_over();
  } else {
    if (is_there(fs::path(place_) / kRun))
      throw InvalidArgument(place_ + ": another run has begun there; name another folder");
    // The program may have made the folder meanwhile, to write something of its own there.
    if (is_shared_ && fs::is_directory(place_, error)) {
      move_into_place();
    } else {
      fs::rename(path_, place_, error);
      if (error) refuse(place_, "made", error);
    }
    lock_->moved_to((fs::path(place_) / kLock).string());
    sync_folder_of(place_);
  }
  path_ = place_;
}

// A run that is killed here begins again: there is a run.json at every moment, and no checkpoint of
// the earlier run beside files of the new one, not even after a power cut.
void RunFolder::take_over() {
  const fs::path place = place_;
  std::error_code error;
  has_earlier_model_ = has_model(place);
  // Files of these names that are of no run are a program's own.
  const bool is_of_run = is_there(place / kRun);
  const size_t kept = !is_of_run ? 0 : has_earlier_model_ ? kModelFiles : kRunFiles.size();
  for (size_t i = 1; i < kept; ++i) fs::remove_all(place / kRunFiles[i], error);
  remove_hidden();
  sync_folder_of((place / kRun).string());
  move_into_place();
}

// The last one is run.json: what has none is no run.
void RunFolder::move_into_place() {
  const fs::path place = place_;
  std::error_code error;
  const auto move = [&](const fs::path& file) {
    fs::rename(file, place / file.filename(), error);
    if (error) refuse(place_, "made", error);
  };
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, error))
    if (entry.path().filename() != kRun) move(entry.path());
  if (const fs::path run = fs::path(path_) / kRun; is_there(run))
    move(run);
  else
    fs::remove(place / kRun, error);
  fs::remove_all(path_, error);
  sync_folder_of((place / kRun).string());
}

// Temporary files of saves that were killed.
void RunFolder::remove_hidden() const {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(place_, error))
    if (is_temporary_name(entry.path().filename().string())) fs::remove(entry.path(), error);
}

void RunFolder::drop_earlier_models() {
  if (!has_earlier_model_) return;
  has_earlier_model_ = false;
  std::error_code error;
  for (size_t i = kModelFiles; i < kRunFiles.size(); ++i)
    if (kRunFiles[i] != kModel) fs::remove(fs::path(place_) / kRunFiles[i], error);
}

}  // namespace plimsoll
