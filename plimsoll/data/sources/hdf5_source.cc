#include "plimsoll/data/sources/hdf5_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/array_rows.h"
#include "plimsoll/formats/bytes/unnamed_file.h"
#include "plimsoll/formats/hdf5/hdf5_file.h"

namespace plimsoll {
namespace {

using Names = std::vector<std::string>;

void add_names(const Hdf5Group& group, const std::string& prefix, Names& names) {
  for (const auto& [name, dataset] : group.datasets)
    if (dataset.is_numeric()) names.push_back(prefix + name);
  for (const auto& [name, child] : group.groups) add_names(child, prefix + name + "/", names);
}

Names names_in(const Hdf5File& file) {
  Names names;
  add_names(file.root, "", names);
  return names;
}

// A dataset in one piece, as ArrayRows takes it.
class Hdf5Rows {
 public:
  Hdf5Rows(std::string name, Hdf5Dataset dataset)
      : name_(std::move(name)), dataset_(std::move(dataset)) {
    spec_ = {dataset_.dtype(), dataset_.shape()};
  }

  const std::string& name() const { return name_; }
  const Spec& spec() const { return spec_; }
  int64_t rows() const { return spec_.shape.rank() == 0 ? 1 : spec_.shape[0]; }
  void read_rows(int64_t first, int64_t count, std::byte* into) const {
    dataset_.read_rows(first, count, into);
  }

 private:
  std::string name_;
  Hdf5Dataset dataset_;
  Spec spec_;
};

Hdf5Dataset readable(const Hdf5Dataset& dataset, const std::string& name,
                     const Hdf5SourceOptions& options) {
  if (dataset.is_in_one_piece()) return dataset;
  const std::string folder = options.folder.empty() ? temporary_folder() : options.folder;
  announce_writing_out(folder, options.announce, name, "is in chunks",
                       dataset.shape().elements() * size_of(dataset.dtype()));
  return dataset.in_one_piece(folder);
}

}  // namespace

Names hdf5_names(const std::string& path) {
  return names_in(read_hdf5(file_source(path)));
}

bool is_keras_hdf5(const std::string& path) {
  const Hdf5Group root = read_hdf5(file_source(path)).root;
  const auto has_attribute = [&](const char* name) { return root.attributes.contains(name); };
  const auto has_group = [&](const char* name) { return root.groups.contains(name); };
  return has_attribute("model_config") || has_attribute("layer_names") ||
         has_attribute("keras_version") || has_group("model_weights") || has_group("layers") ||
         has_group("_layer_checkpoint_dependencies");
}

SourcePtr hdf5_source(const std::string& path, const Names& names,
                      const Hdf5SourceOptions& options) {
  const Hdf5File file = read_hdf5(file_source(path));
  std::vector<Hdf5Rows> arrays;
  for (const std::string& name : names) {
    const Hdf5Dataset* dataset = file.root.find_dataset(name);
    if (dataset == nullptr || !dataset->is_numeric()) {
      const std::string found = fmt::format("{}", fmt::join(names_in(file), ", "));
      throw InvalidArgument(fmt::format("{}: expected a dataset '{}' of numbers, found {}", path,
                                        name, found.empty() ? "none" : found));
    }
    const std::string place = path + "/" + name;
    arrays.emplace_back(place, readable(*dataset, place, options));
  }
  return array_rows(path, std::move(arrays));
}

}  // namespace plimsoll
