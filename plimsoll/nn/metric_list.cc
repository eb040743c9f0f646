#include "plimsoll/nn/metric_list.h"

#include <array>

#include "plimsoll/nn/accuracy.h"

namespace plimsoll {
namespace {

template <class Kind>
Metric make() {
  return Kind();
}

// compile() chooses by shapes, even for the name of the class.
Metric make_accuracy() {
  return {"accuracy", accuracy_by_shapes};
}

constexpr std::array<MetricKind, 4> kMetrics = {{
    {"accuracy", "Accuracy", "acc", make_accuracy},
    {"binary_accuracy", "BinaryAccuracy", "", make<BinaryAccuracy>},
    {"categorical_accuracy", "CategoricalAccuracy", "", make<CategoricalAccuracy>},
    {"sparse_categorical_accuracy", "SparseCategoricalAccuracy", "",
     make<SparseCategoricalAccuracy>},
}};

}  // namespace

std::span<const MetricKind> metric_list() {
  return kMetrics;
}

}  // namespace plimsoll
