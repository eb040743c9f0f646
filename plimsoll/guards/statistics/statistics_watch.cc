#include "plimsoll/guards/statistics/statistics_watch.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "plimsoll/guards/statistics/layer_activations.h"
#include "plimsoll/guards/statistics/layer_outputs.h"
#include "plimsoll/ops/op_settings.h"

namespace plimsoll {
namespace {

constexpr int64_t kBins = 30;
constexpr int64_t kMostBefore = 4096;  // numbers of a variable that are kept to see its update
constexpr size_t kMostSteps = 16;      // a stream may have batches of many shapes

std::span<const float> numbers_of(const Variable& variable) {
  return {reinterpret_cast<const float*>(variable.data()),
          static_cast<size_t>(variable.spec().shape.elements())};
}

// The `i`-th of `kept` places: one in each of so many stretches of the elements, but not at the
// same distance from the beginning of each. In a row-major kernel those would be weights of a few
// units.
size_t place_before(size_t i, size_t kept, size_t elements) {
  constexpr double kGolden = 0.6180339887498949;  // its multiples are spread evenly between numbers
  const size_t begin = i * elements / kept, end = (i + 1) * elements / kept;
  const double turns = static_cast<double>(i) * kGolden;
  return begin +
         static_cast<size_t>((turns - std::floor(turns)) * static_cast<double>(end - begin));
}

// Of all elements, from those that were kept.
double update_norm(std::span<const float> now, std::span<const float> before) {
  double squares = 0;
  for (size_t i = 0; i < before.size(); ++i) {
    const double step =
        static_cast<double>(now[place_before(i, before.size(), now.size())]) - before[i];
    if (std::isfinite(step)) squares += step * step;
  }
  return std::sqrt(squares * static_cast<double>(now.size()) /
                   static_cast<double>(std::max<size_t>(before.size(), 1)));
}

// How many numbers are a row; of a softmax that is made of several operations, the last axis.
int64_t row_of_softmax(const Instruction& maker, const Shape& shape) {
  return shape[softmax_axis(*maker.op).value_or(shape.rank() - 1)];
}

int64_t kept_before(const Variable& variable) {
  return std::min(kMostBefore, variable.spec().shape.elements());
}

std::string last_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

int64_t statistics_bytes(const Network& network) {
  constexpr int64_t kWithoutNumbers = 64 << 10, kOfVariable = 8 << 10, kOfLayer = 2 << 10;
  int64_t bytes = kWithoutNumbers + std::ssize(network.weights()) * (kOfVariable + kOfLayer);
  for (const Variable& weight : network.trainable_variables())
    bytes += kept_before(weight) * static_cast<int64_t>(sizeof(float));
  return bytes;
}

StatisticsWatch::StatisticsWatch(const Network& network, const Optimizer& optimizer)
    : network_(network.name()),
      optimizer_(optimizer),
      gradient_scale_(1 / optimizer->settings().loss_scale_factor.value_or(1)),
      activations_(layer_activations(network)) {
  for (const LayerBody::Child& child : network.children())
    add_weights(*child.layer, child.layer->name());
  for (const Variable& weight : network.weights()) add_weight(weight, "");
  for (const Variable& weight : network.trainable_variables()) {
    const auto found = std::ranges::find(variables_, weight, &WatchedVariable::variable);
    if (found == variables_.end()) continue;
    found->statistics.is_trained = true;
    found->before.resize(static_cast<size_t>(kept_before(weight)));
    trained_.push_back(static_cast<int>(found - variables_.begin()));
  }
}

void StatisticsWatch::add_weights(const LayerBody& layer, const std::string& path) {
  for (const Variable& weight : layer.own_weights()) add_weight(weight, path);
  for (const LayerBody::Child& child : layer.children())
    add_weights(*child.layer, path + "/" + child.layer->name());
}

// A layer that is used twice has its weights once.
void StatisticsWatch::add_weight(const Variable& weight, const std::string& path) {
  if (weight.spec().dtype != DType::float32) return;
  if (std::ranges::find(variables_, weight, &WatchedVariable::variable) != variables_.end()) return;
  VariableStatistics statistics{.layer = path,
                                .name = last_name(weight.state()->name),
                                .elements = weight.spec().shape.elements()};
  statistics.weights.counts.resize(kBins);
  statistics.gradients.counts.resize(kBins);
  variables_.push_back({weight, std::move(statistics)});
}

int StatisticsWatch::layer_of(const Program& program, size_t instruction, const std::string& path) {
  const Instruction& maker = program.instructions[instruction];
  const auto found = std::ranges::find(layers_, maker.scope, &WatchedLayer::scope);
  if (found != layers_.end()) return static_cast<int>(found - layers_.begin());
  const auto activation = activations_.find(path);
  std::string name = activation == activations_.end() ? "" : activation->second;
  if (has_relu(maker)) name = "relu";
  if (is_linear(maker)) name.clear();
  layers_.push_back(
      {.scope = maker.scope, .statistics = {.layer = path, .activation = std::move(name)}});
  return static_cast<int>(layers_.size()) - 1;
}

// The optimizer asks of all gradients in its order whether they are finite, in one instruction or
// in several. A weight that has no gradient is not written, but by an optimizer that overwrites
// weights with their means: then such a weight is passed over where its shape is another.
void StatisticsWatch::find_gradients(const Program& program, std::vector<Sight>& sights) const {
  std::vector<int> moved;
  for (const int variable : trained_) {
    const VariableState* state = variables_[static_cast<size_t>(variable)].variable.state().get();
    if (std::ranges::any_of(program.writes, [&](const Program::VariableWrite& write) {
          return program.variables[static_cast<size_t>(write.variable)].get() == state;
        }))
      moved.push_back(variable);
  }
  size_t next = 0;
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction& it = program.instructions[i];
    if (it.op->name() != "all_finite" || it.scope == nullptr || *it.scope != optimizer_->name())
      continue;
    for (const int gradient : it.inputs) {
      const auto fits = [&](int variable) {
        return variables_[static_cast<size_t>(variable)].variable.spec() == program.spec(gradient);
      };
      while (next < moved.size() && !fits(moved[next])) ++next;
      if (next < moved.size()) sights[i].gradients.push_back(moved[next++]);
    }
  }
}

const StatisticsWatch::KnownStep& StatisticsWatch::learn(const Program& program) {
  const auto known = std::ranges::find(steps_, &program, &KnownStep::program);
  if (known != steps_.end()) return *known;
  if (steps_.size() >= kMostSteps) steps_.erase(steps_.begin());
  KnownStep step{.program = &program};
  step.sights.resize(program.instructions.size());
  for (const LayerOutput& output : layer_outputs(program, network_)) {
    const Instruction& maker = program.instructions[output.instruction];
    step.sights[output.instruction].layer = layer_of(program, output.instruction, output.layer);
    const ProgramValue& value = program.values[static_cast<size_t>(maker.outputs[0])];
    const int64_t channels = ChannelView::of(value.spec.shape, value.layout).channels();
    seen_.resize(std::max(seen_.size(), static_cast<size_t>(channels)));
  }
  find_gradients(program, step.sights);
  steps_.push_back(std::move(step));
  return steps_.back();
}

// A step that was dropped may have left its address to another one, which is then learnt anew.
const StatisticsWatch::Sight& StatisticsWatch::sight_of(const ShownInstruction& shown) {
  const auto index = static_cast<size_t>(&shown.instruction - shown.program.instructions.data());
  const auto fits = [&](const KnownStep& known) {
    if (known.program != &shown.program || known.sights.size() != shown.program.instructions.size())
      return false;
    const Sight& sight = known.sights[index];
    return (sight.layer < 0 ||
            layers_[static_cast<size_t>(sight.layer)].scope == shown.instruction.scope) &&
           (sight.gradients.empty() || shown.instruction.op->name() == "all_finite");
  };
  const auto found = std::ranges::find_if(steps_, fits);
  if (found != steps_.end()) return found->sights[index];
  std::erase_if(steps_, [&](const KnownStep& known) { return known.program == &shown.program; });
  return learn(shown.program).sights[index];
}

void StatisticsWatch::begin(bool with_histograms) {
  with_histograms_ = with_histograms;
  for (WatchedLayer& layer : layers_) layer.is_seen = false;
  for (const int trained : trained_) {
    WatchedVariable& variable = variables_[static_cast<size_t>(trained)];
    VariableStatistics& statistics = variable.statistics;
    statistics.gradient_norm = 0;
    statistics.gradient_zero_share = 1;  // where there is none
    statistics.not_finite = 0;
    std::ranges::fill(statistics.gradients.counts, 0);
    const std::span<const float> now = numbers_of(variable.variable);
    for (size_t i = 0; i < variable.before.size(); ++i)
      variable.before[i] = now[place_before(i, variable.before.size(), now.size())];
  }
}

void StatisticsWatch::after(const ShownInstruction& shown) {
  const Sight& sight = sight_of(shown);
  if (sight.layer >= 0) {
    WatchedLayer& layer = layers_[static_cast<size_t>(sight.layer)];
    if (!std::exchange(layer.is_seen, true)) look_at_layer(shown, layer);
  }
  for (size_t i = 0; i < sight.gradients.size(); ++i)
    look_at_gradient(reinterpret_cast<const float*>(shown.inputs[i]),
                     variables_[static_cast<size_t>(sight.gradients[i])]);
}

void StatisticsWatch::look_at_layer(const ShownInstruction& shown, WatchedLayer& layer) {
  const ProgramValue& value =
      shown.program.values[static_cast<size_t>(shown.instruction.outputs[0])];
  const auto* numbers = reinterpret_cast<const float*>(shown.outputs[0]);
  const auto elements = static_cast<size_t>(value.spec.shape.elements());
  LayerStatistics& to = layer.statistics;
  const NumberSummary found = summarize({numbers, elements}, steep_range(to.activation));
  const ChannelView view = ChannelView::of(value.spec.shape, value.layout);
  const auto channels = static_cast<size_t>(view.channels());
  if (seen_.size() < channels) seen_.resize(channels);
  const int64_t dead = count_dead_channels(numbers, view, std::span(seen_).first(channels));
  to.mean = found.mean();
  to.deviation = found.deviation();
  to.least = found.least;
  to.largest = found.largest;
  to.zero_share = found.share(found.zeros);
  to.saturated_share = found.share(found.saturated);
  // Of a row of a softmax, one number can be at its end.
  if (to.activation == "softmax")
    to.saturated_share *= static_cast<double>(row_of_softmax(shown.instruction, value.spec.shape));
  to.dead_unit_share = static_cast<double>(dead) / static_cast<double>(channels);
  to.not_finite = found.not_finite;
}

void StatisticsWatch::look_at_gradient(const float* gradient, WatchedVariable& of) const {
  const std::span<const float> numbers(gradient, static_cast<size_t>(of.statistics.elements));
  const NumberSummary found = summarize(numbers);
  VariableStatistics& to = of.statistics;
  to.gradient_norm = found.norm() * gradient_scale_;
  to.gradient_zero_share = found.share(found.zeros);
  to.not_finite = found.not_finite;
  if (!with_histograms_) return;
  fill_histogram(numbers, found, to.gradients);
  to.gradients.least *= gradient_scale_;
  to.gradients.largest *= gradient_scale_;
}

void StatisticsWatch::look_at_weights(WatchedVariable& of) const {
  VariableStatistics& to = of.statistics;
  const std::span<const float> now = numbers_of(of.variable);
  const NumberSummary found = summarize(now);
  to.norm = found.norm();
  to.update_norm = update_norm(now, of.before);
  if (to.is_trained && with_histograms_) fill_histogram(now, found, to.weights);
}

StepStatistics& StatisticsWatch::end() {
  const auto seen = std::ranges::count_if(layers_, &WatchedLayer::is_seen);
  result_.layers.resize(static_cast<size_t>(seen));
  result_.variables.resize(variables_.size());
  size_t next = 0;
  for (const WatchedLayer& layer : layers_)
    if (layer.is_seen) result_.layers[next++] = layer.statistics;
  for (size_t i = 0; i < variables_.size(); ++i) {
    look_at_weights(variables_[i]);
    VariableStatistics& shown = result_.variables[i] = variables_[i].statistics;
    if (with_histograms_ && shown.is_trained) continue;
    shown.weights.counts.clear();
    shown.gradients.counts.clear();
  }
  return result_;
}

}  // namespace plimsoll
