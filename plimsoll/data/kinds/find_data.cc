#include "plimsoll/data/kinds/find_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "plimsoll/base/error.h"
#include "plimsoll/data/kinds/data_kind_list.h"
#include "plimsoll/data/sources/file_set.h"
#include "plimsoll/formats/bytes/byte_source.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

Names files_in(const std::string& folder, const DataKind& kind) {
  Names files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (kind.recognises({entry.path().string()}) && entry.is_regular_file(error))
      files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

FoundData find_in_folder(const std::string& folder) {
  for (const DataKind* kind : data_kinds()) {
    if (kind->is_found_in_folders)
      if (Names files = files_in(folder, *kind); !files.empty()) return {kind, std::move(files)};
    if (kind->recognises({folder, true})) return {kind, {folder}};
  }
  throw InvalidArgument(fmt::format("{}: expected {}", folder, kinds_text()));
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
  if (files.size() == 1 || of_first == kinds.end())
    throw InvalidArgument(fmt::format("{}: expected {}", files[0], kinds_text()));
  const auto other = std::ranges::find_if_not(
      files, [&](const std::string& file) { return (*of_first)->recognises({file}); });
  Names several;
  for (const DataKind* kind : kinds)
    if (kind->count.most > 1) several.emplace_back(kind->files);
  throw InvalidArgument(fmt::format(
      "{}: several files must all be of one of these kinds: {}; {} is of none of them, or of "
      "another kind than {}",
      path, fmt::join(several, ", "), other == files.end() ? files[0] : *other, files[0]));
}

}  // namespace

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

FoundData find_data(const std::string& path) {
  if (fs::is_directory(path)) return find_in_folder(path);
  Names files = named_files(path);
  for (const DataKind* kind : data_kinds())
    if (are_all(*kind, files)) return {kind, std::move(files)};
  refuse(path, files);
}

}  // namespace plimsoll
