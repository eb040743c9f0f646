#include "plimsoll/train/data/data_files.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/file_set.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<std::string>;

bool has(const std::string& name, const char* part) {
  return name.find(part) != name.npos;
}

// Files of which several make one set of data.
std::optional<DataKind> kind_of_name(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  if (has(name, ".tfrecord")) return DataKind::tfrecord;
  if (name.ends_with(".tar") || has(name, ".tar.") || name.ends_with(".tgz")) return DataKind::tar;
  if (has(name, "-ubyte") || has(name, ".idx")) return DataKind::idx;
  return std::nullopt;
}

Paths shards_in(const std::string& folder, DataKind kind) {
  Paths paths;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (kind_of_name(entry.path().string()) == kind && entry.is_regular_file(error))
      paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  return paths;
}

DataFiles in_folder(const std::string& folder) {
  for (const DataKind kind : {DataKind::tar, DataKind::tfrecord})
    if (Paths paths = shards_in(folder, kind); !paths.empty()) return {kind, std::move(paths)};
  return {DataKind::images, {folder}};
}

std::optional<DataKind> kind_of_start(const std::string& path) {
  const ByteSourcePtr file = file_source(path);
  std::string start(static_cast<size_t>(std::min<int64_t>(6, file->size())), ' ');
  file->read_at(0, std::as_writable_bytes(std::span(start)));
  if (start.starts_with("PK")) return DataKind::npz;
  if (start.starts_with("\x93NUMPY")) return DataKind::npy;
  return std::nullopt;
}

DataKind kind_of(const std::string& path) {
  if (const auto kind = kind_of_start(path)) return *kind;
  if (const auto kind = kind_of_name(path)) return *kind;
  if (path.ends_with(".csv") || path.ends_with(".tsv") || path.ends_with(".txt"))
    return DataKind::csv;
  throw InvalidArgument(path +
                        ": expected a .npz, .csv, .tfrecord, .tar or IDX file, or a folder of "
                        "images");
}

}  // namespace

DataFiles find_data(const std::string& path) {
  if (fs::is_directory(path)) return in_folder(path);
  Paths paths = named_files(path);
  const DataKind kind = kind_of(paths[0]);
  for (const std::string& other : paths) {
    if (paths.size() > 1 && kind_of_name(other) != kind)
      throw InvalidArgument(path +
                            ": several files are read where all are .tfrecord, .tar or IDX "
                            "files; " +
                            other + " is none, or another kind than " + paths[0]);
  }
  return {kind, std::move(paths)};
}

}  // namespace plimsoll
