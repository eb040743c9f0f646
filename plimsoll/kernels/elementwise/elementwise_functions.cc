#include "plimsoll/kernels/elementwise/elementwise_functions.h"

#include <cmath>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/elementwise/elementwise_functions.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/kernels/elementwise/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {
namespace {

using Float = hn::ScalableTag<float>;
using Floats = hn::Vec<Float>;
constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(Float()));
static_assert(kLanes <= kScalarFloats);

// target[i] = body(operands[i]) for each vector of the tile; the last, incomplete one goes through
// a buffer, so nothing beyond `count` is touched.
template <int kOperands, class Body>
HWY_INLINE void for_each_vector(int64_t count, const TileArguments& tile, Body body) {
  const Float d;
  // These are copies, because as far as the compiler knows a store of a vector might change `tile`.
  TileOperand operands[kOperands];
  for (int k = 0; k < kOperands; ++k) operands[k] = tile.operands[k];
  float* const target = tile.target;
  Floats x[kOperands];
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int k = 0; k < kOperands; ++k)
      x[k] = hn::LoadU(d, operands[k].values + (i & operands[k].index_mask));
    hn::StoreU(body(x), d, target + i);
  }
  if (i == count) return;
  const size_t rest = static_cast<size_t>(count - i) * sizeof(float);
  HWY_ALIGN float lanes[kLanes] = {};
  for (int k = 0; k < kOperands; ++k) {
    std::memcpy(lanes, operands[k].values + (i & operands[k].index_mask), rest);
    x[k] = hn::Load(d, lanes);
  }
  hn::Store(body(x), d, lanes);
  std::memcpy(target + i, lanes, rest);
}

template <Floats (*kCompute)(Floats)>
void unary(int64_t count, const TileArguments& tile) {
  for_each_vector<1>(count, tile, [](const Floats* x) HWY_ATTR { return kCompute(x[0]); });
}
template <Floats (*kCompute)(Floats, Floats)>
void binary(int64_t count, const TileArguments& tile) {
  for_each_vector<2>(count, tile, [](const Floats* x) HWY_ATTR { return kCompute(x[0], x[1]); });
}
template <hn::Mask<Float> (*kCompare)(Floats, Floats)>
void comparison(int64_t count, const TileArguments& tile) {
  for_each_vector<2>(count, tile, [](const Floats* x) HWY_ATTR {
    return hn::IfThenElseZero(kCompare(x[0], x[1]), hn::Set(Float(), 1.0f));
  });
}

HWY_INLINE Floats zero() {
  return hn::Zero(Float());
}
HWY_INLINE Floats one() {
  return hn::Set(Float(), 1.0f);
}

