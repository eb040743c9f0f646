#include "plimsoll/report/run_list.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/file_lock.h"
#include "plimsoll/base/lock_holder.h"
#include "plimsoll/report/run_files.h"
#include "plimsoll/report/shown.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr size_t kMostRuns = 1000;
constexpr int kMostFolders = 100'000, kMostDepth = 3;
constexpr int64_t kMostLogBytes = 8 << 20;

// Seconds since 1970 of "2026-01-31T12:00:00Z"; 0 for other text.
double seconds_of(const std::string& time) {
  std::tm parts = {};
  const char* end = strptime(time.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return end != nullptr && *end == 0 ? static_cast<double>(timegm(&parts)) : 0;
}

// The time in an event; empty where it is no time.
std::string time_in(const Json& event) {
  const std::string time = text_in(event, "time");
  return seconds_of(time) > 0 ? time : "";
}

const Json& object_in(const Json& object, const char* key) {
  static const Json kNone = Json::object();
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? *found : kNone;
}

// The loss of an epoch, that of the validation if there is one.
void note_epoch(const Json& event, RunSummary& run) {
  const Json& metrics = object_in(event, "metrics");
  run.epochs = std::max(run.epochs, integer_in(event, "epoch"));
  const char* metric = metrics.contains("val_loss") ? "val_loss" : "loss";
  if (!metrics.contains(metric)) return;
  const double value = number_in(metrics, metric);
  if (!std::isfinite(value)) return;
  if (run.metric == metric && run.best <= value) return;
  run.metric = metric;
  run.best = value;
  run.best_epoch = integer_in(event, "epoch");
}

void read_log(const std::string& path, RunSummary& run) {
  std::string last;
  run.started = time_in(parse_event(first_log_line(path)));
  read_log_lines(path, 0, kMostLogBytes, [&](std::string_view line) {
    constexpr std::string_view kEpoch = R"({"event":"epoch")";
    if (line.starts_with(kEpoch)) note_epoch(parse_event(line), run);
    last = line;
  });
  const double begin = seconds_of(run.started);
  if (begin <= 0 || run.seconds > 0) return;
  const double end = run.status == "running" ? static_cast<double>(std::time(nullptr))
                                             : seconds_of(time_in(parse_event(last)));
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
  explicit RunFinder(fs::path top) : top_(std::move(top)) {}

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
      found_.push_back(summarize_run(folder.string(), name));
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
  std::vector<RunSummary> found_;
  int seen_ = 0;
};

}  // namespace

RunSummary summarize_run(const std::string& path, std::string name) {
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
      read_log(path, run);
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
  std::vector<RunSummary> runs = RunFinder(fs::path(folder).lexically_normal()).find();
  std::ranges::stable_sort(runs, [](const RunSummary& a, const RunSummary& b) {
    return a.started != b.started ? a.started > b.started : a.name < b.name;
  });
  return runs;
}

}  // namespace plimsoll
