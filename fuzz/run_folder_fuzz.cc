// The folder of a run whose run.json and log.jsonl hold any bytes has a summary, and its log is
// read line by line. The bytes up to the first zero are the former, the rest is the latter.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/report/known_logs.h"
#include "plimsoll/report/run_files.h"
#include "plimsoll/report/run_list.h"
#include "plimsoll/report/run_table.h"

namespace {

std::string make_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "run_folder_fuzz_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) abort();
  return name;
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::string folder = make_folder();
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const size_t split = std::min(bytes.find('\0'), bytes.size());
  write(folder + "/run.json", bytes.substr(0, split));
  write(folder + "/log.jsonl", bytes.substr(std::min(split + 1, bytes.size())));
  plimsoll::KnownLogs known;
  const plimsoll::RunSummary run = plimsoll::summarize_run(folder, "run", known);
  plimsoll::run_table(std::span(&run, 1), 40);
  int64_t lines = 0;
  const plimsoll::LogPart all =
      plimsoll::read_log_lines(folder, 0, 1 << 30, [&](std::string_view line) {
        if (line.find('\n') != line.npos) abort();
        ++lines;
        return true;
      });
  // From where it ended on, there is nothing.
  const plimsoll::LogPart rest = plimsoll::read_log_lines(
      folder, all.next, 1 << 30, [](std::string_view) -> bool { abort(); });
  if (rest.next != all.next) abort();
  return 0;
}
