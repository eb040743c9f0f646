#include "plimsoll/nn/loss_list.h"

#include <array>

#include "plimsoll/nn/crossentropy.h"
#include "plimsoll/nn/mean_errors.h"

namespace plimsoll {
namespace {

template <class Kind>
Loss make() {
  return Kind();
}

constexpr std::array<LossKind, 5> kLosses = {{
    {"mean_squared_error", "MeanSquaredError", "mse", make<MeanSquaredError>},
    {"mean_absolute_error", "MeanAbsoluteError", "mae", make<MeanAbsoluteError>},
    {"binary_crossentropy", "BinaryCrossentropy", "", make<BinaryCrossentropy>},
    {"categorical_crossentropy", "CategoricalCrossentropy", "", make<CategoricalCrossentropy>},
    {"sparse_categorical_crossentropy", "SparseCategoricalCrossentropy", "",
     make<SparseCategoricalCrossentropy>},
}};

bool is_short_name(std::string_view name, std::string_view short_name) {
  if (short_name.empty() || name.size() != short_name.size()) return false;
  std::string upper(short_name);
  for (char& c : upper) c = static_cast<char>(c - 'a' + 'A');
  return name == short_name || name == upper;
}

}  // namespace

std::span<const LossKind> loss_list() {
  return kLosses;
}

const LossKind* find_loss(std::string_view name) {
  for (const LossKind& kind : kLosses)
    if (name == kind.name || name == kind.class_name || is_short_name(name, kind.short_name))
      return &kind;
  return nullptr;
}

}  // namespace plimsoll
