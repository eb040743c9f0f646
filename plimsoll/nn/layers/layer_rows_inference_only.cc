// Layers that change images while training in ways that are not here. Otherwise they pass images
// on, as in Keras, so models with them predict and are evaluated; training is refused.
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/layers/layer_rows.h"

namespace plimsoll {
namespace {

struct AugmentationKind {
  std::string_view class_name;
  std::string_view reason;            // that it does not train
  std::vector<const char*> settings;  // which are kept as they were read
};

const AugmentationKind& augmentation(size_t number) {
  static const std::vector<AugmentationKind> kinds = {
      {"AugMix",
       "its chains of augmentations are not here",
       {"value_range", "num_chains", "chain_depth", "factor", "alpha", "all_ops", "interpolation",
        "seed"}},
      {"CutMix", "it mixes the images and the labels of a batch", {"factor", "seed"}},
      {"Equalization", "it needs the histogram of each image", {"bins", "value_range"}},
      {"MixUp", "it mixes the images and the labels of a batch", {"alpha", "seed"}},
      {"RandAugment",
       "its choice among augmentations is not here",
       {"value_range", "num_ops", "factor", "interpolation", "seed"}},
      {"RandomElasticTransform",
       "its field of displacements is not here",
       {"factor", "scale", "interpolation", "fill_mode", "fill_value", "value_range", "seed"}},
      {"RandomPerspective",
       "its change of perspective is not here",
       {"factor", "scale", "interpolation", "fill_value", "seed"}},
  };
  return kinds[number];
}

class InferenceOnlyBody final : public LayerBody {
 public:
  InferenceOnlyBody(const AugmentationKind& kind, Json settings)
      : kind_(kind), settings_(std::make_shared<const Json>(std::move(settings))) {}

  std::string_view class_name() const override { return kind_.class_name; }
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }
  void config_fields(Fields& fields) const override {
    fields.only("data_format", "channels_last");
    for (const char* key : kind_.settings)
      if (const auto found = settings_->find(key); found != settings_->end())
        fields.write(key, *found);
  }
  Tensors call(const Tensors& inputs, const CallContext& context) override {
    if (context.is_training)
      refuse("a " + std::string(kind_.class_name) + " is read for predicting only: " +
             std::string(kind_.reason) + "; to train, take it out of the model");
    return {as_float(inputs[0])};
  }

 private:
  const AugmentationKind& kind_;
  std::shared_ptr<const Json> settings_;
};

template <size_t kNumber>
Layer make_inference_only(Fields& fields) {
  std::string name;
  bool trainable = true;
  fields.with("name", name).with("trainable", trainable).only("data_format", "channels_last");
  Json settings = Json::object();
  for (const char* key : augmentation(kNumber).settings)
    if (const Json* found = fields.find(key)) settings[key] = *found;
  auto body = std::make_shared<InferenceOnlyBody>(augmentation(kNumber), std::move(settings));
  body->set_name(name.empty() ? unique_name(body->class_name()) : name);
  if (!trainable) body->set_trainable(false);
  return Layer(body);
}

template <size_t kNumber>
Layer inference_only_example() {
  auto body = std::make_shared<InferenceOnlyBody>(augmentation(kNumber), Json::object());
  body->set_name(unique_name(body->class_name()));
  return Layer(body);
}

template <size_t kNumber>
LayerKind inference_only_row() {
  LayerKind row{augmentation(kNumber).class_name,
                make_inference_only<kNumber>,
                inference_only_example<kNumber>,
                {{2, 5, 6, 3}},
                {}};
  row.trains = false;
  return row;
}

}  // namespace

LayerRows inference_only_layer_rows() {
  return {
      inference_only_row<0>(), inference_only_row<1>(), inference_only_row<2>(),
      inference_only_row<3>(), inference_only_row<4>(), inference_only_row<5>(),
      inference_only_row<6>(),
  };
}

}  // namespace plimsoll
