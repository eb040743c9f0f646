// IDX files, those of the MNIST family: one for each input, then one for each target.
#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/sources/idx_source.h"

namespace plimsoll {
namespace {

bool is_idx(const DataFile& file) {
  const std::string name = file.name();
  return !file.is_folder && (name.find("-ubyte") != name.npos || name.find(".idx") != name.npos);
}

// How many of the files are read.
size_t files_for_model(const DataRequest& request) {
  const size_t found = request.files.size(), inputs = request.inputs.size();
  const bool targets = request.options.targets;
  const size_t wanted = inputs + (targets ? request.outputs.size() : 0);
  if (found >= wanted && found <= inputs + request.outputs.size()) return wanted;
  throw InvalidArgument(fmt::format(
      "{}: expected a file for each of {}{}, separated by commas "
      "(train-images-idx3-ubyte,train-labels-idx1-ubyte); found {}",
      request.path, fmt::join(names_of(request.inputs), ", "),
      targets ? fmt::format(", then of {}", fmt::join(names_of(request.outputs), ", ")) : "",
      found));
}

NamedFields open_idx(const DataRequest& request) {
  const IdxOptions options{.folder = request.options.folder, .announce = request.options.announce};
  if (request.is_for_model) {
    Names used = request.files;
    used.resize(files_for_model(request));
    return {.records = idx_source(used, options), .names = used, .has_class_numbers = true};
  }
  if (request.files.size() > 2)
    throw InvalidArgument(fmt::format("{}: expected a file of images and one of labels, found {}",
                                      request.files[0], request.files.size()));
  return {.records = idx_source(request.files, options),
          .names = request.files.size() == 1 ? Names{"x"} : Names{"x", "y"}};
}

}  // namespace

namespace kinds {

extern constexpr DataKind idx{.name = "idx",
                              .files = "IDX files",
                              .help = "IDX files of images and labels",
                              .recognises = is_idx,
                              .count = kAnyFiles,
                              .takes = {DataOption::window},
                              .open = open_idx};

}  // namespace kinds
}  // namespace plimsoll
