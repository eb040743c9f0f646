#include "plimsoll/cli/open_records.h"

#include <algorithm>
#include <filesystem>

#include "plimsoll/base/error.h"
#include "plimsoll/data/csv_source.h"
#include "plimsoll/data/image_folder.h"
#include "plimsoll/data/npz_source.h"
#include "plimsoll/formats/idx.h"
#include "plimsoll/formats/zip_archive.h"
#include "plimsoll/train/per_output.h"

namespace plimsoll::cli {
namespace {

using Names = std::vector<std::string>;

std::string start_of(const std::string& path) {
  const ByteSourcePtr file = file_source(path);
  std::string start(static_cast<size_t>(std::min<int64_t>(6, file->size())), ' ');
  file->read_at(0, std::as_writable_bytes(std::span(start)));
  return start;
}

bool has_csv_name(const std::string& path) {
  return path.ends_with(".csv") || path.ends_with(".tsv") || path.ends_with(".txt");
}

bool is_idx(const std::string& path) {
  return path.find("-ubyte") != path.npos || path.find(".idx") != path.npos;
}

Names chosen(const Names& found, const std::string& array, const std::string& path) {
  if (array.empty()) return found;
  if (std::ranges::find(found, array) == found.end())
    throw InvalidArgument(path + ": has no array '" + array + "', it has " + listed(found));
  return {array};
}

NamedRecords open_csv(const DataArguments& from, const DataOptions& options) {
  CsvSourceOptions csv{.targets = {},
                       .ignored = options.ignored,
                       .class_names = options.class_names,
                       .missing = options.missing,
                       .announce = options.announce};
  if (!options.target.empty()) csv.targets = {options.target};
  const SourcePtr records = csv_source(from.path, csv);
  return {records, options.target.empty() ? Names{"x"} : Names{"x", "y"}};
}

NamedRecords open_images(const DataArguments& from, const DataOptions& options) {
  ImageFolderOptions images{.class_names = options.class_names};
  if (options.image_size) images.image_size = *options.image_size;
  return {image_folder(from.path, images), {"x", "y"}};
}

}  // namespace

NamedRecords open_records(const DataArguments& from, const std::string& array, Findings& findings) {
  DataOptions options = data_options(from, findings);
  if (!from.classes.empty()) options.class_names = read_classes(from.classes);
  const NpzOptions npz{.folder = {}, .announce = options.announce};
  if (std::filesystem::is_directory(from.path)) return open_images(from, options);
  const std::string start = start_of(from.path);
  if (start.starts_with("\x93NUMPY")) return {npy_source(from.path, npz), {"x"}};
  if (start.starts_with("PK")) {
    const Names names = chosen(NpzFile(from.path).names(), array, from.path);
    return {npz_source(from.path, names, {}, npz), names};
  }
  if (is_idx(from.path)) return {from_tensor_slices({read_idx(from.path)}), {"x"}};
  return open_csv(from, options);
}

bool is_data(const std::string& path) {
  if (std::filesystem::is_directory(path) || has_csv_name(path) || is_idx(path)) return true;
  const std::string start = start_of(path);
  if (start.starts_with("\x93NUMPY")) return true;
  return start.starts_with("PK") && !ZipArchive(path).has("config.json");
}

bool is_table(const std::string& path) {
  if (std::filesystem::is_directory(path) || is_idx(path)) return false;
  const std::string start = start_of(path);
  return !start.starts_with("\x93NUMPY") && !start.starts_with("PK");
}

}  // namespace plimsoll::cli
