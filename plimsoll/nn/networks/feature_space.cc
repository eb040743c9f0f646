#include "plimsoll/nn/networks/feature_space.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "plimsoll/nn/keras/layer_config.h"
#include "plimsoll/nn/layers/merging.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/nn/preprocessing/categories.h"
#include "plimsoll/nn/preprocessing/hashing.h"

namespace plimsoll {
namespace {

// How many categories a layer of Keras gives; 0 if it does not say so.
int64_t categories_of(const LayerBody& layer) {
  const Json config = listed_layer_to_json(layer)["config"];
  for (const char* key : {"vocabulary_size", "num_tokens", "num_bins"})
    if (const auto found = config.find(key); found != config.end() && found->is_number_integer())
      return found->get<int64_t>();
  const auto boundaries = config.find("bin_boundaries");
  return boundaries != config.end() && boundaries->is_array() ? std::ssize(*boundaries) + 1 : 0;
}

// Keras's names in weight files: "preprocessors/hashing", "preprocessors/hashing_1".
void add_numbered(const std::string& folder, const Layer& layer, std::map<std::string, int>& counts,
                  std::vector<LayerBody::Child>& children) {
  const std::string kind = snake_case(layer->class_name());
  const int count = counts[kind]++;
  const std::string number = count == 0 ? "" : fmt::format("_{}", count);
  children.push_back({folder + "/" + kind + number, layer.body()});
}

}  // namespace

std::string FeatureSpaceOptions::Cross::name() const {
  return fmt::format("{}", fmt::join(feature_names, "_X_"));
}

FeatureSpaceBody::FeatureSpaceBody(FeatureSpaceOptions options) : options_(std::move(options)) {
  set_name(options_.name.empty() ? unique_name(class_name()) : options_.name);
  check_modes();
  Tensors inputs, outputs;
  std::vector<Made> features = preprocessed(inputs);
  std::vector<Made> crosses = crossed(features);
  // Keras puts each of the two in the order of the names.
  std::ranges::stable_sort(features, {}, &Made::name);
  std::ranges::stable_sort(crosses, {}, &Made::name);
  std::ranges::move(crosses, std::back_inserter(features));
  for (const Made& made : features) {
    outputs.push_back(encoded(made));
    output_names_.push_back(made.name);
  }
  if (options_.output_mode == "concat") {
    outputs = {Concatenate({.axis = -1, .name = name() + "_concat"})(outputs)[0]};
    output_names_ = {name()};
  }
  network_ = std::make_shared<FunctionalBody>(inputs, outputs, name());
}

void FeatureSpaceBody::check_modes() const {
  if (options_.features.empty()) refuse("has no features");
  if (options_.output_mode != "concat" && options_.output_mode != "dict")
    refuse("output_mode must be concat or dict, found '" + options_.output_mode + "'");
  for (const auto& feature : options_.features)
    if (feature.output_mode != "int" && feature.output_mode != "one_hot" &&
        feature.output_mode != "float")
      refuse(
          fmt::format("the feature '{}' has the output_mode '{}', expected int, one_hot or float",
                      feature.name, feature.output_mode));
  for (const auto& cross : options_.crosses)
    if (cross.output_mode != "int" && cross.output_mode != "one_hot")
      refuse(fmt::format("the cross '{}' has the output_mode '{}', expected int or one_hot",
                         cross.name(), cross.output_mode));
}

std::vector<FeatureSpaceBody::Made> FeatureSpaceBody::preprocessed(Tensors& inputs) const {
  std::vector<Made> made;
  for (const auto& feature : options_.features) {
    inputs.push_back(Input({.shape = {1}, .dtype = feature.dtype, .name = feature.name}));
    made.push_back({feature.name, feature.output_mode, feature.preprocessor,
                    feature.preprocessor(inputs.back())});
  }
  return made;
}

std::vector<FeatureSpaceBody::Made> FeatureSpaceBody::crossed(const std::vector<Made>& features) {
  std::vector<Made> made;
  for (const auto& cross : options_.crosses) {
    Tensors inputs;
    for (const std::string& name : cross.feature_names) {
      const auto found = std::ranges::find(features, name, &Made::name);
      if (found == features.end())
        refuse(fmt::format("crosses '{}', which is not among its features", name));
      inputs.push_back(found->tensor);
    }
    crossers_.push_back(HashedCrossing({.num_bins = cross.crossing_dim, .name = cross.name()}));
    made.push_back(
        {cross.name(), cross.output_mode, crossers_.back(), crossers_.back()(inputs)[0]});
  }
  return made;
}

Tensor FeatureSpaceBody::encoded(const Made& made) const {
  const bool is_whole = made.tensor.dtype() == DType::int32 || made.tensor.dtype() == DType::int64;
  if (made.output_mode != "one_hot") {
    if (options_.output_mode == "concat" && (is_whole || made.tensor.dtype() == DType::string))
      refuse(
          fmt::format("'{}' is {} and cannot be part of a vector; give it the output_mode "
                      "one_hot, or the space the output_mode dict",
                      made.name, name_of(made.tensor.dtype())));
    return made.tensor;
  }
  const int64_t categories = categories_of(*made.layer);
  if (!is_whole || categories < 1)
    refuse(
        fmt::format("'{}' has the output_mode one_hot, but its {} does not make numbers of a "
                    "known number of categories",
                    made.name, made.layer->class_name()));
  return CategoryEncoding({.num_tokens = categories, .name = made.name + "_one_hot"})(made.tensor);
}

Tensors FeatureSpaceBody::call(const Tensors& inputs, const CallContext& context) {
  return network_->call(inputs, context);
}

std::vector<LayerBody::Child> FeatureSpaceBody::children() const {
  std::vector<Child> children;
  std::map<std::string, int> counts;
  for (const auto& feature : options_.features)
    add_numbered("preprocessors", feature.preprocessor, counts, children);
  counts.clear();
  for (const Layer& crosser : crossers_) add_numbered("crossers", crosser, counts, children);
  return children;
}

Ports FeatureSpaceBody::outputs() const {
  Ports ports = network_->outputs();
  for (size_t i = 0; i < ports.size(); ++i) ports[i].name = output_names_[i];
  return ports;
}

}  // namespace plimsoll
