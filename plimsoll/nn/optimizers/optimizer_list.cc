#include "plimsoll/nn/optimizers/optimizer_list.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/base/nearest_name.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/keras_object.h"
#include "plimsoll/nn/optimizers/adadelta.h"
#include "plimsoll/nn/optimizers/adafactor.h"
#include "plimsoll/nn/optimizers/adagrad.h"
#include "plimsoll/nn/optimizers/adam.h"
#include "plimsoll/nn/optimizers/adamax.h"
#include "plimsoll/nn/optimizers/ftrl.h"
#include "plimsoll/nn/optimizers/lion.h"
#include "plimsoll/nn/optimizers/muon.h"
#include "plimsoll/nn/optimizers/nadam.h"
#include "plimsoll/nn/optimizers/rmsprop.h"
#include "plimsoll/nn/optimizers/sgd.h"

namespace plimsoll {
namespace {

template <class Kind>
Optimizer make() {
  return Kind();
}

template <class Kind, class Options>
Optimizer from_config(Fields& fields) {
  Options options;
  describe(fields, options);
  fields.ignored("decay").ignored("is_legacy_optimizer").ignored("jit_compile");  // of old files
  fields.finish();
  return Kind(options);
}

constexpr std::array<OptimizerKind, 12> kOptimizers = {{
    {"SGD", make<SGD>, from_config<SGD, SGDOptions>, {1e-3, 0.01, 0.3}, true},
    {"RMSprop", make<RMSprop>, from_config<RMSprop, RMSpropOptions>},
    {"Adam", make<Adam>, from_config<Adam, AdamOptions>},
    {"AdamW", make<AdamW>, from_config<AdamW, AdamWOptions>},
    {"Adagrad", make<Adagrad>, from_config<Adagrad, AdagradOptions>, {2e-3, 0.05, 0.5}},
    {"Adadelta", make<Adadelta>, from_config<Adadelta, AdadeltaOptions>, {0.05, 1, 10}},
    {"Adamax", make<Adamax>, from_config<Adamax, AdamaxOptions>},
    {"Nadam", make<Nadam>, from_config<Nadam, NadamOptions>},
    {"Lion", make<Lion>, from_config<Lion, LionOptions>, {1e-5, 1e-4, 3e-3}},
    {"Ftrl", make<Ftrl>, from_config<Ftrl, FtrlOptions>, {2e-3, 0.05, 0.5}},
    {"Adafactor", make<Adafactor>, from_config<Adafactor, AdafactorOptions>},
    {"Muon", make<Muon>, from_config<Muon, MuonOptions>},
}};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

const OptimizerKind& find(std::string_view name) {
  std::vector<std::string> known;
  for (const OptimizerKind& kind : kOptimizers) {
    if (lower(name) == lower(kind.class_name)) return kind;
    known.push_back(lower(kind.class_name));
  }
  throw InvalidArgument(not_known("optimizer:", name, known));
}

}  // namespace

std::span<const OptimizerKind> optimizer_list() {
  return kOptimizers;
}

const OptimizerKind* find_optimizer(std::string_view class_name) {
  const auto* found = std::ranges::find(kOptimizers, class_name, &OptimizerKind::class_name);
  return found == kOptimizers.end() ? nullptr : found;
}

Optimizer make_optimizer(std::string_view name) {
  return find(name).make();
}

Optimizer::Optimizer(std::string_view name) : Optimizer(make_optimizer(name)) {}

Json config_of(const Optimizer& optimizer) {
  Fields fields;
  optimizer->config_fields(fields);
  return keras_object("keras.optimizers", optimizer->class_name(), fields.config());
}

Json whole_config_of(const Optimizer& optimizer) {
  Json object = config_of(optimizer);
  const OptimizerSettings& settings = optimizer->settings();
  if (settings.adaptive_clip) object["config"]["adaptive_clip"] = *settings.adaptive_clip;
  if (settings.clip_percentile) object["config"]["clip_percentile"] = *settings.clip_percentile;
  return object;
}

Optimizer optimizer_from_config(const Json& json) {
  const KerasObject object = read_keras_object(json, "optimizer");
  if (object.class_name == "LossScaleOptimizer") {
    const auto inner = object.config->find("inner_optimizer");
    if (inner == object.config->end())
      throw InvalidArgument("optimizer: LossScaleOptimizer has no inner_optimizer");
    const KerasObject wrapped = read_keras_object(*inner, "optimizer");
    if (wrapped.class_name != "LossScaleOptimizer") return optimizer_from_config(*inner);
  }
  const OptimizerKind& kind = find(object.class_name);
  Fields fields(*object.config, "optimizer " + object.class_name);
  return kind.from_config(fields);
}

Optimizer fresh_copy(const Optimizer& optimizer) {
  return optimizer_from_config(whole_config_of(optimizer));
}

}  // namespace plimsoll
