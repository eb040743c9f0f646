#include "plimsoll/cli/open_records.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/csv_source.h"
#include "plimsoll/data/sources/feature_file.h"
#include "plimsoll/data/sources/idx_source.h"
#include "plimsoll/data/sources/image_folder.h"
#include "plimsoll/data/sources/npz_source.h"
#include "plimsoll/data/sources/tar_source.h"
#include "plimsoll/formats/archives/zip_archive.h"
#include "plimsoll/train/data/data_files.h"
#include "plimsoll/train/steps/per_output.h"

namespace plimsoll::cli {
namespace {

using Names = std::vector<std::string>;

Names chosen(const Names& found, const std::string& array, const std::string& path) {
  if (array.empty()) return found;
  if (std::ranges::find(found, array) == found.end())
    throw InvalidArgument(
        fmt::format("{}: has no array '{}'; it has {}", path, array, listed(found)));
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
  ImageFolderOptions images{.class_names = options.class_names,
                            .interpolation = options.interpolation,
                            .crop_to_aspect_ratio = options.crop_to_aspect_ratio,
                            .pad_to_aspect_ratio = options.pad_to_aspect_ratio,
                            .fast_decode = options.fast_decode};
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
    throw InvalidArgument(fmt::format(
        "{}: a TFRecord file does not describe its features; name a file that does with --features",
        paths[0]));
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
    throw InvalidArgument(fmt::format("{}: expected a file of images and one of labels, found {}",
                                      paths[0], paths.size()));
  const IdxOptions idx{.announce = options.announce};
  return {idx_source(paths, idx), paths.size() == 1 ? Names{"x"} : Names{"x", "y"}};
}

}  // namespace

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

bool is_data(const std::string& path) {
  try {
    return find_data(path).kind != DataKind::npz || !ZipArchive(path).has("config.json");
  } catch (const InvalidArgument&) {  // no data at all
    return false;
  }
}

bool is_table(const std::string& path) {
  return find_data(path).kind == DataKind::csv;
}

}  // namespace plimsoll::cli
