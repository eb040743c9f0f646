#include "plimsoll/nn/losses/match_rank.h"

#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {

std::pair<Tensor, Tensor> match_rank(const Tensor& a, const Tensor& b) {
  if (a.rank() < b.rank()) {
    const auto [second, first] = match_rank(b, a);
    return {first, second};
  }
  if (a.rank() != b.rank() + 1 || a.shape().back() != 1) return {a, b};
  if (b.rank() == 1) return {a, expand_dims(b, -1)};
  return {squeeze(a, -1), b};
}

}  // namespace plimsoll
