#include "plimsoll/nn/optimizer_list.h"

#include <array>

#include "plimsoll/nn/adam.h"
#include "plimsoll/nn/rmsprop.h"
#include "plimsoll/nn/sgd.h"

namespace plimsoll {
namespace {

template <class Kind>
Optimizer make() {
  return Kind();
}

constexpr std::array<OptimizerKind, 4> kOptimizers = {{
    {"SGD", make<SGD>},
    {"RMSprop", make<RMSprop>},
    {"Adam", make<Adam>},
    {"AdamW", make<AdamW>},
}};

}  // namespace

std::span<const OptimizerKind> optimizer_list() {
  return kOptimizers;
}

}  // namespace plimsoll
