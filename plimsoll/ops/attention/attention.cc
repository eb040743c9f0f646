#include "plimsoll/ops/attention/attention.h"

#include <fmt/format.h>

#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/attention/attention.h"
#include "plimsoll/kernels/random/random.h"
#include "plimsoll/ops/random/random_state.h"

namespace plimsoll {
namespace {

using kernels::AttentionForm;

void refuse_unless_heads(std::span<const Spec> in) {
  for (const Spec& spec : in.first(3))
    if (spec.dtype != DType::float32 || spec.shape.rank() != 4)
      throw InvalidArgument("expected float32 (batch, places, heads, features), found " +
                            spec.to_string());
  const Shape &q = in[0].shape, &k = in[1].shape, &v = in[2].shape;
  if (k[0] != q[0] || v[0] != q[0] || k[2] != q[2] || v[2] != q[2] || k[3] != q[3] || v[1] != k[1])
    throw InvalidArgument(
        "query and key must agree in batch, heads and depth, key and value in batch, keys and "
        "heads; found query " +
        q.to_string() + ", key " + k.to_string() + ", value " + v.to_string());
}

void refuse_unless_mask(const Spec& mask, const Shape& pairs) {
  bool fits = mask.dtype == DType::boolean && mask.shape.rank() == 4;
  for (int i = 0; fits && i < 4; ++i) fits = mask.shape[i] == pairs[i] || mask.shape[i] == 1;
  if (!fits)
    throw InvalidArgument("the mask must be bool with the axes of " + pairs.to_string() +
                          " or 1, found " + mask.to_string());
}

Shape pairs_of(std::span<const Spec> in) {
  return {in[0].shape[0], in[0].shape[2], in[0].shape[1], in[1].shape[1]};
}

void check(std::span<const Spec> in, const AttentionForm& form) {
  refuse_unless_heads(in);
  if (form.masked) refuse_unless_mask(in[3], pairs_of(in));
  if (form.dropout > 0) expect_state(in, static_cast<size_t>(form.state_input()));
}

void describe_form(Attributes& to, const AttentionForm& form) {
  const auto& [scale, causal, masked, dropout, stream] = form;
  to.with("scale", scale).with("is_causal", causal, false).with("mask", masked, false);
  to.with("dropout", dropout, 0).with("stream", stream, 0);
}

// The weights of every pair, in float64, and where they are dropped.
class Weights {
 public:
  Weights(std::span<const Array> in, const AttentionForm& form)
      : in_(in),
        form_(form),
        pairs_(pairs_of(std::vector<Spec>{in[0].spec, in[1].spec})),
        weights_({DType::float32, pairs_}),
        kept_({DType::float32, pairs_}) {
    const int64_t rows = pairs_.elements(0, 3);
    for (int64_t row = 0; row < rows && pairs_[3] > 0; ++row) fill(row);
    for (int64_t i = 0; i < pairs_.elements(); ++i) kept_[i] = kept(i);
  }

  const Shape& pairs() const { return pairs_; }
  double weight(int64_t pair) const { return weights_[pair]; }
  // The factor that dropout applies to it.
  double factor(int64_t pair) const { return kept_[pair]; }
  bool counts(int64_t pair) const {
    const int64_t key = pair % pairs_[3], query = pair / pairs_[3] % pairs_[2];
    if (form_.causal && key > query) return false;
    if (!form_.masked) return true;
    const Shape& mask = in_[3].spec.shape;
    int64_t at = 0, step = 1, rest = pair;
    for (int axis = 3; axis >= 0; rest /= pairs_[axis--]) {
      if (mask[axis] != 1) at += rest % pairs_[axis] * step;
      step *= mask[axis];
    }
    return in_[3][at] != 0;
  }
  // Elements of q (and dq), k and v that a pair has: feature 0 of its query and its key.
  int64_t query_at(int64_t pair, int64_t features) const {
    return (sample(pair) * pairs_[2] + pair / pairs_[3] % pairs_[2]) * pairs_[1] * features +
           head(pair) * features;
  }
  int64_t key_at(int64_t pair, int64_t features) const {
    return (sample(pair) * pairs_[3] + pair % pairs_[3]) * pairs_[1] * features +
           head(pair) * features;
  }

 private:
  int64_t sample(int64_t pair) const { return pair / pairs_.elements(1, 4); }
  int64_t head(int64_t pair) const { return pair / (pairs_[2] * pairs_[3]) % pairs_[1]; }

  double score(int64_t pair) const {
    if (!counts(pair)) return -1e30;
    const int64_t depth = in_[0].spec.shape[3];
    double product = 0;
    for (int64_t i = 0; i < depth; ++i)
      product += in_[0][query_at(pair, depth) + i] * in_[1][key_at(pair, depth) + i];
    return product * form_.scale;
  }

  void fill(int64_t row) {
    const int64_t begin = row * pairs_[3], end = begin + pairs_[3];
    double largest = -1e30, total = 0;
    for (int64_t i = begin; i < end; ++i) largest = std::max(largest, weights_[i] = score(i));
    for (int64_t i = begin; i < end; ++i) total += weights_[i] = std::exp(weights_[i] - largest);
    for (int64_t i = begin; i < end; ++i) weights_[i] /= total;
  }

  double kept(int64_t pair) const {
    if (form_.dropout == 0) return 1;
    const kernels::Draw draw =
        draw_of(in_.subspan(static_cast<size_t>(form_.state_input())), form_.stream);
    const bool stays = word_of(pair, pairs_, draw) >= kernels::dropout_threshold(form_.dropout);
    return stays ? 1 / (1 - form_.dropout) : 0;
  }

