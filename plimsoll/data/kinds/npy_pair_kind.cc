// Several .npy files, "x.npy,y.npy": one for each input, then one for each target, and one of
// sample weights if there is another.
#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/sources/npz_source.h"

namespace plimsoll {
namespace {

bool is_npy_of_several(const DataFile& file) {
  return file.path.ends_with(".npy") && file.start().starts_with("\x93NUMPY");
}

// How many of the files are read.
size_t arrays_for_model(const DataRequest& request) {
  const size_t found = request.files.size(), inputs = request.inputs.size();
  const size_t all = inputs + request.outputs.size();
  if (!request.options.targets && found >= inputs && found <= all + 1) return inputs;
  if (request.options.targets && (found == all || found == all + 1)) return found;
  throw InvalidArgument(fmt::format(
      "{}: expected a .npy file for each of {}, then of {}, and one of sample weights if there are "
      "any; found {}",
      request.path, fmt::join(names_of(request.inputs), ", "),
      fmt::join(names_of(request.outputs), ", "), found));
}

// Without a model: x, y and sample_weight, or x_0, x_1, … where there are more.
Names names_as_they_are(size_t count) {
  Names names = {"x", "y", "sample_weight"};
  if (count > names.size()) names.clear();
  while (names.size() < count) names.push_back(fmt::format("x_{}", names.size()));
  names.resize(count);
  return names;
}

NamedFields open_npy_files(const DataRequest& request) {
  const NpzOptions options{.folder = request.options.folder, .announce = request.options.announce};
  NamedFields fields{.records = {}, .names = names_as_they_are(request.files.size())};
  Names used = request.files;
  if (request.is_for_model) {
    used.resize(arrays_for_model(request));
    fields.names = used;
    if (used.size() > request.inputs.size() + request.outputs.size()) fields.sample_weights = 1;
  }
  fields.records = npy_source(used, options);
  return fields;
}

}  // namespace

namespace kinds {

extern constexpr DataKind npy_pair{.name = "npy_pair",
                                   .files = "pairs of .npy files",
                                   .help = "two .npy files, x.npy,y.npy",
                                   .recognises = is_npy_of_several,
                                   .count = kSeveralFiles,
                                   .takes = {DataOption::window},
                                   .open = open_npy_files};

}  // namespace kinds
}  // namespace plimsoll
