#include "plimsoll/nn/optimizers/adafactor.h"

#include "plimsoll/nn/optimizers/composed_update.h"
#include "plimsoll/nn/optimizers/make_optimizer.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

Tensor root_mean_square(const Tensor& x) {
  return sqrt(mean(square(x)));
}

// Made of ordinary ops: sums over rows and columns cannot be done in one pass.
class AdafactorBody final : public OptimizerOf<AdafactorOptions> {
 public:
  explicit AdafactorBody(const AdafactorOptions& options) : OptimizerOf("Adafactor", options) {}

 protected:
  std::vector<std::string> slot_names() const override { return {"rows", "columns", "velocity"}; }
  size_t interleaved_slots() const override { return 3; }
  // A weight that is not a matrix has scalars in place of the means; nothing reads them.
  Spec slot_spec(const Variable& weight, size_t slot) const override {
    if (slot == 2) return weight.spec();
    const int rank = weight.shape().rank();
    return {DType::float32,
            rank < 2 ? Shape{} : weight.shape().without(slot == 0 ? rank - 1 : rank - 2)};
  }

  void prepare(UpdateScalars& scalars, const Pace& pace) override {
    const Tensor step = cast(pace.updates + 1, DType::float32);
    scalars.learning_rate = minimum(scalars.learning_rate, rsqrt(step));
    scalars.rule = {power(step, scalar(options_.beta_2_decay))};
  }

  Updated update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                 const UpdateScalars& scalars) const override {
    return composed_update(weight, gradient, slots, scalars, [&](const Tensor& w, const Tensor& g) {
      Tensors moments = new_moments(slots, square(g) + options_.epsilon_1, scalars.rule[0]);
      const Tensor move = g * rsqrt(moments[2]);
      const Tensor size = maximum(root_mean_square(move) / options_.clip_threshold, 1);
      const Tensor rate =
          maximum(root_mean_square(w), options_.epsilon_2) * scalars.learning_rate / size;
      return Updated{w - rate * move, std::move(moments)};
    });
  }

 private:
  // Each mean moves towards the squares by `share`.
  static Tensors new_moments(const Tensors& slots, const Tensor& squares, const Tensor& share) {
    const auto drawn = [&](const Tensor& mean, const Tensor& value) {
      return (1 - share) * mean + share * value;
    };
    if (squares.rank() < 2) return {slots[0], slots[1], drawn(slots[2], squares)};
    const Tensor rows = drawn(slots[0], mean(squares, {-1}));
    const Tensor columns = drawn(slots[1], mean(squares, {-2}));
    const Tensor ratio = rows / mean(rows, {-1}, true);
    return {rows, columns, expand_dims(ratio, -1) * expand_dims(columns, -2)};
  }
};

}  // namespace

void describe(Fields& fields, AdafactorOptions& options) {
  describe_settings(fields, options)
      .with("beta_2_decay", options.beta_2_decay)
      .with("epsilon_1", options.epsilon_1)
      .with("epsilon_2", options.epsilon_2)
      .with("clip_threshold", options.clip_threshold)
      .with("relative_step", options.relative_step);
}

Adafactor::Adafactor(const AdafactorOptions& options)
    : Optimizer(std::make_shared<AdafactorBody>(options)) {}

}  // namespace plimsoll
