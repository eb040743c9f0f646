#include <fmt/format.h>

#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/ops/text/text.h"
#include "plimsoll/ops/text/text_hash.h"
#include "plimsoll/ops/text/text_op.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {

template <>
struct AttributeType<HashRule> {
  static void sign(Signature& to, const HashRule& rule) {
    to.add(rule.is_modulo);
    AttributeType<decltype(rule.salt)>::sign(to, rule.salt);
  }
  static std::string text(const HashRule& rule) {
    return AttributeType<decltype(rule.salt)>::text(rule.salt);
  }
  static void change(HashRule& rule) { AttributeType<decltype(rule.salt)>::change(rule.salt); }
};

namespace {

constexpr int64_t kHashGrain = 1024;

void refuse_unless_hashable(const Spec& spec) {
  if (spec.dtype != DType::string && spec.dtype != DType::int64 && spec.dtype != DType::int32)
    throw InvalidArgument("expected strings, int32 or int64, found " + spec.to_string());
}

// Calls with_text(text) or with_number(number) for element i.
template <class Text, class Number>
auto visit_element(const Spec& spec, const std::byte* from, int64_t i, const Text& with_text,
                   const Number& with_number) {
  if (spec.dtype == DType::string) {
    const int64_t slot = slot_bytes(spec);
    return with_text(text_in(from + i * slot, slot));
  }
  return with_number(spec.dtype == DType::int64
                         ? reinterpret_cast<const int64_t*>(from)[i]
                         : int64_t{reinterpret_cast<const int32_t*>(from)[i]});
}

class HashBinsKernel final : public Kernel {
 public:
  HashBinsKernel(const KernelRequest& request, int64_t bins, HashRule rule)
      : spec_(request.inputs[0]),
        count_(request.outputs[0].shape.elements()),
        bins_(bins),
        rule_(std::move(rule)) {}

  void run(const KernelArguments& arguments) const override {
    const auto bin = [this](auto word) { return bin_of(word, bins_, rule_); };
    parallel_for(count_, kHashGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        arguments.output<int64_t>(0)[i] = visit_element(spec_, arguments.inputs[0], i, bin, bin);
    });
  }

 private:
  Spec spec_;
  int64_t count_, bins_;
  HashRule rule_;
};

class HashBins final : public TextOp {
 public:
  HashBins(int64_t bins, HashRule rule) : bins_(bins), rule_(std::move(rule)) {}

  std::string_view name() const override { return "hash_bins"; }
  void describe(Attributes& to) const override {
    const auto& [bins, rule] = *this;
    to.with("bins", bins).with("salt", rule, {});
  }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_hashable(in[0]);
    if (bins_ < 1) throw InvalidArgument(fmt::format("bins must be at least 1, found {}", bins_));
    return {{DType::int64, shape_of_elements(in[0])}};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return std::make_unique<HashBinsKernel>(request, bins_, rule_);
  }
  Arrays reference(std::span<const Array> in) const override {
    Array out(infer(std::span(&in[0].spec, 1))[0]);
    for (int64_t i = 0; i < out.spec.shape.elements(); ++i)
      out[i] = static_cast<double>(
          in[0].spec.dtype == DType::string
              ? bin_of(text_of(in[0], i), bins_, rule_)
              : bin_of(std::to_string(static_cast<int64_t>(in[0][i])), bins_, rule_));
    return {out};
  }

 private:
  int64_t bins_;
  HashRule rule_;
};

// TensorFlow's key, from which a row of fingerprints is joined.
constexpr uint64_t kCrossKey = 0xDECAFCAFFE;

class CrossBinsKernel final : public Kernel {
 public:
  CrossBinsKernel(const KernelRequest& request, int64_t bins)
      : specs_(request.inputs.begin(), request.inputs.end()),
        count_(request.outputs[0].shape.elements()),
        bins_(bins) {}

  void run(const KernelArguments& arguments) const override {
    const auto of_number = [](int64_t number) { return static_cast<uint64_t>(number); };
    parallel_for(count_, kHashGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        uint64_t joined = kCrossKey;
        for (size_t k = 0; k < specs_.size(); ++k)
          joined = joined_fingerprint(
              joined, visit_element(specs_[k], arguments.inputs[k], i, fingerprint64, of_number));
        arguments.output<int64_t>(0)[i] =
            static_cast<int64_t>(joined % static_cast<uint64_t>(bins_));
      }
    });
  }

 private:
  Specs specs_;
  int64_t count_, bins_;
};

class CrossBins final : public TextOp {
 public:
  explicit CrossBins(int64_t bins) : bins_(bins) {}

  std::string_view name() const override { return "cross_bins"; }
  void describe(Attributes& to) const override {
    const auto& [bins] = *this;
    to.with("bins", bins);
  }
  Specs infer(std::span<const Spec> in) const override {
    if (bins_ < 1) throw InvalidArgument(fmt::format("bins must be at least 1, found {}", bins_));
    for (const Spec& spec : in) {
      refuse_unless_hashable(spec);
      if (shape_of_elements(spec) != shape_of_elements(in[0]))
        throw InvalidArgument("expected tensors of one shape, found " + in[0].to_string() +
                              " and " + spec.to_string());
    }
    return {{DType::int64, shape_of_elements(in[0])}};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return std::make_unique<CrossBinsKernel>(request, bins_);
  }
  Arrays reference(std::span<const Array> in) const override {
    Array out({DType::int64, shape_of_elements(in[0].spec)});
    for (int64_t i = 0; i < out.spec.shape.elements(); ++i) {
      uint64_t joined = kCrossKey;
      for (const Array& x : in)
        joined =
            joined_fingerprint(joined, x.spec.dtype == DType::string
                                           ? fingerprint64(text_of(x, i))
                                           : static_cast<uint64_t>(static_cast<int64_t>(x[i])));
      out[i] = static_cast<double>(joined % static_cast<uint64_t>(bins_));
    }
    return {out};
  }

 private:
  int64_t bins_;
};

}  // namespace

Tensor hash_bins(const Operand& x, int64_t bins, const HashRule& rule) {
  return apply(std::make_shared<HashBins>(bins, rule), {x.tensor}, x.where);
}

Tensor cross_bins(const Tensors& x, int64_t bins, Place where) {
  return apply(std::make_shared<CrossBins>(bins), x, where);
}

}  // namespace plimsoll
