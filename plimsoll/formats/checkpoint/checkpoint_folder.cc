#include "plimsoll/formats/checkpoint/checkpoint_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

constexpr std::string_view kSuffix = ".checkpoint";
// One name for all, so that what a killed process left takes no room beside the next checkpoint.
constexpr const char* kUnfinished = "unfinished.tmp";

std::string name_of_checkpoint(int64_t number) {
  return fmt::format("{:012}{}", number, kSuffix);
}

// None where the folder's code would not give a file this name.
std::optional<int64_t> number_of_checkpoint(std::string_view name) {
  int64_t number = -1;
  std::from_chars(name.data(), name.data() + name.size(), number);
  if (number < 0 || name != name_of_checkpoint(number)) return std::nullopt;
  return number;
}

Finding not_used(const std::string& path, const Error& error) {
  std::string_view what = error.what();
  if (what.starts_with(path + ": ")) what.remove_prefix(path.size() + 2);
  return {.severity = Finding::Severity::warning,
          .where = path,
          .what = std::string(what),
          .remedy = "this checkpoint is not used"};
}

}  // namespace

CheckpointFolder::CheckpointFolder(std::string path, FileSystem& files)
    : path_(std::move(path)), files_(files) {}

void CheckpointFolder::write(int64_t number, int keep,
                             const std::function<void(CheckpointWriter&)>& fill,
                             const std::vector<int64_t>& kept) {
  if (number < 0 || keep < 1)
    throw InvalidArgument(
        fmt::format("{}: cannot write checkpoint {} and keep {}, expected a number of at least 0 "
                    "and to keep at least 1",
                    path_, number, keep));
  const std::string temporary = (std::filesystem::path(path_) / kUnfinished).string();
  files_.make_folder(path_);
  try {
    write_verified(temporary, fill);
    files_.rename(temporary, path_of(number));
  } catch (...) {
    // The error to report is the first one, and the next write replaces what cannot be removed.
    try {
      files_.remove(temporary);
    } catch (...) {
    }
    throw;
  }
  files_.sync_folder(path_);
  remove_all_but_last(number, keep, kept);
}

void CheckpointFolder::write_verified(const std::string& path,
                                      const std::function<void(CheckpointWriter&)>& fill) const {
  {
    const auto file = files_.create(path);
    CheckpointWriter writer(*file);
    fill(writer);
    writer.finish();
    file->sync();
  }
  CheckpointFile::open(path, files_);
}

void CheckpointFolder::remove_all_but_last(int64_t number, int keep,
                                           const std::vector<int64_t>& kept) const {
  std::vector<int64_t> older = numbers();
  std::erase_if(older, [&](int64_t other) { return other > number; });
  older.resize(older.size() - std::min(older.size(), static_cast<size_t>(keep)));
  for (const int64_t other : older)
    if (std::ranges::find(kept, other) == kept.end()) files_.remove(path_of(other));
}

void CheckpointFolder::remove_newer(int64_t number) const {
  const std::vector<int64_t> all = numbers();
  for (auto other = all.rbegin(); other != all.rend() && *other > number; ++other)
    files_.remove(path_of(*other));
}

void CheckpointFolder::remove_older(int64_t number) const {
  for (const int64_t other : numbers())
    if (other < number) files_.remove(path_of(other));
}

std::optional<CheckpointFile> CheckpointFolder::newest(std::vector<Finding>& findings) const {
  const std::vector<int64_t> all = numbers();
  for (auto number = all.rbegin(); number != all.rend(); ++number) {
    const std::string path = path_of(*number);
    try {
      return CheckpointFile::open(path, files_);
    } catch (const CorruptFile& error) {
      findings.push_back(not_used(path, error));
    } catch (const IoError& error) {
      findings.push_back(not_used(path, error));
    }
  }
  if (!all.empty())
    findings.push_back({.severity = Finding::Severity::error,
                        .where = path_,
                        .what = fmt::format("none of its {} checkpoints is whole", all.size())});
  return std::nullopt;
}

std::vector<int64_t> CheckpointFolder::numbers() const {
  std::vector<int64_t> numbers;
  for (const std::string& name : files_.list(path_))
    if (const auto number = number_of_checkpoint(name)) numbers.push_back(*number);
  std::ranges::sort(numbers);
  return numbers;
}

std::string CheckpointFolder::path_of(int64_t number) const {
  return (std::filesystem::path(path_) / name_of_checkpoint(number)).string();
}

}  // namespace plimsoll
