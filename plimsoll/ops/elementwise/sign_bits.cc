#include "plimsoll/ops/elementwise/sign_bits.h"

#include "plimsoll/base/error.h"
#include "plimsoll/kernels/elementwise/sign_bits.h"

namespace plimsoll {
namespace {

int64_t bytes_for(const Spec& x) {
  return (x.shape.elements() + 7) / 8;
}

class SignBits final : public Op {
 public:
  std::string_view name() const override { return "sign_bits"; }
  void describe(Attributes& to) const override { to.none(*this); }
  Specs infer(std::span<const Spec> in) const override {
    if (in[0].dtype != DType::float32)
      throw InvalidArgument("expected float32, found " + in[0].to_string());
    return {{DType::uint8, {bytes_for(in[0])}}};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_sign_bits(request);
  }
  Arrays reference(std::span<const Array> in) const override {
    Array bits({DType::uint8, {bytes_for(in[0].spec)}});
    for (int64_t i = 0; i < in[0].spec.shape.elements(); ++i)
      if (in[0][i] > 0) bits[i / 8] += 1 << (i % 8);
    return {bits};
  }
};

class SelectByBits final : public Op {
 public:
  std::string_view name() const override { return "select_by_bits"; }
  void describe(Attributes& to) const override { to.none(*this); }
  Specs infer(std::span<const Spec> in) const override {
    if (in[0].dtype != DType::uint8 || in[1].dtype != DType::float32 ||
        in[0].shape.elements() != bytes_for(in[1]))
      throw InvalidArgument("expected uint8 with one bit per float32 element, found " +
                            in[0].to_string() + " and " + in[1].to_string());
    return {in[1]};
  }
  std::vector<Overwrite> may_overwrite() const override { return {{1, 0}}; }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_select_by_bits(request);
  }
  Arrays reference(std::span<const Array> in) const override {
    Array y(in[1].spec);
    for (int64_t i = 0; i < y.spec.shape.elements(); ++i)
      if ((static_cast<int>(in[0][i / 8]) >> (i % 8)) & 1) y[i] = in[1][i];
    return {y};
  }
};

}  // namespace

OpPtr sign_bits_op() {
  static const OpPtr op = std::make_shared<SignBits>();
  return op;
}

OpPtr select_by_bits_op() {
  static const OpPtr op = std::make_shared<SelectByBits>();
  return op;
}

}  // namespace plimsoll
