#include "plimsoll/nn/optimizers/muon.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/optimizers/composed_update.h"
#include "plimsoll/nn/optimizers/make_optimizer.h"
#include "plimsoll/ops/linear/linear.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostRounds = 100;
constexpr size_t kLongestExpression = 200;  // they come from files, and cost memory to compile

bool names_an_embedding(std::string path) {
  std::ranges::transform(path, path.begin(), [](unsigned char c) { return std::tolower(c); });
  return path.find("embedding") != std::string::npos;
}

class MuonBody final : public OptimizerOf<MuonOptions> {
 public:
  explicit MuonBody(const MuonOptions& options) : OptimizerOf("Muon", options) {
    if (options.ns_steps < 0 || options.ns_steps > kMostRounds)
      throw InvalidArgument(fmt::format("{}: ns_steps must be between 0 and {}, found {}", name(),
                                        kMostRounds, options.ns_steps));
    for (const std::string& expression : options.exclude_layers) exclude(expression);
  }

 protected:
  // The second one is for weights that move as AdamW moves them, and for no others.
  std::vector<std::string> slot_names() const override { return {"momentum", "velocity"}; }
  size_t slot_count(const Variable& weight) const override { return moves_as_adam(weight) ? 2 : 1; }
  size_t interleaved_slots() const override { return 2; }
  std::optional<double> weight_decay_of(const Variable& weight) const override {
    return moves_as_adam(weight) ? options_.adam_weight_decay : options_.weight_decay;
  }

  void prepare(UpdateScalars& scalars, const Pace& pace) override {
    const Tensor count = cast(pace.updates + 1, DType::float32);
    const Tensor mean_share = 1 - power(scalar(options_.adam_beta_1), count);
    const Tensor square_share = 1 - power(scalar(options_.adam_beta_2), count);
    scalars.rule = {scalars.learning_rate * options_.adam_lr_ratio * sqrt(square_share) /
                    mean_share};
  }

  Updated update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                 const UpdateScalars& scalars) const override {
    if (slots.size() == 2) return adam(weight, gradient, slots, scalars);
    return composed_update(weight, gradient, slots, scalars, [&](const Tensor& w, const Tensor& g) {
      const Tensor m = slots[0] + (g + slots[0] * (options_.momentum - 1));
      const Tensor direction = with_even_values(options_.nesterov ? g + options_.momentum * m : m);
      return Updated{w - sized(scalars.learning_rate * direction), {m}};
    });
  }

 private:
  void exclude(const std::string& expression) {
    try {
      if (expression.size() > kLongestExpression)
        throw std::regex_error(std::regex_constants::error_space);
      excluded_.emplace_back(expression);
    } catch (const std::regex_error&) {
      throw InvalidArgument(fmt::format(
          "{}: exclude_layers has '{}', which is not a regular expression of at most {} characters",
          name(), expression, kLongestExpression));
    }
  }

  bool moves_as_adam(const Variable& weight) const {
    if (weight.shape().rank() != 2) return true;
    if (options_.exclude_embeddings && names_an_embedding(weight.name())) return true;
    return std::ranges::any_of(excluded_, [&](const std::regex& expression) {
      return std::regex_search(weight.name(), expression);
    });
  }

  Updated adam(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
               UpdateScalars scalars) const {
    scalars.learning_rate = scalars.rule[0];
    scalars.rule.clear();
    return adam_update(weight, gradient, slots, scalars, options_.adam_beta_1, options_.adam_beta_2,
                       options_.epsilon, false);
  }

  // The matrix with its singular values brought near 1 by Newton-Schulz rounds, which work on the
  // side that is no longer than the other.
  Tensor with_even_values(const Tensor& matrix) const {
    const bool is_tall = matrix.shape()[0] > matrix.shape()[1];
    Tensor x = is_tall ? transpose(matrix) : matrix;
    x = x / (sqrt(sum(square(x))) + 1e-7);
    for (int64_t round = 0; round < options_.ns_steps; ++round) {
      const Tensor a = matmul(x, x, {.transpose_b = true});
      const Tensor b = options_.muon_b * a + matmul(options_.muon_c * a, a);
      x = options_.muon_a * x + matmul(b, x);
    }
    return is_tall ? transpose(x) : x;
  }

  Tensor sized(const Tensor& move) const {
    if (!options_.rms_rate) return move;
    const auto longest = static_cast<double>(std::max(move.shape()[0], move.shape()[1]));
    return move * std::sqrt(longest) * *options_.rms_rate;
  }

  std::vector<std::regex> excluded_;
};

// Keras's default is the integer 1, and it is written as one.
void with_ratio(Fields& fields, double& ratio) {
  if (fields.reading() || ratio != std::floor(ratio))
    fields.with("adam_lr_ratio", ratio);
  else
    fields.write("adam_lr_ratio", static_cast<int64_t>(ratio));
}

}  // namespace

void describe(Fields& fields, MuonOptions& options) {
  describe_settings(fields, options)
      .with("adam_beta_1", options.adam_beta_1)
      .with("adam_beta_2", options.adam_beta_2)
      .with("epsilon", options.epsilon)
      .with("exclude_layers", options.exclude_layers)
      .with("muon_a", options.muon_a)
      .with("muon_b", options.muon_b)
      .with("muon_c", options.muon_c);
  with_ratio(fields, options.adam_lr_ratio);
  fields.with("momentum", options.momentum)
      .with("ns_steps", options.ns_steps)
      .with("nesterov", options.nesterov)
      .with("exclude_embeddings", options.exclude_embeddings)
      .with("adam_weight_decay", options.adam_weight_decay)
      .with("rms_rate", options.rms_rate);
}

Muon::Muon(const MuonOptions& options) : Optimizer(std::make_shared<MuonBody>(options)) {}

}  // namespace plimsoll
