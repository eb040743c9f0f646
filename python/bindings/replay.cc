// Steps of a run that were not finite, run again operation by operation.
#include "plimsoll/train/replay.h"

#include "plimsoll/train/model.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {
namespace {

nb::dict dict_of(const FiniteRange& range) {
  nb::dict found;
  found["shape"] = from_shape(range.shape);
  found["least"] = range.least;
  found["largest"] = range.largest;
  found["nans"] = range.nans;
  found["infinities"] = range.infinities;
  found["text"] = to_string(range);
  return found;
}

nb::list list_of(const std::vector<FiniteRange>& ranges) {
  nb::list list;
  for (const FiniteRange& range : ranges) list.append(dict_of(range));
  return list;
}

nb::dict dict_of(const ReplayedOperation& operation) {
  nb::dict found;
  found["op"] = operation.op;
  found["gradient_of"] = operation.gradient_of;
  found["layer"] = operation.layer;
  const Place where = operation.where.is_in_program() ? operation.where : Place();
  found["file"] = std::string(where.file);
  found["line"] = where.line;
  found["inputs"] = list_of(operation.inputs);
  found["outputs"] = list_of(operation.outputs);
  nb::list histograms;
  for (const Histogram& histogram : operation.histograms) {
    nb::dict bins;
    bins["least"] = histogram.least;
    bins["largest"] = histogram.largest;
    bins["counts"] = histogram.counts;
    histograms.append(bins);
  }
  found["histograms"] = histograms;
  return found;
}

nb::dict replay(Model& model, const std::string& run, int64_t step, const std::string& at) {
  ReplayedStep replayed;
  {
    const nb::gil_scoped_release no_gil;
    replayed = model.replay(run, step, at);
  }
  nb::dict found;
  found["step"] = step;
  found["cause"] = replayed.cause;
  found["records"] = replayed.records;
  nb::list operations;
  for (const ReplayedOperation& operation : replayed.operations)
    operations.append(dict_of(operation));
  found["operations"] = operations;
  return found;
}

}  // namespace

void bind_replay(nb::module_& module) {
  module.def("bad_steps", bad_steps);
  module.def("replay", replay, NeedsThreads());
}

}  // namespace plimsoll::python