  std::span<const Array> in_;
  const AttentionForm& form_;
  Shape pairs_;
  Array weights_, kept_;
};

// The operations of one product of all queries with all keys.
double product_operations(std::span<const Spec> in) {
  const Shape& q = in[0].shape;
  return 2.0 * static_cast<double>(q.elements()) * static_cast<double>(in[1].shape[1]);
}

class AttentionGradient final : public Op {
 public:
  explicit AttentionGradient(const AttentionForm& form) : form_(form) {}

  std::string_view name() const override { return "attention_gradient"; }
  void describe(Attributes& to) const override {
    const auto& [form] = *this;
    describe_form(to, form);
  }
  Specs infer(std::span<const Spec> in) const override {
    check(in.first(in.size() - 1), form_);
    const Shape& q = in[0].shape;
    const Spec y{DType::float32, {q[0], q[1], q[2], in[2].shape[3]}};
    if (in.back() != y)
      throw InvalidArgument("dy must be " + y.to_string() + ", found " + in.back().to_string());
    return {in[0], in[1], in[2]};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_attention_gradient(request, form_);
  }
  double operations(std::span<const Spec> in, std::span<const Spec>) const override {
    return 5 * product_operations(in);
  }

  Arrays reference(std::span<const Array> in) const override {
    const Array& dy = in.back();
    const Weights weights(in.first(in.size() - 1), form_);
    const int64_t depth = in[0].spec.shape[3], width = in[2].spec.shape[3];
    const int64_t keys = weights.pairs()[3];
    Array dq(in[0].spec), dk(in[1].spec), dv(in[2].spec), dp({DType::float32, weights.pairs()});
    for (int64_t i = 0; i < weights.pairs().elements(); ++i)
      for (int64_t j = 0; j < width; ++j) {
        const double g = dy[weights.query_at(i, width) + j] * weights.factor(i);
        dp[i] += g * in[2][weights.key_at(i, width) + j];
        dv[weights.key_at(i, width) + j] += g * weights.weight(i);
      }
    for (int64_t i = 0; i < weights.pairs().elements(); ++i) {
      if (!weights.counts(i)) continue;
      double mean = 0;
      for (int64_t j = i / keys * keys; j < i / keys * keys + keys; ++j)
        mean += weights.weight(j) * dp[j];
      const double ds = weights.weight(i) * (dp[i] - mean) * form_.scale;
      for (int64_t j = 0; j < depth; ++j) {
        dq[weights.query_at(i, depth) + j] += ds * in[1][weights.key_at(i, depth) + j];
        dk[weights.key_at(i, depth) + j] += ds * in[0][weights.query_at(i, depth) + j];
      }
    }
    return {dq, dk, dv};
  }

 private:
  AttentionForm form_;
};

class Attention final : public Op {
 public:
  explicit Attention(const AttentionForm& form) : form_(form) {}

  std::string_view name() const override { return "attention"; }
  bool keeps_samples_apart(const SampleAxes& axes) const override {
    return axes.are_rows() && (form_.dropout == 0 || axes.out[0].shape[0] == axes.samples);
  }
  void describe(Attributes& to) const override {
    const auto& [form] = *this;
    describe_form(to, form);
  }
  Specs infer(std::span<const Spec> in) const override {
    check(in, form_);
    const Shape& q = in[0].shape;
    return {{DType::float32, {q[0], q[1], q[2], in[2].shape[3]}}};
  }
  Tensors gradient(const Node& node, const Tensors& dy) const override {
    Tensors inputs;
    for (const Value& input : node.inputs) inputs.emplace_back(input);
    inputs.push_back(dy[0]);
    Tensors flowed = apply_all(std::make_shared<AttentionGradient>(form_), inputs, node.where);
    flowed.resize(node.inputs.size());
    return flowed;
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_attention(request, form_);
  }
  double operations(std::span<const Spec> in, std::span<const Spec>) const override {
    return 2 * product_operations(in);
  }

  Arrays reference(std::span<const Array> in) const override {
    const Weights weights(in, form_);
    const Shape& q = in[0].spec.shape;
    const int64_t width = in[2].spec.shape[3];
    Array y({DType::float32, {q[0], q[1], q[2], width}});
    for (int64_t i = 0; i < weights.pairs().elements(); ++i)
      for (int64_t j = 0; j < width; ++j)
        y[weights.query_at(i, width) + j] +=
            weights.weight(i) * weights.factor(i) * in[2][weights.key_at(i, width) + j];
    return {y};
  }

 private:
  AttentionForm form_;
};

}  // namespace

Tensor attention(const Operand& query, const Operand& key, const Operand& value, const Tensor& mask,
                 const AttentionOptions& options) {
  if (!(options.dropout >= 0 && options.dropout < 1))
    throw InvalidArgument(
        fmt::format("attention: dropout is {:g}, expected 0 <= dropout < 1", options.dropout));
  const AttentionForm form{options.scale, options.causal, mask.defined(), options.dropout,
                           options.dropout > 0 ? options.random.stream : 0};
  Tensors inputs = {query.tensor, key.tensor, value.tensor};
  if (mask.defined()) inputs.push_back(mask);
  if (options.dropout > 0)
    for (const Tensor& state : state_inputs(options.random)) inputs.push_back(state);
  return apply(std::make_shared<Attention>(form), inputs, query.where);
}

}  // namespace plimsoll
