#include "plimsoll/nn/layer_seed.h"

#include <span>

#include "plimsoll/nn/clock.h"

namespace plimsoll {

LayerSeed::LayerSeed(std::optional<int64_t> seed) {
  if (!seed) return;
  own_ = Variable("seed", {DType::int64, {}}, false);
  own_.set_bytes(std::as_bytes(std::span(&*seed, 1)));
}

RandomState LayerSeed::draw() const {
  return own_.defined() ? training_clock().draw(own_) : training_clock().draw();
}

}  // namespace plimsoll
