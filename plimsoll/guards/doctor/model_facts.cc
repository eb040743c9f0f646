#include "plimsoll/guards/doctor/model_facts.h"

#include <algorithm>
#include <cmath>
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

LayerFacts facts_of(const LayerBody& layer, const std::string& activation) {
  Fields fields;
  layer.config_fields(fields);
  const Json& config = fields.config();
  LayerFacts facts{.name = layer.name(), .kind = std::string(layer.class_name())};
  facts.activation = activation;
  const RangeEffect::Kind effect = layer.range_effect().kind;
  const bool has_settings = config.is_object();
  // What multiplies without an activation of its own, such as attention, is no plain product.
  facts.is_product =
      effect == RangeEffect::Kind::multiplies && has_settings && config.contains("activation");
  const bool keeps = effect == RangeEffect::Kind::keeps || effect == RangeEffect::Kind::scales;
  facts.is_linear = activation.empty() &&
                    (keeps || facts.kind == "BatchNormalization" || facts.kind == "Activation");
  if (has_settings && keeps) facts.dropout = number(config, "rate");
  if (has_settings) facts.penalty = penalty_of(config);
  for (const Variable& weight : layer.weights()) facts.parameters += weight.spec().shape.elements();
  facts.is_trained = facts.parameters == 0 || !layer.trainable_variables().empty();
  if (facts.is_product && !layer.own_weights().empty())
    facts.kernel_spread = spread_of(layer.own_weights().front());
  return facts;
}

class Reader {
 public:
  explicit Reader(const Network& network) : activations_(layer_activations(network)) {
    read(network, "");
  }
  std::vector<LayerFacts> take() { return std::move(layers_); }

 private:
  // The layers of networks inside stand in the place of the network.
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
    layers_[places[from].second - 1].feeds.push_back(static_cast<int>(to));
  }

  void add(const Network::Row& row, const std::string& path) {
    const std::string name = path + row.name;
    if (const auto inner = std::dynamic_pointer_cast<Network>(row.layer)) {
      read(*inner, name + "/");
      return;
    }
    const auto activation = activations_.find(name);
    LayerFacts facts =
        row.layer == nullptr
            ? LayerFacts{.kind = row.kind}
            : facts_of(*row.layer, activation == activations_.end() ? "" : activation->second);
    facts.name = name;
    if (!row.outputs.empty() && row.outputs[0].rank() > 0) facts.units = row.outputs[0].back();
    layers_.push_back(std::move(facts));
  }

  std::map<std::string, std::string> activations_;
  std::vector<LayerFacts> layers_;
};

// The activation after which nothing but the shape changes.
OutputFacts output_of(const Port& port, const std::vector<LayerFacts>& layers) {
  OutputFacts facts{.layer = port.name};
  if (port.spec.shape.rank() > 0) facts.units = port.spec.shape.back();
  facts.width = 1;
  for (int i = 1; i < port.spec.shape.rank(); ++i) facts.width *= port.spec.shape[i];
  if (facts.width < 0) facts.width = 0;
  auto layer = std::find_if(layers.rbegin(), layers.rend(), [&](const LayerFacts& it) {
    return it.name == port.name || it.name.starts_with(port.name + "/");
  });
  for (; layer != layers.rend(); ++layer) {
    facts.activation = layer->activation;
    facts.layer = layer->name;
    if (!facts.activation.empty() || !layer->is_linear || layer->kind == "BatchNormalization")
      break;
  }
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
  return facts;
}

}  // namespace plimsoll
