// What a model's weights and layers are.
#include <fmt/format.h>

#include <cstring>

#include "plimsoll/base/error.h"
#include "plimsoll/base/nearest_name.h"
#include "plimsoll/train/model.h"
#include "plimsoll/train/steps/per_output.h"

namespace plimsoll {

const std::string& Model::name() const {
  return network().name();
}

Variables Model::weights() const {
  return network().weights();
}

Variables Model::trainable_variables() const {
  return network().trainable_variables();
}

Variables Model::non_trainable_variables() const {
  return network().non_trainable_variables();
}

Tensors Model::get_weights() const {
  Tensors values;
  for (const Variable& weight : weights()) {
    auto copy = std::make_shared<Storage>(weight.spec().bytes());
    std::memcpy(copy->data(), weight.data(), static_cast<size_t>(weight.spec().bytes()));
    values.push_back(wrap(std::move(copy), weight.spec()));
  }
  return values;
}

void Model::set_weights(const Tensors& values) {
  Variables all = weights();
  if (all.size() != values.size())
    throw InvalidArgument(fmt::format("{}: set_weights expects {} tensors, found {}", name(),
                                      all.size(), values.size()));
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].spec() != values[i].spec())
      throw InvalidArgument(name() + ": the weight " + all[i].name() + " is " +
                            all[i].spec().to_string() + ", found " + values[i].spec().to_string());
  for (size_t i = 0; i < all.size(); ++i)
    all[i].set_bytes({values[i].data(), static_cast<size_t>(values[i].spec().bytes())});
}

int64_t Model::count_params() const {
  int64_t elements = 0;
  for (const Variable& weight : weights()) elements += weight.shape().elements();
  return elements;
}

Layers Model::layers() const {
  Layers layers;
  for (const auto& child : network().children()) layers.emplace_back(child.layer);
  return layers;
}

Layer Model::get_layer(const std::string& wanted) const {
  std::vector<std::string> known;
  for (const Layer& layer : layers()) {
    if (layer->name() == wanted) return layer;
    known.push_back(layer->name());
  }
  throw InvalidArgument(name() + ": has no layer '" + wanted + "' (it has " + listed(known) + ")" +
                        did_you_mean(wanted, known));
}

}  // namespace plimsoll