HWY_INLINE Floats copy(Floats x) {
  return x;
}
HWY_INLINE Floats negative(Floats x) {
  return hn::Neg(x);
}
HWY_INLINE Floats absolute(Floats x) {
  return hn::Abs(x);
}
// NaN and zeros stay what they are.
HWY_INLINE Floats sign(Floats x) {
  const auto nonzero = hn::Or(hn::Lt(x, zero()), hn::Gt(x, zero()));
  return hn::IfThenElse(nonzero, hn::CopySign(one(), x), x);
}
HWY_INLINE Floats square(Floats x) {
  return hn::Mul(x, x);
}
HWY_INLINE Floats square_root(Floats x) {
  return hn::Sqrt(x);
}
HWY_INLINE Floats reciprocal_root(Floats x) {
  return hn::Div(one(), hn::Sqrt(x));
}
HWY_INLINE Floats reciprocal(Floats x) {
  return hn::Div(one(), x);
}
HWY_INLINE Floats exponential(Floats x) {
  return vector_exp(Float(), x);
}
HWY_INLINE Floats exponential_minus_one(Floats x) {
  return vector_expm1(Float(), x);
}
HWY_INLINE Floats logarithm(Floats x) {
  return vector_log(Float(), x);
}
HWY_INLINE Floats logarithm_plus_one(Floats x) {
  return vector_log1p(Float(), x);
}
HWY_INLINE Floats sine(Floats x) {
  return vector_sin(Float(), x);
}
HWY_INLINE Floats cosine(Floats x) {
  return vector_cos(Float(), x);
}
HWY_INLINE Floats hyperbolic_tangent(Floats x) {
  return vector_tanh(Float(), x);
}
HWY_INLINE Floats sigmoid(Floats x) {
  return vector_sigmoid(Float(), x);
}
HWY_INLINE Floats softplus(Floats x) {
  return vector_softplus(Float(), x);
}
HWY_INLINE Floats error_function(Floats x) {
  return vector_erf(Float(), x);
}
HWY_INLINE Floats relu(Floats x) {
  return hn::IfThenZeroElse(hn::Lt(x, zero()), x);
}
// Highway's rounding drops the sign of zero on some targets.
HWY_INLINE Floats floor_of(Floats x) {
  return hn::IfThenElse(hn::Eq(x, zero()), x, hn::Floor(x));
}
HWY_INLINE Floats ceil_of(Floats x) {
  return hn::CopySign(hn::Ceil(x), x);
}
HWY_INLINE Floats round_of(Floats x) {
  return hn::CopySign(hn::Round(x), x);
}
HWY_INLINE Floats is_nonzero(Floats x) {
  return hn::IfThenZeroElse(hn::Eq(x, zero()), one());
}
HWY_INLINE Floats logical_not(Floats x) {
  return hn::IfThenElseZero(hn::Eq(x, zero()), one());
}

HWY_INLINE Floats add(Floats a, Floats b) {
  return hn::Add(a, b);
}
HWY_INLINE Floats subtract(Floats a, Floats b) {
  return hn::Sub(a, b);
}
HWY_INLINE Floats multiply(Floats a, Floats b) {
  return hn::Mul(a, b);
}
HWY_INLINE Floats divide(Floats a, Floats b) {
  return hn::Div(a, b);
}
// A NaN on either side is the result.
HWY_INLINE Floats maximum(Floats a, Floats b) {
  return hn::IfThenElse(hn::Or(hn::Gt(a, b), hn::IsNaN(a)), a, b);
}
HWY_INLINE Floats minimum(Floats a, Floats b) {
  return hn::IfThenElse(hn::Or(hn::Lt(a, b), hn::IsNaN(a)), a, b);
}
HWY_INLINE Floats relu_gradient(Floats y, Floats dy) {
  return hn::IfThenElseZero(hn::Gt(y, zero()), dy);
}

using Truth = hn::Mask<Float>;
HWY_INLINE Truth equal(Floats a, Floats b) {
  return hn::Eq(a, b);
}
// A NaN differs from everything, itself included; hn::Ne says the opposite on some processors.
HWY_INLINE Truth not_equal(Floats a, Floats b) {
  return hn::Not(hn::Eq(a, b));
}
HWY_INLINE Truth less(Floats a, Floats b) {
  return hn::Lt(a, b);
}
HWY_INLINE Truth less_equal(Floats a, Floats b) {
  return hn::Le(a, b);
}
HWY_INLINE Truth greater(Floats a, Floats b) {
  return hn::Gt(a, b);
}
HWY_INLINE Truth greater_equal(Floats a, Floats b) {
  return hn::Ge(a, b);
}
HWY_INLINE Truth logical_and(Floats a, Floats b) {
  return hn::And(not_equal(a, zero()), not_equal(b, zero()));
}
HWY_INLINE Truth logical_or(Floats a, Floats b) {
  return hn::Or(not_equal(a, zero()), not_equal(b, zero()));
}

void clip(int64_t count, const TileArguments& tile) {
  const Float d;
  const Floats low = hn::Set(d, tile.constants[0]), high = hn::Set(d, tile.constants[1]);
  for_each_vector<1>(count, tile, [low, high](const Floats* x) HWY_ATTR {
    const Floats raised = hn::IfThenElse(hn::Lt(x[0], low), low, x[0]);
    return hn::IfThenElse(hn::Gt(raised, high), high, raised);
  });
}

