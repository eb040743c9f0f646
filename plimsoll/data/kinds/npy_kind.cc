// .npy files: the one input, without targets.
#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/sources/npz_source.h"

namespace plimsoll {
namespace {

bool is_npy(const DataFile& file) {
  return file.start().starts_with("\x93NUMPY");
}

NamedFields open_npy(const DataRequest& request) {
  if (request.wants_targets())
    throw InvalidArgument(fmt::format(
        "{}: is one array without targets; give x.npy,y.npy, or save a .npz with x and y",
        request.path));
  if (request.is_for_model && request.inputs.size() != 1)
    throw InvalidArgument(
        fmt::format("{}: is one array, the model has the inputs {}; save a .npz with one for each",
                    request.path, fmt::join(names_of(request.inputs), ", ")));
  const NpzOptions options{.folder = request.options.folder, .announce = request.options.announce};
  return {.records = npy_source(request.files[0], options), .names = {"x"}};
}

}  // namespace

namespace kinds {

extern constexpr DataKind npy{.name = "npy",
                              .files = ".npy files",
                              .help = "a .npy file, to predict",
                              .recognises = is_npy,
                              .takes = {DataOption::window},
                              .open = open_npy};

}  // namespace kinds
}  // namespace plimsoll
