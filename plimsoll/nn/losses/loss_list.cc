#include "plimsoll/nn/losses/loss_list.h"

#include <array>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/base/nearest_name.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/keras_object.h"
#include "plimsoll/nn/losses/crossentropy.h"
#include "plimsoll/nn/losses/divergence.h"
#include "plimsoll/nn/losses/focal_crossentropy.h"
#include "plimsoll/nn/losses/hinge.h"
#include "plimsoll/nn/losses/mean_errors.h"
#include "plimsoll/nn/losses/overlap.h"

namespace plimsoll {
namespace {

template <class Kind>
Loss make() {
  return Kind();
}

template <class Kind, class Options = LossOptions>
Loss from_config(Fields& fields) {
  Options options;
  describe(fields, options);
  fields.finish();
  return Kind(options);
}

// A name alone: which crossentropy it is depends on the shapes.
class CrossentropyByShapes final : public Loss {
 public:
  CrossentropyByShapes() : Loss("crossentropy", crossentropy_by_shapes) {
    set_targets({.kind = LossTargets::Kind::any_classes});
  }
};
Loss make_crossentropy() {
  return CrossentropyByShapes();
}
Loss crossentropy_from_config(Fields&) {
  return make_crossentropy();
}

constexpr std::array<LossKind, 20> kLosses = {{
    {"mean_squared_error", "MeanSquaredError", "mse", "", make<MeanSquaredError>,
     from_config<MeanSquaredError>, Comparison::distance, ConstantAnswer::variance},
    {"mean_absolute_error", "MeanAbsoluteError", "mae", "", make<MeanAbsoluteError>,
     from_config<MeanAbsoluteError>, Comparison::distance, ConstantAnswer::absolute_deviation},
    {"mean_absolute_percentage_error", "MeanAbsolutePercentageError", "mape", "",
     make<MeanAbsolutePercentageError>, from_config<MeanAbsolutePercentageError>,
     Comparison::distance},
    {"mean_squared_logarithmic_error", "MeanSquaredLogarithmicError", "msle", "",
     make<MeanSquaredLogarithmicError>, from_config<MeanSquaredLogarithmicError>,
     Comparison::distance},
    {"huber", "Huber", "", "huber_loss", make<Huber>, from_config<Huber, HuberOptions>,
     Comparison::distance},
    {"log_cosh", "LogCosh", "", "logcosh", make<LogCosh>, from_config<LogCosh>,
     Comparison::distance},
    {"cosine_similarity", "CosineSimilarity", "", "cosine_proximity", make<CosineSimilarity>,
     from_config<CosineSimilarity, CosineSimilarityOptions>},
    {"binary_crossentropy", "BinaryCrossentropy", "bce", "", make<BinaryCrossentropy>,
     from_config<BinaryCrossentropy, BinaryCrossentropyOptions>, Comparison::crossentropy,
     ConstantAnswer::entropy},
    {"categorical_crossentropy", "CategoricalCrossentropy", "", "", make<CategoricalCrossentropy>,
     from_config<CategoricalCrossentropy, CategoricalCrossentropyOptions>, Comparison::crossentropy,
     ConstantAnswer::entropy_of_classes},
    {"sparse_categorical_crossentropy", "SparseCategoricalCrossentropy", "", "",
     make<SparseCategoricalCrossentropy>,
     from_config<SparseCategoricalCrossentropy, SparseCategoricalCrossentropyOptions>,
     Comparison::crossentropy, ConstantAnswer::entropy_of_classes},
    {"crossentropy", "", "ce", "", make_crossentropy, crossentropy_from_config,
     Comparison::crossentropy},
    {"binary_focal_crossentropy", "BinaryFocalCrossentropy", "", "", make<BinaryFocalCrossentropy>,
     from_config<BinaryFocalCrossentropy, BinaryFocalCrossentropyOptions>,
     Comparison::crossentropy},
    {"categorical_focal_crossentropy", "CategoricalFocalCrossentropy", "", "",
     make<CategoricalFocalCrossentropy>,
     from_config<CategoricalFocalCrossentropy, CategoricalFocalCrossentropyOptions>,
     Comparison::crossentropy},
    {"hinge", "Hinge", "", "", make<Hinge>, from_config<Hinge>, Comparison::margin},
    {"squared_hinge", "SquaredHinge", "", "", make<SquaredHinge>, from_config<SquaredHinge>,
     Comparison::margin},
    {"categorical_hinge", "CategoricalHinge", "", "", make<CategoricalHinge>,
     from_config<CategoricalHinge>, Comparison::margin},
    {"kl_divergence", "KLDivergence", "kld", "kullback_leibler_divergence", make<KLDivergence>,
     from_config<KLDivergence>},
    {"poisson", "Poisson", "", "", make<Poisson>, from_config<Poisson>},
    {"dice", "Dice", "", "", make<Dice>, from_config<Dice, DiceOptions>},
    {"tversky", "Tversky", "", "", make<Tversky>, from_config<Tversky, TverskyOptions>},
}};

bool is_short_name(std::string_view name, std::string_view short_name) {
  std::string upper(short_name);
  for (char& c : upper) c = static_cast<char>(c - 'a' + 'A');
  return name == short_name || name == upper;
}

const LossKind& known(std::string_view name) {
  if (const LossKind* kind = find_loss(name)) return *kind;
  std::vector<std::string> all;
  for (const LossKind& kind : kLosses) all.emplace_back(kind.name);
  throw InvalidArgument(not_known("loss:", name, all));
}

}  // namespace

std::span<const LossKind> loss_list() {
  return kLosses;
}

const LossKind* find_loss(std::string_view name) {
  if (name.empty()) return nullptr;
  for (const LossKind& kind : kLosses)
    if (name == kind.name || name == kind.class_name || name == kind.old_name ||
        is_short_name(name, kind.short_name))
      return &kind;
  return nullptr;
}

Loss make_loss(std::string_view name) {
  return known(name).make();
}

Loss::Loss(std::string_view name) : Loss(make_loss(name)) {
  origin_.name = name;
}

Json config_of(const Loss& loss) {
  const Loss::Origin& origin = loss.origin();
  if (!origin.name.empty()) return origin.name;
  if (origin.class_name.empty())
    throw InvalidArgument("loss: '" + loss.name() +
                          "' is a function of this program, which a file cannot hold");
  Fields fields;
  origin.settings(fields);
  return keras_object("keras.losses", origin.class_name, fields.config());
}

Loss loss_from_config(const Json& json) {
  const KerasObject object = read_keras_object(json, "loss");
  const LossKind& kind = known(object.class_name);
  const bool is_name = json.is_string() || object.class_name == kind.name;
  if (is_name && object.config->empty()) return Loss(object.class_name);
  Fields fields(*object.config, "loss " + object.class_name);
  return kind.from_config(fields);
}

}  // namespace plimsoll
