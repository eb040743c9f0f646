#include "plimsoll/report/run_list.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/file_lock.h"
#include "plimsoll/base/lock_holder.h"
#include "plimsoll/report/known_logs.h"
#include "plimsoll/report/run_files.h"
#include "plimsoll/report/shown.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr size_t kMostRuns = 1000;
constexpr int kMostFolders = 100'000, kMostDepth = 3;

// Seconds since 1970 of "2026-01-31T12:00:00Z"; 0 for other text.
double seconds_of(const std::string& time) {
  std::tm parts = {};
  const char* end = strptime(time.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return end != nullptr && *end == 0 ? static_cast<double>(timegm(&parts)) : 0;
}

const Json& object_in(const Json& object, const char* key) {
  static const Json kNone = Json::object();
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? *found : kNone;
}

void read_log(const std::string& path, KnownLogs& known, RunSummary& run) {
  const LogSummary log = known.read(path);
  run.started = seconds_of(log.started) > 0 ? log.started : "";
  run.epochs = std::max(run.epochs, log.epochs);
  run.metric = log.metric;
  run.best = log.best;
  run.best_epoch = log.best_epoch;
  if (run.measured_peak_bytes == 0 && log.resident_bytes > 0) {
    run.measured_peak_bytes = log.resident_bytes;
    run.is_peak_of_epochs = true;
  }
  const double begin = seconds_of(run.started);
  if (begin <= 0 || run.seconds > 0) return;
  const double end =
      run.status == "running" ? static_cast<double>(std::time(nullptr)) : seconds_of(log.last_time);
  run.seconds = std::max(0.0, end - begin);
}

void read_result(const Json& json, RunSummary& run) {
  const Json& result = object_in(json, "result");
  run.status = text_in(result, "status");
  run.why = text_in(result, "why");
  run.seconds = number_in(result, "seconds");
  run.epochs = integer_in(result, "epochs");
  run.planned_epochs = integer_in(object_in(json, "options"), "epochs");
  run.planned_peak_bytes = integer_in(object_in(json, "plan"), "peak_bytes");
  run.measured_peak_bytes = integer_in(result, "measured_peak_bytes");
  const auto restarts = json.find("restarts");
  if (restarts != json.end() && restarts->is_array()) run.restarts = std::ssize(*restarts);
}

// What run.json says of the best model; its metric may be one that rises.
void read_best(const Json& json, RunSummary& run) {
  const Json& best = object_in(object_in(json, "result"), "best");
  const std::string metric = text_in(best, "metric");
  if (metric.empty()) return;
  run.metric = metric;
  run.best = number_in(best, "value");
  run.best_epoch = integer_in(best, "epoch");
}

bool is_known(const std::string& status) {
  constexpr const char* kKnown[] = {"running", "done", "stopped", "failed"};
  return std::ranges::find(kKnown, status) != std::end(kKnown);
}

// Looks through folders without following links.
class RunFinder {
 public:
  RunFinder(fs::path top, KnownLogs& known) : top_(std::move(top)), known_(known) {}

  std::vector<RunSummary> find() {
    std::error_code error;
    const fs::directory_iterator check(top_, error);
    if (error) throw IoError(top_.string() + ": cannot be read: " + error.message());
    look(top_, 0);
    return std::move(found_);
  }

 private:
  void look(const fs::path& folder, int depth) {
    std::error_code error;
    if (found_.size() >= kMostRuns || ++seen_ > kMostFolders) return;
    if (fs::is_regular_file(fs::symlink_status(folder / "run.json", error))) {
      const std::string name = folder == top_ ? "." : folder.lexically_relative(top_).string();
      found_.push_back(summarize_run(folder.string(), name, known_));
      return;
    }
    if (depth == kMostDepth) return;
    fs::directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      std::error_code none;
      const bool is_hidden = entry->path().filename().string().starts_with('.');
      if (!is_hidden && fs::is_directory(entry->symlink_status(none)))
        look(entry->path(), depth + 1);
    }
  }

  fs::path top_;
  KnownLogs& known_;
  std::vector<RunSummary> found_;
  int seen_ = 0;
};

}  // namespace

RunSummary summarize_run(const std::string& path, std::string name, KnownLogs& known) {
  RunSummary run{.name = std::move(name), .status = "damaged"};
  try {
    const Json json = read_run_file(path);
    read_result(json, run);
    if (!is_known(run.status)) throw CorruptFile("run.json has no status that a run has");
    if (run.status == "running") {
      const std::string lock = path + "/.lock";
      run.process = lock_holder(lock);
      if (!run.process && !FileLock::is_held(lock)) run.status = "killed";
    }
    try {
      read_log(path, known, run);
    } catch (const Error& error) {
      run.why += (run.why.empty() ? "" : "; ") + std::string(error.what());
    }
    read_best(json, run);
  } catch (const Error& error) {
    run.status = "damaged";
    run.why = error.what();
  }
  return run;
}

std::vector<RunSummary> list_runs(const std::string& folder) {
  KnownLogs none;
  return list_runs(folder, none);
}

std::vector<RunSummary> list_runs(const std::string& folder, KnownLogs& known) {
  std::vector<RunSummary> runs = RunFinder(fs::path(folder).lexically_normal(), known).find();
  std::ranges::stable_sort(runs, [](const RunSummary& a, const RunSummary& b) {
    return a.started != b.started ? a.started > b.started : a.name < b.name;
  });
  return runs;
}

}  // namespace plimsoll
