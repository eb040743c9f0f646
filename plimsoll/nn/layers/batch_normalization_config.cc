#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/batch_normalization.h"

namespace plimsoll {
namespace {

// An older Keras writes a list of one axis.
void tell_axis(Fields& fields, int& axis) {
  if (!fields.reading()) {
    fields.with("axis", axis);
    return;
  }
  std::vector<int> axes = {axis};
  fields.with("axis", axes);
  if (axes.size() != 1)
    fields.refuse(fmt::format("axis must be one number, found {}", axes.size()));
  axis = axes[0];
}

void tell_clipping(Fields& fields, bool renorm, RenormClipping& clipping) {
  const std::pair<const char*, std::optional<double>*> limits[] = {
      {"rmin", &clipping.rmin}, {"rmax", &clipping.rmax}, {"dmax", &clipping.dmax}};
  if (!fields.reading()) {
    Json told = Json::object();
    for (const auto& [key, limit] : limits)
      if (*limit) told[key] = **limit;
    return fields.write("renorm_clipping", renorm ? told : Json());
  }
  const Json* found = fields.find("renorm_clipping");
  if (found == nullptr) return;
  Fields inside(*found, "renorm_clipping");
  for (const auto& [key, limit] : limits) inside.with(key, *limit);
  inside.finish();
}

}  // namespace

void describe(Fields& fields, BatchNormalizationOptions& options) {
  tell_axis(fields, options.axis);
  fields.with("momentum", options.momentum)
      .with("epsilon", options.epsilon)
      .with("center", options.center)
      .with("scale", options.scale)
      .with("beta_initializer", options.beta_initializer)
      .with("gamma_initializer", options.gamma_initializer)
      .with("moving_mean_initializer", options.moving_mean_initializer)
      .with("moving_variance_initializer", options.moving_variance_initializer)
      .with("beta_regularizer", options.beta_regularizer)
      .with("gamma_regularizer", options.gamma_regularizer)
      .with("beta_constraint", options.beta_constraint)
      .with("gamma_constraint", options.gamma_constraint)
      .with("synchronized", options.synchronized)
      .with("renorm", options.renorm);
  tell_clipping(fields, options.renorm, options.renorm_clipping);
  fields.with("renorm_momentum", options.renorm_momentum);
}

}  // namespace plimsoll
