// What layers learn from data before training: vocabularies, boundaries, means.
#include "plimsoll/base/error.h"
#include "plimsoll/nn/layers/kept_names.h"
#include "plimsoll/nn/layers/normalization.h"
#include "plimsoll/nn/preprocessing/categories.h"
#include "plimsoll/nn/preprocessing/index_lookup.h"
#include "plimsoll/nn/preprocessing/text_vectorization.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {
namespace {

// The layer as the class that it is.
template <class Kind, class Options>
Kind as(const Layer& layer, const Options& valid = {}) {
  const KeptNames names;
  Kind kind{valid};
  static_cast<Layer&>(kind) = layer;
  return kind;
}

Discretization as_discretization(const Layer& layer) {
  return as<Discretization, DiscretizationOptions>(layer, {.num_bins = 1});
}

[[noreturn]] void refuse(const Layer& layer, const char* what) {
  throw InvalidArgument(layer->name() + ": a " + std::string(layer->class_name()) + " has no " +
                        what);
}

void adapt(const Layer& layer, nb::handle data) {
  const std::string_view kind = layer->class_name();
  const Tensor tensor = to_tensor(data);
  if (kind == "StringLookup")
    as<StringLookup, StringLookupOptions>(layer).adapt(tensor);
  else if (kind == "IntegerLookup")
    as<IntegerLookup, IntegerLookupOptions>(layer).adapt(tensor);
  else if (kind == "TextVectorization")
    as<TextVectorization, TextVectorizationOptions>(layer).adapt(tensor);
  else if (kind == "Discretization")
    as_discretization(layer).adapt(tensor);
  else if (kind == "Normalization")
    as<Normalization, NormalizationOptions>(layer).adapt(tensor);
  else
    refuse(layer, "adapt()");
}

nb::object vocabulary(const Layer& layer) {
  const std::string_view kind = layer->class_name();
  if (kind == "StringLookup")
    return nb::cast(as<StringLookup, StringLookupOptions>(layer).vocabulary());
  if (kind == "IntegerLookup")
    return nb::cast(as<IntegerLookup, IntegerLookupOptions>(layer).vocabulary());
  if (kind == "TextVectorization")
    return nb::cast(as<TextVectorization, TextVectorizationOptions>(layer).vocabulary());
  refuse(layer, "vocabulary");
}

nb::object boundaries(const Layer& layer) {
  if (layer->class_name() != "Discretization") refuse(layer, "boundaries");
  return nb::cast(as_discretization(layer).bin_boundaries());
}

}  // namespace

void bind_preprocessing(nb::module_& module) {
  module.def("adapt", adapt, NeedsThreads());
  module.def("vocabulary", vocabulary);
  module.def("bin_boundaries", boundaries);
}

}  // namespace plimsoll::python
