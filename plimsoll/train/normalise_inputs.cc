#include "plimsoll/train/normalise_inputs.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/layers/normalization.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/tensor/dtype.h"
#include "plimsoll/train/data/input_use.h"
#include "plimsoll/train/steps/model_steps.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostRead = 10'000;

// Sums of a field by the place in its last axis.
struct ColumnSums {
  explicit ColumnSums(const Spec& field)
      : spec(field), sums(columns()), squares(columns()), count(0) {}

  size_t columns() const {
    return spec.shape.rank() == 0 ? 1 : static_cast<size_t>(spec.shape.back());
  }
  void add(const std::byte* data) {
    visit_dtype(spec.dtype, [&]<class T>(T) {
      const T* values = reinterpret_cast<const T*>(data);
      const int64_t numbers = spec.shape.elements();
      for (int64_t i = 0; i < numbers; ++i) {
        const auto value = static_cast<double>(values[i]);
        if (!std::isfinite(value)) continue;
        sums[static_cast<size_t>(i) % columns()] += value;
        squares[static_cast<size_t>(i) % columns()] += value * value;
      }
      count += static_cast<double>(numbers) / static_cast<double>(columns());
    });
  }
  NormalizationOptions options() const {
    NumberOrList mean = std::initializer_list<double>{};
    NumberOrList variance = mean;
    for (size_t i = 0; i < columns(); ++i) {
      mean.values.push_back(sums[i] / std::max(1.0, count));
      const double square = squares[i] / std::max(1.0, count);
      variance.values.push_back(std::max(0.0, square - mean.values[i] * mean.values[i]));
    }
    return {.mean = mean, .variance = variance};
  }

  Spec spec;
  std::vector<double> sums, squares;
  double count;
};

std::vector<ColumnSums> sums_over(const Source& source, const std::vector<int>& fields) {
  std::vector<ColumnSums> sums;
  for (const int field : fields) sums.emplace_back(source.fields()[static_cast<size_t>(field)]);
  std::vector<std::vector<std::byte>> buffers;
  std::vector<std::byte*> into;
  for (const Spec& spec : source.fields())
    into.push_back(buffers.emplace_back(static_cast<size_t>(spec.bytes())).data());
  const int64_t count = std::min(source.size(), kMostRead);
  for (int64_t i = 0; i < count; ++i) {
    try {
      source.read(i * source.size() / count, into);
    } catch (const CorruptFile&) {
      continue;  // the run says what it does about bad records
    }
    for (size_t k = 0; k < sums.size(); ++k) sums[k].add(into[static_cast<size_t>(fields[k])]);
  }
  return sums;
}

}  // namespace

Model normalise_inputs(const Model& model, const Dataset& data) {
  const Ports ports = model.network().inputs();
  if (ports.empty()) throw InvalidArgument(model.name() + ": normalise: it has no input shape yet");
  if (data.source == nullptr || data.source->stream() != nullptr)
    throw InvalidArgument(model.name() + ": normalise: the data can only be read once");
  // The model owns its network; a handle to it is kept with the network.
  const std::shared_ptr<Network> network(std::make_shared<Model>(model), &model.network());
  const ModelSteps steps(network, CompileOptions{});
  const RecordFields fields = steps.input_fields_of(data.source->fields(), data);
  const std::vector<ColumnSums> sums = sums_over(*data.source, fields.roles.inputs);
  const std::vector<InputUse> uses = input_uses(*network);
  Tensors inputs, normal;
  bool is_changed = false;
  for (size_t i = 0; i < ports.size(); ++i) {
    const Spec& spec = ports[i].spec;
    inputs.push_back(
        Input({.shape = spec.shape.without(0), .dtype = spec.dtype, .name = ports[i].name}));
    const bool is_met = uses[i].kind == InputUse::Kind::weights && spec.dtype == DType::float32;
    normal.push_back(is_met ? Normalization(sums[i].options())(inputs.back()) : inputs.back());
    is_changed = is_changed || is_met;
  }
  if (!is_changed)
    throw InvalidArgument(model.name() + ": normalise: no input is multiplied by weights");
  Model normalised(inputs, Layer(network)(normal), model.name());
  if (model.compiled()) normalised.compile(model.compile_options());
  return normalised;
}

}  // namespace plimsoll
