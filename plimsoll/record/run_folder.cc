#include "plimsoll/record/run_folder.h"

#include <fmt/format.h>

#include <unistd.h>

#include <filesystem>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

// ".runs_1.new-4711" beside "runs_1".
std::string beside(const fs::path& place, const std::string& what) {
  const std::string name = fmt::format(".{}.{}-{}", place.filename().string(), what, getpid());
  return (place.parent_path() / name).string();
}

bool is_empty_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error) && fs::is_empty(path, error) && !error;
}

void check_place(const fs::path& place, bool overwrite) {
  std::error_code error;
  const auto status = fs::symlink_status(place, error);
  if (!fs::exists(status) || is_empty_folder(place)) return;
  if (!overwrite)
    throw InvalidArgument(place.string() +
                          ": exists already; name another folder, or pass --overwrite");
  if (!fs::is_directory(status) || !fs::exists(place / "run.json"))
    throw InvalidArgument(place.string() +
                          ": is not the folder of a run (it has no run.json), so it is not "
                          "overwritten; name another folder");
}

[[noreturn]] void fail(const std::string& path, const char* what, const std::error_code& error) {
  throw IoError(path + ": cannot be " + what + ": " + error.message());
}

}  // namespace

RunFolder::RunFolder(const std::string& path, bool overwrite)
    : place_(fs::path(path).lexically_normal().string()) {
  while (place_.size() > 1 && place_.ends_with('/')) place_.pop_back();
  check_place(place_, overwrite);
  path_ = beside(place_, "new");
  std::error_code error;
  if (const auto parent = fs::path(place_).parent_path(); !parent.empty())
    fs::create_directories(parent, error);
  if (!error) fs::create_directory(path_, error);
  if (error) fail(path, "made", error);
}

RunFolder::~RunFolder() {
  std::error_code error;
  if (path_ != place_) fs::remove_all(path_, error);
}

void RunFolder::begin() {
  const std::string old = beside(place_, "old");
  std::error_code error;
  const bool is_taken = fs::exists(fs::symlink_status(place_, error));
  error.clear();  // that nothing is there is none
  if (is_taken) fs::rename(place_, old, error);
  if (error) fail(place_, "moved aside", error);
  fs::rename(path_, place_, error);
  if (error) fail(place_, "made", error);
  path_ = place_;
  if (is_taken) fs::remove_all(old, error);
}

}  // namespace plimsoll
