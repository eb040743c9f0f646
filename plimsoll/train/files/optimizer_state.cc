#include "plimsoll/train/files/optimizer_state.h"

#include <fmt/format.h>

namespace plimsoll {
namespace {

// Why the tensors cannot be the values of the variables; empty if they can.
std::string difference(const std::vector<const Hdf5Dataset*>& tensors, const Variables& variables) {
  if (tensors.size() != variables.size())
    return fmt::format("expected {} tensors of optimizer state, found {}", variables.size(),
                       tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i]->shape() != variables[i].shape())
      return variables[i].name() + " has shape " + variables[i].shape().to_string() + ", found " +
             tensors[i]->shape().to_string();
  return "";
}

// Keras 2 keeps the learning rate among the settings, not the state.
Variables without_learning_rate(const OptimizerBody& optimizer) {
  Variables variables = optimizer.variables();
  std::erase(variables, optimizer.learning_rate());
  return variables;
}

}  // namespace

std::vector<Finding> add_optimizer_state(WeightLoad& load,
                                         const std::vector<const Hdf5Dataset*>& tensors,
                                         const Network& network, const Optimizer& optimizer,
                                         const std::string& file) {
  if (tensors.empty()) return {};
  // Before the first step there are no slots, in the file and here.
  const bool is_stepped = tensors.size() > optimizer->variables().size();
  if (is_stepped) optimizer->build(network.trainable_variables());
  Variables variables = optimizer->variables();
  if (tensors.size() + 1 == variables.size()) variables = without_learning_rate(*optimizer);
  if (const std::string why = difference(tensors, variables); !why.empty())
    return {{.severity = Finding::Severity::warning,
             .where = file,
             .what = "the state of the optimizer '" + optimizer->name() +
                     "' is not taken over, training begins with a new one: " + why}};
  for (size_t i = 0; i < tensors.size(); ++i)
    load.add(variables[i], *tensors[i], variables[i].name());
  return {};
}

}  // namespace plimsoll
