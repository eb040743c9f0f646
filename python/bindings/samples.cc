// Whether a function that was written for one record may be called with many of them at once.
#include <nanobind/stl/set.h>

#include <set>

#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/graph/sample_mixing.h"
#include "plimsoll/graph/traverse.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/reduction/reduction.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {
namespace {

std::set<std::string> names_of_ops(const Tensors& tensors) {
  std::vector<Value> roots;
  for (const Tensor& tensor : tensors) roots.push_back(tensor.value());
  std::set<std::string> names;
  for (const NodePtr& node : topological_order(roots, Follow::pending))
    if (node->op != nullptr) names.emplace(node->op->name());
  return names;
}

// find_mixing() asks of sums; that of a tensor mixes nothing.
bool keep_samples_apart(const Tensors& tensors) {
  Tensors sums;
  for (const Tensor& tensor : tensors) sums.push_back(sum(cast(tensor, DType::float32)));
  return !find_mixing(sums, BatchStatistics::mix);
}

}  // namespace

void bind_samples(nb::module_& module) {
  module.attr("PROBE_BATCH") = kProbeBatch;
  // Of tensors that were recorded from placeholders with PROBE_BATCH rows: whether row i of each
  // depends on row i of the placeholders alone.
  module.def("keep_samples_apart",
             [](nb::handle tensors) { return keep_samples_apart(to_tensors(tensors)); });
  // The operations that computing the tensors would run.
  module.def("names_of_ops", [](nb::handle tensors) { return names_of_ops(to_tensors(tensors)); });
}

}  // namespace plimsoll::python
