#include "plimsoll/report/known_logs.h"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "plimsoll/base/error.h"
#include "plimsoll/report/run_files.h"
#include "plimsoll/report/shown.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kMostLogBytes = 8 << 20;
constexpr size_t kMostKnown = 2000;

// The loss of an epoch, that of the validation if there is one.
void note_epoch(const Json& event, LogSummary& log) {
  const Json& metrics = member(event, "metrics");
  log.epochs = std::max(log.epochs, integer_in(event, "epoch"));
  log.resident_bytes = std::max(log.resident_bytes, integer_in(event, "resident_bytes"));
  if (!metrics.is_object()) return;
  const char* metric = metrics.contains("val_loss") ? "val_loss" : "loss";
  if (!metrics.contains(metric)) return;
  const double value = number_in(metrics, metric);
  if (!std::isfinite(value)) return;
  if (log.metric == metric && log.best <= value) return;
  log.metric = metric;
  log.best = value;
  log.best_epoch = integer_in(event, "epoch");
}

// False where the log has become shorter: the run went on from a checkpoint.
bool read_on(const std::string& run, LogSummary& log) {
  std::string last;
  const LogPart part = read_log_lines(run, log.next, kMostLogBytes, [&](std::string_view line) {
    constexpr std::string_view kEpoch = R"({"event":"epoch")";
    if (line.starts_with(kEpoch)) note_epoch(parse_event(line), log);
    last = line;
    return true;
  });
  log.next = part.next;
  if (!last.empty()) log.last_time = text_in(parse_event(last), "time");
  return !part.has_shrunk;
}

}  // namespace

LogSummary KnownLogs::read(const std::string& run) {
  struct stat file {};
  if (lstat((run + "/log.jsonl").c_str(), &file) != 0) throw IoError("there is no log.jsonl");
  const std::pair key(file.st_dev, file.st_ino);
  LogSummary log;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(key); found != known_.end()) log = found->second;
  }
  if (log.next == 0 || !read_on(run, log)) {
    log = {.started = text_in(parse_event(first_log_line(run)), "time")};
    read_on(run, log);
  }
  const std::lock_guard lock(mutex_);
  if (known_.size() >= kMostKnown) known_.clear();
  known_[key] = log;
  return log;
}

}  // namespace plimsoll
