#include "plimsoll/data/kinds/find_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/kinds/data_kind_list.h"
#include "plimsoll/data/kinds/foreign_formats.h"
#include "plimsoll/data/sources/file_set.h"
#include "plimsoll/formats/bytes/standard_input.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

// All files directly in a folder that are of the kind, however many there are.
Names files_in(const std::string& folder, const DataKind& kind) {
  Names files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (kind.is_in_folder(entry.path().filename().string()) && entry.is_regular_file(error))
      files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

// The files below a folder, by their paths from there on. Hidden ones do not count.
Names list_folder(const std::string& folder) {
  constexpr size_t kMostFiles = 20'000, kMostFolders = 20'000;
  Names files, folders = {""};
  for (size_t i = 0; i < folders.size() && files.size() < kMostFiles; ++i) {
    std::error_code error;
    fs::directory_iterator entries(fs::path(folder) / folders[i], error);
    if (error && i == 0)
      throw IoError(fmt::format("{}: cannot be listed: {}", folder, error.message()));
    for (const fs::directory_entry& entry : entries) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(".")) continue;
      const std::string below = (fs::path(folders[i]) / name).string();
      if (entry.is_directory(error)) {
        if (!entry.is_symlink(error) && folders.size() < kMostFolders) folders.push_back(below);
      } else if (files.size() < kMostFiles) {
        files.push_back(below);
      }
    }
  }
  std::ranges::sort(files);
  return files;
}

// The kind that most of the files are of; of two that are equal, the first in the list.
const DataKind* kind_of_most(const Names& below) {
  const DataKind* most = nullptr;
  int64_t count = 0;
  for (const DataKind* kind : data_kinds()) {
    if (kind->is_in_folder == nullptr) continue;
    const int64_t of_kind = std::ranges::count_if(below, kind->is_in_folder);
    if (most != nullptr && of_kind <= count) continue;
    most = kind;
    count = of_kind;
  }
  return count > 0 ? most : nullptr;
}

// True if the name alone makes it data, were it given by itself.
bool is_data_by_name(const std::string& below) {
  return std::ranges::any_of(data_kinds(), [&](const DataKind* kind) {
    return kind->is_in_folder != nullptr && kind->is_in_folder(below);
  });
}

// Data is named first: it may be what was meant.
void name_others(const Names& below, FoundData& found) {
  constexpr size_t kNamed = 5;
  Names data, rest;
  for (const std::string& file : below)
    if (!found.kind->is_in_folder(file)) (is_data_by_name(file) ? data : rest).push_back(file);
  found.has_other_data = !data.empty();
  found.other_count = std::ssize(data) + std::ssize(rest);
  found.others = std::move(data);
  found.others.insert(found.others.end(), rest.begin(), rest.end());
  if (found.others.size() > kNamed) found.others.resize(kNamed);
}

FoundData find_in_folder(const std::string& folder) {
  for (const DataKind* kind : data_kinds())
    if (kind->recognises({folder, true})) return {kind, {folder}};
  const Names below = list_folder(folder);
  const DataKind* kind = kind_of_most(below);
  if (kind == nullptr)
    throw InvalidArgument(fmt::format(
        "{}: expected a folder of images or texts, or of .tar or .tfrecord files; found {}", folder,
        below.empty() ? "no file"
                      : fmt::format("{} other file(s), such as {}", below.size(), below[0])));
  FoundData found{kind, {folder}};
  name_others(below, found);
  if (kind->are_files_of_folder) found.files = files_in(folder, *kind);
  return found;
}

bool are_all(const DataKind& kind, const Names& files) {
  return files.size() >= kind.count.least && files.size() <= kind.count.most &&
         std::ranges::all_of(files, [&](const auto& path) { return kind.recognises({path}); });
}

// Several files that do not belong together, or one that nothing reads.
[[noreturn]] void refuse(const std::string& path, const Names& files) {
  const auto kinds = data_kinds();
  const auto of_first = std::ranges::find_if(
      kinds, [&](const DataKind* kind) { return kind->recognises({files[0]}); });
  if (files[0] == kStandardInput && DataFile{files[0]}.start().empty())
    throw InvalidArgument("-: standard input is empty");
  if (const std::string about = about_foreign_format({files[0]}); !about.empty())
    throw InvalidArgument(fmt::format("{}: {}", files[0], about));
  if (files.size() == 1 || of_first == kinds.end())
    throw InvalidArgument(fmt::format("{}: expected {}", files[0], kinds_text()));
  const auto other = std::ranges::find_if_not(
      files, [&](const std::string& file) { return (*of_first)->recognises({file}); });
  Names several;
  for (const DataKind* kind : kinds)
    if (kind->count.most > 1) several.emplace_back(kind->files);
  throw InvalidArgument(fmt::format(
      "{}: several files must all be of one of these kinds: {}; {} is not one of them, "
      "or not of the same kind as {}",
      path, fmt::join(several, ", "), other == files.end() ? files[0] : *other, files[0]));
}

}  // namespace

std::optional<Finding> FoundData::about_others(const std::string& path) const {
  if (other_count == 0) return std::nullopt;
  const auto more = other_count - std::ssize(others);
  return Finding{.severity = has_other_data ? Finding::Severity::warning : Finding::Severity::note,
                 .where = path,
                 .what = fmt::format("is read as {}; {} other file(s) in it are left out: {}{}",
                                     kind->files, other_count, fmt::join(others, ", "),
                                     more > 0 ? fmt::format(" and {} more", more) : ""),
                 .remedy = has_other_data ? "move them away, or name the file that you mean" : ""};
}

std::string DataFile::name() const {
  return fs::path(path).filename().string();
}

std::string DataFile::start() const {
  constexpr int64_t kBytes = 16;
  if (is_folder) return {};
  const ByteSourcePtr file = file_source(path);
  std::string start(static_cast<size_t>(std::min(kBytes, file->size())), ' ');
  file->read_at(0, std::as_writable_bytes(std::span(start)));
  return start;
}

bool DataFile::is_standard_input() const {
  return path == kStandardInput;
}

bool DataFile::is_json() const {
  const std::string text = start();
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && text[first] == '{';
}

FoundData find_data(const std::string& path) {
  std::error_code error;  // a loop of links, say, which opening the file names
  if (path != kStandardInput && fs::is_directory(path, error)) return find_in_folder(path);
  Names files = named_files(path);
  for (const DataKind* kind : data_kinds())
    if (are_all(*kind, files)) return {kind, std::move(files)};
  refuse(path, files);
}

}  // namespace plimsoll
