#include "plimsoll/kernels/elementwise/sign_bits.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/elementwise/sign_bits.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/row_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

// Vectors of fewer lanes than a byte has bits are left to the plain loops.
constexpr bool kWholeBytes = kRowLanes >= 8;

// Of `size` elements; `bits` begins at a byte.
void pack_signs(const float* x, uint8_t* bits, int64_t size) {
  int64_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const RowTag d;
  if constexpr (kWholeBytes)
    for (; i + kRowLanes <= size; i += kRowLanes)
      hn::StoreMaskBits(d, hn::Gt(hn::LoadU(d, x + i), hn::Zero(d)), bits + i / 8);
#endif
  for (; i < size; i += 8) {
    unsigned byte = 0;
    for (int64_t lane = 0; lane < 8 && i + lane < size; ++lane)
      byte |= static_cast<unsigned>(x[i + lane] > 0) << lane;
    bits[i / 8] = static_cast<uint8_t>(byte);
  }
}

void select_by_bits(const uint8_t* bits, const float* x, float* y, int64_t size) {
  int64_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const RowTag d;
  if constexpr (kWholeBytes)
    for (; i + kRowLanes <= size; i += kRowLanes)
      hn::StoreU(hn::IfThenElseZero(hn::LoadMaskBits(d, bits + i / 8), hn::LoadU(d, x + i)), d,
                 y + i);
#endif
  for (; i < size; ++i) y[i] = ((bits[i / 8] >> (i % 8)) & 1) != 0 ? x[i] : 0;
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {
namespace {

HWY_EXPORT(pack_signs);
HWY_EXPORT(select_by_bits);

constexpr int64_t kGrain = 64 * 1024;  // a multiple of 8: threads share no byte

class SignBits final : public Kernel {
 public:
  explicit SignBits(int64_t size) : size_(size) {}
  void run(const KernelArguments& arguments) const override {
    const float* x = arguments.input(0);
    auto* bits = arguments.output<uint8_t>(0);
    parallel_for(size_, kGrain, [&](int64_t begin, int64_t end) {
      HWY_DYNAMIC_DISPATCH(pack_signs)(x + begin, bits + begin / 8, end - begin);
    });
  }

 private:
  int64_t size_;
};

class SelectByBits final : public Kernel {
 public:
  explicit SelectByBits(int64_t size) : size_(size) {}
  void run(const KernelArguments& arguments) const override {
    const auto* bits = arguments.input<uint8_t>(0);
    const float* x = arguments.input(1);
    float* y = arguments.output(0);
    parallel_for(size_, kGrain, [&](int64_t begin, int64_t end) {
      HWY_DYNAMIC_DISPATCH(select_by_bits)(bits + begin / 8, x + begin, y + begin, end - begin);
    });
  }

 private:
  int64_t size_;
};

}  // namespace

KernelPtr make_sign_bits(const KernelRequest& request) {
  return std::make_unique<SignBits>(request.inputs[0].shape.elements());
}

KernelPtr make_select_by_bits(const KernelRequest& request) {
  return std::make_unique<SelectByBits>(request.inputs[1].shape.elements());
}

}  // namespace plimsoll::kernels
#endif
