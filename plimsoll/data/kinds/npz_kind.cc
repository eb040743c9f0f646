// .npz files: an array for each input and output of a model by their names, or x and y; an array
// sample_weight weighs the samples.
#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/sources/npz_source.h"
#include "plimsoll/data/sources/zip_images.h"
#include "plimsoll/formats/archives/zip_archive.h"

namespace plimsoll {
namespace {

// A Keras model is a zip archive, too, and so are images that are packed together.
bool is_npz(const DataFile& file) {
  return file.start().starts_with("PK") && !file.path.ends_with(".xlsx") &&
         !ZipArchive(file.path).has("config.json") && !has_images_only(file.path);
}

Names arrays_as_asked(const DataRequest& request, const Names& found) {
  const std::string& only = request.options.array;
  if (only.empty()) return found;
  if (!contains(found, only))
    throw InvalidArgument(fmt::format("{}: has no array '{}'; it has {}", request.path, only,
                                      fmt::join(found, ", ")));
  return {only};
}

NamedFields open_npz(const DataRequest& request) {
  const std::string& path = request.files[0];
  const NpzOptions options{.folder = request.options.folder, .announce = request.options.announce};
  const Names found = NpzFile(path, options).names();
  FieldChoice chosen;
  if (request.is_for_model)
    chosen = choose_by_name(request, found, "an array");
  else
    chosen.inputs = arrays_as_asked(request, found);
  const Names names = chosen.all();
  return {.records = npz_source(path, names, {}, options),
          .names = names,
          .sample_weights = static_cast<int>(chosen.weights.size())};
}

}  // namespace

namespace kinds {

extern constexpr DataKind npz{
    .name = "npz",
    .files = ".npz files",
    .help = "a .npz file with arrays x and y (or one array per named input and output)",
    .recognises = is_npz,
    .takes = {DataOption::window, DataOption::array},
    .open = open_npz};

}  // namespace kinds
}  // namespace plimsoll