void select(int64_t count, const TileArguments& tile) {
  for_each_vector<3>(count, tile, [](const Floats* x) HWY_ATTR {
    return hn::IfThenElse(hn::Eq(x[0], zero()), x[2], x[1]);
  });
}

void power(int64_t count, const TileArguments& tile) {
  const auto [a, b, unused] = tile.operands;
  for (int64_t i = 0; i < count; ++i)
    tile.target[i] = std::pow(a.values[i & a.index_mask], b.values[i & b.index_mask]);
}

constexpr TileFunction kFunctions[] = {
    unary<copy>,
    unary<negative>,
    unary<absolute>,
    unary<sign>,
    unary<square>,
    unary<square_root>,
    unary<reciprocal_root>,
    unary<reciprocal>,
    unary<exponential>,
    unary<exponential_minus_one>,
    unary<logarithm>,
    unary<logarithm_plus_one>,
    unary<sine>,
    unary<cosine>,
    unary<hyperbolic_tangent>,
    unary<sigmoid>,
    unary<softplus>,
    unary<error_function>,
    unary<relu>,
    unary<floor_of>,
    unary<ceil_of>,
    unary<round_of>,
    unary<is_nonzero>,
    unary<logical_not>,
    clip,
    binary<add>,
    binary<subtract>,
    binary<multiply>,
    binary<divide>,
    power,
    binary<maximum>,
    binary<minimum>,
    binary<relu_gradient>,
    comparison<equal>,
    comparison<not_equal>,
    comparison<less>,
    comparison<less_equal>,
    comparison<greater>,
    comparison<greater_equal>,
    comparison<logical_and>,
    comparison<logical_or>,
    select,
};
static_assert(sizeof kFunctions / sizeof kFunctions[0] == kFunctionCount);

void load_bytes(const std::byte* from, int64_t count, float* to) {
  const Float d;
  const hn::Rebind<int32_t, Float> integers;
  const hn::Rebind<uint8_t, Float> bytes;
  const auto* source = reinterpret_cast<const uint8_t*>(from);
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    hn::StoreU(hn::ConvertTo(d, hn::PromoteTo(integers, hn::LoadU(bytes, source + i))), d, to + i);
  for (; i < count; ++i) to[i] = source[i];
}

template <class T>
void load(const std::byte* from, int64_t count, float* to) {
  const T* source = reinterpret_cast<const T*>(from);
  for (int64_t i = 0; i < count; ++i) to[i] = static_cast<float>(source[i]);
}

}  // namespace

TileFunction function_of(Function function) {
  return kFunctions[static_cast<size_t>(function)];
}

TileLoad load_of(DType dtype) {
  switch (dtype) {
    case DType::int32:
      return load<int32_t>;
    case DType::int64:
      return load<int64_t>;
    case DType::uint8:
    case DType::boolean:
      return load_bytes;
    default:
      return load<float>;
  }
}

void store_boolean(TileOperand from, int64_t count, uint8_t* to) {
  const Float d;
  const hn::Rebind<int32_t, Float> integers;
  const hn::Rebind<uint8_t, Float> bytes;
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Floats truth = hn::LoadU(d, from.values + (i & from.index_mask));
    hn::StoreU(hn::DemoteTo(bytes, hn::ConvertTo(integers, truth)), bytes, to + i);
  }
  for (; i < count; ++i) to[i] = from.values[i & from.index_mask] != 0;
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {

HWY_EXPORT(function_of);
HWY_EXPORT(load_of);
HWY_EXPORT(store_boolean);

TileFunction tile_function(Function function) {
  return HWY_DYNAMIC_DISPATCH(function_of)(function);
}

TileLoad tile_load(DType dtype) {
  return HWY_DYNAMIC_DISPATCH(load_of)(dtype);
}

TileStore tile_store_boolean() {
  return HWY_DYNAMIC_DISPATCH(store_boolean);
}

}  // namespace plimsoll::kernels
#endif
