#include "plimsoll/guards/doctor/model_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "plimsoll/guards/statistics/layer_activations.h"
#include "plimsoll/nn/keras/fields.h"

namespace plimsoll {
namespace {

double number(const Json& config, const char* key) {
  const auto found = config.find(key);
  return found != config.end() && found->is_number() ? found->get<double>() : 0;
}

// The largest factor of a regularizer as configs have it: {"class_name": "L2", "config": {"l2":
// …}}.
double penalty_of(const Json& config) {
  double largest = 0;
  for (const char* key : {"kernel_regularizer", "bias_regularizer", "activity_regularizer"}) {
    const auto found = config.find(key);
    if (found == config.end() || !found->is_object()) continue;
    const Json settings = found->value("config", Json::object());
    largest = std::max({largest, number(settings, "l1"), number(settings, "l2")});
  }
  if (config.contains("l1") || config.contains("l2"))  // ActivityRegularization
    largest = std::max({largest, number(config, "l1"), number(config, "l2")});
  return largest;
}

// The deviation of a kernel, in that of Glorot's rule for its shape.
double spread_of(const Variable& kernel) {
  const Shape& shape = kernel.spec().shape;
  constexpr int64_t kFewest = 16;  // numbers that have a deviation to speak of
  if (kernel.spec().dtype != DType::float32 || shape.rank() < 2 || shape.elements() < kFewest)
    return -1;
  const int64_t count = shape.elements();
  const auto* values = reinterpret_cast<const float*>(kernel.data());
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < count; ++i) {
    sum += values[i];
    squares += double{values[i]} * values[i];
  }
  const double n = static_cast<double>(std::max<int64_t>(1, count)), mean = sum / n;
  const double field = n / static_cast<double>(shape[shape.rank() - 1]) /
                       static_cast<double>(shape[shape.rank() - 2]);
  const double sides =
      field * static_cast<double>(shape[shape.rank() - 1] + shape[shape.rank() - 2]);
  return std::sqrt(std::max(0.0, squares / n - mean * mean)) / std::sqrt(2 / sides);
}

// What a recurrent layer drops of its inputs or of its state counts as what a Dropout drops.
double dropout_of(const Json& config, bool keeps) {
  if (keeps) return number(config, "rate");
  return std::max(number(config, "dropout"), number(config, "recurrent_dropout"));
}

LayerFacts facts_of(const LayerBody& outer) {
  const LayerBody& layer = outer.unwrapped();
  Fields fields;
  layer.config_fields(fields);
  const Json& config = fields.config();
  LayerFacts facts{.name = outer.name(), .kind = std::string(layer.class_name())};
  facts.activation = activation_of(layer);
  const RangeEffect::Kind effect = layer.range_effect().kind;
  const bool has_settings = config.is_object();
  // What multiplies without an activation of its own, such as attention, is no plain product.
  facts.is_product =
      effect == RangeEffect::Kind::multiplies && has_settings && config.contains("activation");
  const bool keeps = effect == RangeEffect::Kind::keeps || effect == RangeEffect::Kind::scales;
  facts.is_activation = effect == RangeEffect::Kind::activates;
  facts.normalizes_batch = effect == RangeEffect::Kind::normalizes_batch;
  facts.normalizes = effect == RangeEffect::Kind::normalizes || facts.normalizes_batch;
  facts.is_linear =
      facts.activation.empty() && (keeps || facts.normalizes_batch || facts.is_activation);
  facts.rescales = effect == RangeEffect::Kind::scales;
  if (has_settings && (keeps || facts.is_product)) facts.dropout = dropout_of(config, keeps);
  if (has_settings) facts.penalty = penalty_of(config);
  for (const Variable& weight : layer.weights()) facts.parameters += weight.spec().shape.elements();
  facts.is_trained = facts.parameters == 0 || !layer.trainable_variables().empty();
  if (facts.is_product && !layer.own_weights().empty())
    facts.kernel_spread = spread_of(layer.own_weights().front());
  return facts;
}

// Activations whose range of numbers the rules know, or that have none.
bool is_known(const std::string& activation) {
  constexpr std::array<std::string_view, 18> kKnown = {
      "softmax", "sigmoid",    "hard_sigmoid", "tanh",  "softsign", "relu",
      "relu6",   "leaky_relu", "elu",          "selu",  "gelu",     "silu",
      "swish",   "mish",       "exponential",  "prelu", "softplus", "linear"};
  return std::ranges::find(kKnown, activation) != kKnown.end();
}

class Reader {
 public:
  explicit Reader(const Network& network) { read(network, ""); }
  std::vector<LayerFacts> take() { return std::move(layers_); }

 private:
  // The layers of networks inside are listed in the place of the network.
  void read(const Network& network, const std::string& path) {
    std::vector<std::pair<size_t, size_t>> places;  // of each row: its first and last layer
    const std::vector<Network::Row> rows = network.rows();
    for (size_t i = 0; i < rows.size(); ++i) {
      const size_t first = layers_.size();
      add(rows[i], path);
      places.emplace_back(first, layers_.size());
      if (first == layers_.size()) continue;
      if (rows[i].sources.empty() && i > 0) join(places, i - 1, first);
      for (const std::string& source : rows[i].sources)
        for (size_t k = 0; k < i; ++k)
          if (rows[k].name == source) join(places, k, first);
    }
  }

