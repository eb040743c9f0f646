#include "plimsoll/guards/statistics/layer_activations.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "plimsoll/nn/keras/fields.h"

namespace plimsoll {
namespace {

// Layers that are activations.
struct OfClass {
  std::string_view class_name, activation;
};
constexpr std::array<OfClass, 16> kClasses = {{{"ReLU", "relu"},
                                               {"LeakyReLU", "leaky_relu"},
                                               {"ELU", "elu"},
                                               {"PReLU", "prelu"},
                                               {"Softmax", "softmax"},
                                               // of keras.ops
                                               {"Relu", "relu"},
                                               {"Relu6", "relu6"},
                                               {"LeakyRelu", "leaky_relu"},
                                               {"Elu", "elu"},
                                               {"Selu", "selu"},
                                               {"Sigmoid", "sigmoid"},
                                               {"HardSigmoid", "hard_sigmoid"},
                                               {"Tanh", "tanh"},
                                               {"Softplus", "softplus"},
                                               {"Softsign", "softsign"},
                                               {"Gelu", "gelu"}}};

std::string of_class(std::string_view class_name) {
  const auto* found = std::ranges::find(kClasses, class_name, &OfClass::class_name);
  return found == kClasses.end() ? "" : std::string(found->activation);
}

void add(const LayerBody& layer, const std::string& path, std::map<std::string, std::string>& to) {
  if (std::string activation = activation_of(layer); !activation.empty())
    to.emplace(path, std::move(activation));
  for (const LayerBody::Child& child : layer.children())
    add(*child.layer, path + "/" + child.layer->name(), to);
}

}  // namespace

// The setting is a name, or a layer as a config writes it.
std::string activation_of(const LayerBody& layer) {
  if (const std::string activation = of_class(layer.class_name()); !activation.empty())
    return activation;
  Fields fields;
  layer.config_fields(fields);
  const Json& config = fields.config();
  const auto found = config.is_object() ? config.find("activation") : config.end();
  if (found == config.end()) return "";
  if (found->is_object()) {
    const std::string class_name = found->value("class_name", "");
    const std::string known = of_class(class_name);
    return known.empty() ? class_name : known;
  }
  const std::string name = found->is_string() ? found->get<std::string>() : "";
  return name == "linear" ? "" : name;
}

std::map<std::string, std::string> layer_activations(const Network& network) {
  std::map<std::string, std::string> activations;
  for (const LayerBody::Child& child : network.children())
    add(*child.layer, child.layer->name(), activations);
  return activations;
}

SteepRange steep_range(const std::string& activation) {
  if (activation == "sigmoid" || activation == "hard_sigmoid") return {0.01f, 0.99f};
  if (activation == "tanh" || activation == "softsign") return {-0.99f, 0.99f};
  if (activation == "softmax") return {.largest = 0.999f};
  return {};
}

}  // namespace plimsoll
