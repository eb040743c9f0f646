#include "plimsoll/nn/keras/feature_space_config.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/keras_object.h"
#include "plimsoll/nn/keras/layer_config.h"
#include "plimsoll/nn/layers/layer_state.h"
#include "plimsoll/nn/networks/input.h"

namespace plimsoll {
namespace {

// Where Keras keeps the classes of its parts.
constexpr const char* kPartsModule = "keras.src.layers.preprocessing.feature_space";

DType dtype_of_feature(const std::string& name, const std::string& dtype) {
  const Layer input = layer_from_json(
      keras_object("keras.layers", "InputLayer",
                   {{"batch_shape", {nullptr, 1}}, {"dtype", dtype}, {"name", name}}));
  return as_input(*input)->spec.dtype;
}

FeatureSpaceOptions::Feature feature_from_json(const std::string& name, const Json& json) {
  const std::string owner = "feature '" + name + "'";
  const KerasObject object = read_keras_object(json, owner);
  if (object.class_name != "Feature")
    throw InvalidArgument(owner + ": expected a Feature, found '" + object.class_name + "'");
  FeatureSpaceOptions::Feature feature{.name = name};
  std::string dtype = "float32";
  Fields fields(*object.config, owner);
  fields.with("dtype", dtype).with("output_mode", feature.output_mode);
  fields.with("preprocessor", feature.preprocessor);
  fields.finish();
  if (feature.preprocessor.body() == nullptr) fields.refuse("has no preprocessor");
  feature.dtype = dtype_of_feature(name, dtype);
  return feature;
}

FeatureSpaceOptions::Cross cross_from_json(const Json& json) {
  const KerasObject object = read_keras_object(json, "cross");
  FeatureSpaceOptions::Cross cross;
  Fields fields(*object.config, "cross");
  fields.with("feature_names", cross.feature_names)
      .with("crossing_dim", cross.crossing_dim)
      .with("output_mode", cross.output_mode);
  fields.finish();
  return cross;
}

Json part_to_json(const char* class_name, Json config) {
  Json json = keras_object(kPartsModule, class_name, std::move(config));
  json["registered_name"] = class_name;
  return json;
}

Json feature_to_json(const FeatureSpaceOptions::Feature& feature) {
  return part_to_json("Feature", {{"dtype", name_of(feature.dtype)},
                                  {"preprocessor", layer_to_json(*feature.preprocessor)},
                                  {"output_mode", feature.output_mode}});
}

Json cross_to_json(const FeatureSpaceOptions::Cross& cross) {
  return part_to_json("Cross", {{"feature_names", cross.feature_names},
                                {"crossing_dim", cross.crossing_dim},
                                {"output_mode", cross.output_mode}});
}

// A layer with a vocabulary is built without a shape.
Json build_config(const LayerBody& layer) {
  if (dynamic_cast<const KeepsState*>(&layer) != nullptr) return Json::object();
  return {{"input_shape", {nullptr, 1}}};
}

void describe_numbers(Fields& fields, FeatureSpaceOptions& options) {
  fields.with("output_mode", options.output_mode)
      .with("crossing_dim", options.crossing_dim)
      .with("hashing_dim", options.hashing_dim)
      .with("num_discretization_bins", options.num_discretization_bins);
}

}  // namespace

Json feature_space_to_json(const FeatureSpaceBody& space) {
  FeatureSpaceOptions options = space.options();
  Json features = Json::object(), crosses = Json::array(), built = Json::object();
  for (const auto& feature : options.features) {
    features[feature.name] = feature_to_json(feature);
    built[feature.name] = build_config(*feature.preprocessor);
  }
  for (const auto& cross : options.crosses) crosses.push_back(cross_to_json(cross));
  Fields told;
  describe_numbers(told, options);
  Json config = {{"features", std::move(features)}, {"crosses", std::move(crosses)}};
  config.update(told.config());
  Json json = keras_object("keras.utils", "FeatureSpace", std::move(config));
  json["build_config"] = std::move(built);
  return json;
}

std::shared_ptr<Network> feature_space_from_json(const Json& config) {
  FeatureSpaceOptions options;
  Fields fields(config, "FeatureSpace");
  fields.with("name", options.name).ignored("trainable").ignored("dtype");
  describe_numbers(fields, options);
  const Json* features = fields.find("features");
  if (features == nullptr || !features->is_object())
    fields.refuse("its config has no features by name");
  for (const auto& [name, feature] : features->items())
    options.features.push_back(feature_from_json(name, feature));
  if (const Json* crosses = fields.find("crosses"); crosses != nullptr && crosses->is_array())
    for (const Json& cross : *crosses) options.crosses.push_back(cross_from_json(cross));
  fields.finish();
  return std::make_shared<FeatureSpaceBody>(std::move(options));
}

}  // namespace plimsoll