  void join(const std::vector<std::pair<size_t, size_t>>& places, size_t from, size_t to) {
    // A network without layers passes on what it reads; there are none in practice.
    if (places[from].first == places[from].second) return;
    // The layers of a subclassed model are listed as its attributes: what reads them is not known.
    LayerFacts& last = layers_[places[from].second - 1];
    if (last.units >= 0 && layers_[to].units >= 0) last.feeds.push_back(static_cast<int>(to));
  }

  void add(const Network::Row& row, const std::string& path) {
    const std::string name = path + row.name;
    if (const auto inner = std::dynamic_pointer_cast<Network>(row.layer)) {
      read(*inner, name + "/");
      return;
    }
    LayerFacts facts = row.layer == nullptr ? facts_of_op(row.kind) : facts_of(*row.layer);
    facts.name = name;
    if (row.outputs.empty()) facts.units = -1;
    if (!row.outputs.empty() && row.outputs[0].rank() > 0) facts.units = row.outputs[0].back();
    layers_.push_back(std::move(facts));
  }

  static LayerFacts facts_of_op(const std::string& kind) {
    LayerFacts facts{.kind = kind};
    if (is_known(kind)) facts.activation = kind;
    return facts;
  }

  std::vector<LayerFacts> layers_;
};

// The only layer that a layer reads; -1: there are several, none, or it is not known.
int read_by(const std::vector<LayerFacts>& layers, int layer) {
  int found = -1;
  for (size_t i = 0; i < layers.size(); ++i)
    for (const int reader : layers[i].feeds) {
      if (reader != layer) continue;
      if (found >= 0) return -1;
      found = static_cast<int>(i);
    }
  return found;
}

// The activation after which nothing but the shape changes.
void find_activation(const std::vector<LayerFacts>& layers, int at, OutputFacts& facts) {
  facts.activation = kUnknownActivation;
  for (bool is_rescaled = false; at >= 0; at = read_by(layers, at)) {
    const LayerFacts& layer = layers[static_cast<size_t>(at)];
    facts.layer = layer.name;
    is_rescaled = is_rescaled || layer.rescales;
    if (!layer.activation.empty()) {
      if (!is_rescaled && is_known(layer.activation)) facts.activation = layer.activation;
      return;
    }
    if (layer.is_product || layer.normalizes_batch) {
      facts.activation.clear();
      return;
    }
    if (!layer.is_linear && !layer.rescales) return;
  }
}

OutputFacts output_of(const Port& port, const std::vector<LayerFacts>& layers) {
  OutputFacts facts{.name = port.name, .layer = port.name};
  if (port.spec.shape.rank() > 0) facts.units = port.spec.shape.back();
  facts.width = 1;
  for (int i = 1; i < port.spec.shape.rank(); ++i) facts.width *= port.spec.shape[i];
  if (facts.width < 0) facts.width = 0;
  int at = static_cast<int>(layers.size()) - 1;
  const auto is_port = [&](const LayerFacts& it) {
    return it.units >= 0 && (it.name == port.name || it.name.starts_with(port.name + "/"));
  };
  while (at >= 0 && !is_port(layers[static_cast<size_t>(at)])) --at;
  find_activation(layers, at, facts);
  // The port of a subclassed model names no layer.
  const auto end = at >= 0 ? layers.begin() + at + 1 : layers.end();
  const auto product = std::find_if(std::make_reverse_iterator(end), layers.rend(),
                                    [](const LayerFacts& it) { return it.is_product; });
  if (product != layers.rend()) facts.product_layer = product->name;
  return facts;
}

bool takes_logits(const Loss& loss) {
  if (!loss.origin().settings) return false;
  Fields fields;
  loss.origin().settings(fields);
  const auto found = fields.config().find("from_logits");
  return found != fields.config().end() && found->is_boolean() && found->get<bool>();
}

}  // namespace

ModelFacts model_facts(const Network& network, const std::vector<Loss>& losses,
                       const Optimizer& optimizer) {
  ModelFacts facts{.layers = Reader(network).take()};
  const Ports outputs = network.outputs();
  for (size_t i = 0; i < outputs.size(); ++i) {
    OutputFacts output = output_of(outputs[i], facts.layers);
    if (i < losses.size() && losses[i].defined()) {
      output.loss = std::string(losses[i].origin().class_name);
      output.from_logits = takes_logits(losses[i]);
    }
    facts.outputs.push_back(std::move(output));
  }
  if (!optimizer.defined()) return facts;
  Fields fields;
  optimizer->config_fields(fields);
  facts.optimizer = std::string(optimizer->class_name());
  facts.has_schedule = optimizer->settings().learning_rate.is_schedule();
  facts.learning_rate = optimizer->current_learning_rate();
  facts.momentum = number(fields.config(), "momentum");
  facts.weight_decay = number(fields.config(), "weight_decay");
  return facts;
}

}  // namespace plimsoll
