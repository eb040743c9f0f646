#include "plimsoll/record/run_log.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/base/file_system.h"
#include "plimsoll/base/report_finding.h"

namespace plimsoll {

std::string time_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&now, &parts);
  char text[32];
  const size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text, length};
}

RunLog::RunLog(const std::string& path, Mode mode)
    : file_(path, O_WRONLY | O_CREAT | (mode == Mode::begin ? O_TRUNC : 0)),
      size_(mode == Mode::begin ? 0 : file_.size()) {}

void RunLog::cut(int64_t size) {
  if (size > size_)
    return report({.severity = Finding::Severity::warning,
                   .where = file_.path(),
                   .what = fmt::format("has {} bytes, and had {} when the run was last saved; the "
                                       "lines that are missing stay lost",
                                       size_, size)});
  if (ftruncate(file_.number(), size) != 0) file_.fail("cut");
  size_ = size;
}

void RunLog::sync(const std::string& path) {
  struct stat own {
  }, named{};
  const bool is_there = fstat(file_.number(), &own) == 0 && stat(path.c_str(), &named) == 0;
  if (!is_there || own.st_ino != named.st_ino || own.st_dev != named.st_dev)
    throw IoError(path + ": was moved or removed while the run goes on");
  file_.flush_to_disk();
  if (synced_name_ != path) sync_folder_of(path);
  synced_name_ = path;
}

void RunLog::write(std::string_view event, const nlohmann::ordered_json& fields) {
  nlohmann::ordered_json line = {{"event", event}, {"time", time_now()}};
  line.update(fields);
  const std::string text =
      line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  file_.write_at(size_, std::as_bytes(std::span(text)));
  size_ += static_cast<int64_t>(text.size());
}

void RunLog::write(const Finding& finding) {
  write("finding", {{"severity", to_string(finding.severity)},
                    {"where", finding.where},
                    {"what", finding.what},
                    {"remedy", finding.remedy}});
}

nlohmann::ordered_json json_number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

nlohmann::ordered_json json_numbers(const std::map<std::string, double>& values) {
  nlohmann::ordered_json numbers = nlohmann::ordered_json::object();
  for (const auto& [name, value] : values) numbers[name] = json_number(value);
  return numbers;
}

}  // namespace plimsoll
