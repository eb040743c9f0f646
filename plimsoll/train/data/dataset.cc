#include "plimsoll/train/data/dataset.h"

#include <cstring>

#include "plimsoll/graph/node.h"

namespace plimsoll {
namespace {

HostTensor to_host(const Tensor& tensor) {
  const std::byte* data = tensor.data();
  const Node& node = *tensor.value().node;
  if (node.has_value())
    return {tensor.spec(), node.values[static_cast<size_t>(tensor.value().output)]};
  // A variable's value: it changes, so it is copied.
  auto copy = std::make_shared<Storage>(tensor.spec().bytes());
  std::memcpy(copy->data(), data, static_cast<size_t>(tensor.spec().bytes()));
  return {tensor.spec(), std::move(copy)};
}

}  // namespace

Columns::Columns(std::initializer_list<std::pair<std::string, Tensor>> named) {
  for (const auto& [name, tensor] : named) {
    names.push_back(name);
    tensors.push_back(tensor);
  }
}

Columns::Columns(const std::map<std::string, Tensor>& named) {
  for (const auto& [name, tensor] : named) {
    names.push_back(name);
    tensors.push_back(tensor);
  }
}

Dataset::Dataset(const Columns& x, const Columns& y, const Columns& sample_weight) {
  std::vector<HostTensor> fields;
  for (const Columns* columns : {&x, &y, &sample_weight}) {
    for (const Tensor& tensor : columns->tensors) fields.push_back(to_host(tensor));
    names.insert(names.end(), columns->names.begin(), columns->names.end());
    names.resize(fields.size());
  }
  targets = static_cast<int>(y.tensors.size());
  sample_weights = static_cast<int>(sample_weight.tensors.size());
  source = from_tensor_slices(std::move(fields));
}

}  // namespace plimsoll
