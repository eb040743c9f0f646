#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/idx_source.h"
#include "plimsoll/train/data/open_shards.h"
#include "plimsoll/train/steps/per_output.h"

namespace plimsoll {

Dataset open_idx(const std::vector<std::string>& paths, const ModelFit& fit) {
  const size_t inputs = fit.inputs().size();
  const size_t wanted = inputs + (fit.options().targets ? fit.outputs().size() : 0);
  if (paths.size() < wanted || paths.size() > inputs + fit.outputs().size())
    throw InvalidArgument(
        fit.path() + ": expected a file for each of " + listed(names_of(fit.inputs())) +
        (fit.options().targets ? ", then of " + listed(names_of(fit.outputs())) : "") +
        ", between commas (train-images-idx3-ubyte,train-labels-idx1-ubyte); found " +
        std::to_string(paths.size()));
  const IdxOptions options{.folder = fit.options().folder, .announce = fit.options().announce};
  const std::vector<std::string> used(paths.begin(),
                                      paths.begin() + static_cast<ptrdiff_t>(wanted));
  SourcePtr records = idx_source(used, options);
  if (fit.options().targets && fit.outputs().size() == 1)
    records = fit.with_labels_for_loss(records, static_cast<int>(inputs));
  return Dataset(records);
}

}  // namespace plimsoll
