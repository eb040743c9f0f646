// HDF5 files: a dataset for each input and output of a model by their names, or x and y; a dataset
// sample_weight weighs the samples.
#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/sources/hdf5_source.h"

namespace plimsoll {
namespace {

// A model or weights of Keras may be HDF5, too. A damaged file is refused when it is opened.
bool is_hdf5_data(const DataFile& file) {
  if (!file.start().starts_with("\x89HDF")) return false;
  try {
    return !is_keras_hdf5(file.path);
  } catch (const CorruptFile&) {
    return true;
  }
}

NamedFields open_hdf5(const DataRequest& request) {
  const std::string& path = request.files[0];
  const Names found = hdf5_names(path);
  FieldChoice chosen;
  if (request.is_for_model)
    chosen = choose_by_name(request, found, "a dataset");
  else
    chosen.inputs = request.options.array.empty() ? found : Names{request.options.array};
  const Names names = chosen.all();
  return {
      .records = hdf5_source(
          path, names, {.folder = request.options.folder, .announce = request.options.announce}),
      .names = names,
      .sample_weights = static_cast<int>(chosen.weights.size())};
}

}  // namespace

namespace kinds {

extern constexpr DataKind hdf5{
    .name = "hdf5",
    .files = ".h5 files of arrays",
    .help = "a .h5 file with datasets x and y (or one per named input and output)",
    .recognises = is_hdf5_data,
    .takes = {DataOption::array, DataOption::window},
    .open = open_hdf5};

}  // namespace kinds
}  // namespace plimsoll
