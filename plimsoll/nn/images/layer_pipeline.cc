#include "plimsoll/nn/images/layer_pipeline.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/layer_config.h"
#include "plimsoll/nn/layers/make_layer.h"

namespace plimsoll {
namespace {

class LayerPipelineBody final : public LayerOf<LayerPipelineOptions> {
 public:
  using LayerOf::LayerOf;
  std::string_view class_name() const override { return "Pipeline"; }
  bool config_has_trainable() const override { return false; }
  // Numbered by class, as Keras numbers the items of a list.
  std::vector<Child> children() const override {
    std::vector<Child> children;
    std::map<std::string, int> counts;
    for (const Layer& layer : options_.layers) {
      const std::string name = snake_case(layer->class_name());
      const int count = counts[name]++;
      children.push_back(
          {"_pipeline_layers/" + (count == 0 ? name : fmt::format("{}_{}", name, count)),
           layer.body()});
    }
    return children;
  }
  Tensors call(const Tensors& inputs, const CallContext& context) override {
    Tensors values = inputs;
    for (const Layer& layer : options_.layers)
      values = layer(values, {.training = context.is_training});
    return values;
  }
};

}  // namespace

void describe(Fields& fields, LayerPipelineOptions& options) {
  if (!fields.reading()) {
    Json layers = Json::array();
    for (const Layer& layer : options.layers) layers.push_back(layer_to_json(*layer));
    return fields.write("layers", std::move(layers));
  }
  const Json* found = fields.find("layers");
  if (found == nullptr || !found->is_array()) fields.refuse("expected a list of layers");
  for (const Json& layer : *found) options.layers.push_back(layer_from_json(layer));
}

LayerPipeline::LayerPipeline(const LayerPipelineOptions& options)
    : Layer(make_layer<LayerPipelineBody>(options)) {}

}  // namespace plimsoll
