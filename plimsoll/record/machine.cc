#include "plimsoll/record/machine.h"

#include <fmt/format.h>

#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace plimsoll {
namespace {

// "model name : Intel(R) …" of the first core; empty where the system has no such line.
std::string processor_name() {
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != line.npos) return line.substr(colon + 2);
  }
  return {};
}

}  // namespace

nlohmann::ordered_json machine_json() {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (utsname system = {}; uname(&system) == 0)
    json["system"] = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  if (const std::string name = processor_name(); !name.empty()) json["processor"] = name;
  if (const long cores = sysconf(_SC_NPROCESSORS_ONLN); cores > 0) json["cores"] = cores;
  const int64_t pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGE_SIZE);
  if (pages > 0 && page_bytes > 0) json["memory_bytes"] = pages * page_bytes;
  return json;
}

}  // namespace plimsoll
