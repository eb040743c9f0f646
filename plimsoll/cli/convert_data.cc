#include "plimsoll/cli/convert_data.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/base/error.h"
#include "plimsoll/cli/row_progress.h"
#include "plimsoll/cli/stop_signals.h"
#include "plimsoll/cli/wrong_usage.h"
#include "plimsoll/data/csv_source.h"
#include "plimsoll/data/feature_file.h"
#include "plimsoll/data/idx_source.h"
#include "plimsoll/data/image_folder.h"
#include "plimsoll/data/npz_source.h"
#include "plimsoll/data/tar_source.h"
#include "plimsoll/formats/npy_writer.h"
#include "plimsoll/formats/npz_writer.h"
#include "plimsoll/formats/zip_archive.h"
#include "plimsoll/train/per_output.h"

namespace plimsoll::cli {
namespace {

using Names = std::vector<std::string>;

// Arrays that have as many rows each, and what they are called.
struct NamedRecords {
  SourcePtr records;
  Names names;
};

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

NamedRecords open_tars(const std::vector<std::string>& paths, const DataOptions& options) {
  TarSourceOptions tar;
  if (options.image_size) tar.image_size = *options.image_size;
  return {tar_source(paths, tar), {"x", "y"}};
}

NamedRecords open_tfrecords(const std::vector<std::string>& paths, const DataOptions& options) {
  if (options.features.empty())
    throw InvalidArgument(paths[0] +
                          ": TFRecord files do not say what is in them; name a file that does "
                          "with --features");
  NamedRecords data;
  FeatureSpec spec;
  for (NamedFeature& feature : read_feature_file(options.features)) {
    if (feature.field.image && !feature.has_image_size && options.image_size)
      feature.field.image->image_size = *options.image_size;
    spec.push_back(feature.field);
    data.names.push_back(feature.name);
  }
  data.records = tfrecord_source(paths, spec);
  return data;
}

NamedRecords open_idx(const std::vector<std::string>& paths, const DataOptions& options) {
  if (paths.size() > 2)
    throw InvalidArgument(paths[0] + ": expected a file of images and one of labels, found " +
                          std::to_string(paths.size()));
  const IdxOptions idx{.announce = options.announce};
  return {idx_source(paths, idx), paths.size() == 1 ? Names{"x"} : Names{"x", "y"}};
}

NamedRecords open_records(const DataArguments& from, const std::string& array, Findings& findings) {
  DataOptions options = data_options(from, findings);
  if (!from.classes.empty()) options.class_names = read_classes(from.classes);
  const NpzOptions npz{.folder = {}, .announce = options.announce};
  const DataFiles files = find_data(from.path);
  switch (files.kind) {
    case DataKind::npy:
      return {npy_source(from.path, npz), {"x"}};
    case DataKind::npz: {
      const Names names = chosen(NpzFile(from.path).names(), array, from.path);
      return {npz_source(from.path, names, {}, npz), names};
    }
    case DataKind::csv:
      return open_csv(from, options);
    case DataKind::tfrecord:
      return open_tfrecords(files.paths, options);
    case DataKind::tar:
      return open_tars(files.paths, options);
    case DataKind::idx:
      return open_idx(files.paths, options);
    default:
      return open_images(from, options);
  }
}

// Gives the rows of each field to `write`, a few MiB at a time.
template <class Write>
void copy_rows(const Source& records, const Write& write) {
  constexpr int64_t kChunkBytes = 4 << 20;
  int64_t record_bytes = 1;
  for (const Spec& field : records.fields()) record_bytes += field.bytes();
  const int64_t chunk = std::clamp<int64_t>(kChunkBytes / record_bytes, 1, 1 << 16);
  RowProgress progress("convert", records.size());
  std::vector<std::vector<std::byte>> rows;
  for (const Spec& field : records.fields())
    rows.emplace_back(static_cast<size_t>(chunk * field.bytes()));
  for (int64_t first = 0; first < records.size(); first += chunk) {
    StopSignals::check();
    const int64_t count = std::min(chunk, records.size() - first);
    std::vector<std::byte*> places;
    for (auto& field : rows) places.push_back(field.data());
    records.read_run(first, count, places);
    for (size_t i = 0; i < rows.size(); ++i)
      write(i, std::span<const std::byte>(rows[i]).first(
                   static_cast<size_t>(count * records.fields()[i].bytes())));
    progress.add(count);
  }
}

Spec whole(const Source& records, size_t field) {
  const Spec& spec = records.fields()[field];
  return {spec.dtype, spec.shape.with(0, records.size())};
}

void write_npz(const NamedRecords& data, const std::string& to) {
  std::vector<NpzWriter::NamedSpec> arrays;
  for (size_t i = 0; i < data.names.size(); ++i)
    arrays.push_back({data.names[i], whole(*data.records, i)});
  NpzWriter writer(to, arrays);
  copy_rows(*data.records, [&](size_t i, auto bytes) { writer.append(i, bytes); });
  writer.finish();
}

void write_single(const NamedRecords& data, const std::string& to) {
  if (data.names.size() != 1)
    throw InvalidArgument(to + ": a .npy holds one array, the data has " + listed(data.names) +
                          "; choose one with --array, or write a .npz");
  NpyWriter writer(to, whole(*data.records, 0));
  copy_rows(*data.records, [&](size_t, auto bytes) { writer.append(bytes); });
  writer.finish();
}

std::string write_classes(const Source& records, const std::string& data_path) {
  const auto names = records.class_names();
  if (names.empty()) return {};
  const std::string path =
      std::filesystem::path(data_path).replace_extension(".classes.json").string();
  write_file(path, nlohmann::json(Names(names.begin(), names.end())).dump(2) + "\n");
  return path;
}

}  // namespace

std::string convert_data(const DataArguments& from, const std::string& to, const std::string& array,
                         Findings& findings) {
  const NamedRecords data = open_records(from, array, findings);
  if (!from.classes.empty() && data.records->class_names().empty())
    throw WrongUsage(
        "convert: --classes orders the class folders of images or the names in the "
        "--target of a table; " +
        from.path + " has none");
  if (to.ends_with(".npz"))
    write_npz(data, to);
  else if (to.ends_with(".npy"))
    write_single(data, to);
  else
    throw InvalidArgument(to + ": data is written as .npy or .npz");
  return write_classes(*data.records, to);
}

bool is_data(const std::string& path) {
  try {
    return find_data(path).kind != DataKind::npz || !ZipArchive(path).has("config.json");
  } catch (const InvalidArgument&) {  // no data at all
    return false;
  }
}

}  // namespace plimsoll::cli
