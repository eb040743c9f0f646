// The activations of recurrent cells, and the walk over the units of a row.
#if defined(PLIMSOLL_KERNELS_RECURRENT_ACTIVATIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIMSOLL_KERNELS_RECURRENT_ACTIVATIONS_INL_H_
#undef PLIMSOLL_KERNELS_RECURRENT_ACTIVATIONS_INL_H_
#else
#define PLIMSOLL_KERNELS_RECURRENT_ACTIVATIONS_INL_H_
#endif

#include <hwy/highway.h>

#include "plimsoll/kernels/elementwise/vector_math-inl.h"
#include "plimsoll/kernels/recurrent/recurrent_cells.h"
#include "plimsoll/kernels/row_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

// exp(x) = scale (1 + minus_one), for -87 <= x <= 88, or NaN: no power of two leaves the floats.
struct ScaledExp {
  RowVector scale, minus_one;

  HWY_INLINE explicit ScaledExp(RowVector x) {
    const RowTag d;
    const hn::RebindToSigned<RowTag> di;
    const ReducedExp<RowTag> reduced(d, x);
    minus_one = reduced.minus_one;
    const auto exponent = hn::Add(hn::ShiftLeft<23>(reduced.power), hn::Set(di, 127 << 23));
    scale = hn::BitCast(d, exponent);
  }
};

// A few units in the last place from the exact ones, as those of vector_math-inl.h, and in two
// thirds of their time: gates need neither denormals nor the sign of zero.
HWY_INLINE RowVector cell_sigmoid(RowVector x) {
  const RowTag d;
  const RowVector one = hn::Set(d, 1.0f);
  const ScaledExp e(at_most(d, at_least(d, hn::Neg(x), -87.0f), 88.0f));
  return hn::Div(one, hn::MulAdd(e.scale, e.minus_one, hn::Add(e.scale, one)));
}

HWY_INLINE RowVector cell_tanh(RowVector x) {
  const RowTag d;
  const RowVector bounded = at_most(d, at_least(d, x, -10.0f), 10.0f);
  const ScaledExp e(hn::Add(bounded, bounded));
  const RowVector expm1 = hn::MulAdd(e.scale, e.minus_one, hn::Sub(e.scale, hn::Set(d, 1.0f)));
  return hn::Div(expm1, hn::Add(expm1, hn::Set(d, 2.0f)));
}

// Each has value(x), and slope(y) where y is the value.
struct TanhActivation {
  HWY_INLINE RowVector value(RowVector x) const { return cell_tanh(x); }
  HWY_INLINE RowVector slope(RowVector y) const {
    return hn::NegMulAdd(y, y, hn::Set(RowTag(), 1.0f));
  }
};

struct SigmoidActivation {
  HWY_INLINE RowVector value(RowVector x) const { return cell_sigmoid(x); }
  HWY_INLINE RowVector slope(RowVector y) const { return hn::NegMulAdd(y, y, y); }
};

struct AnyActivation {
  CellActivation kind;

  HWY_INLINE RowVector value(RowVector x) const {
    const RowTag d;
    switch (kind) {
      case CellActivation::linear:
        return x;
      case CellActivation::relu:
        return at_least(d, x, 0.0f);
      case CellActivation::hard_sigmoid:
        return hard_sigmoid(x);
      case CellActivation::sigmoid:
        return vector_sigmoid(d, x);
      case CellActivation::tanh:
        break;
    }
    return cell_tanh(x);
  }

  HWY_INLINE RowVector slope(RowVector y) const {
    const RowTag d;
    const RowVector one = hn::Set(d, 1.0f), zero = hn::Zero(d);
    switch (kind) {
      case CellActivation::linear:
        return one;
      case CellActivation::relu:
        return hn::IfThenElseZero(hn::Gt(y, zero), one);
      case CellActivation::hard_sigmoid:
        return hn::IfThenElseZero(hn::And(hn::Gt(y, zero), hn::Lt(y, one)), hn::Set(d, 1.0f / 6));
      case CellActivation::sigmoid:
        return SigmoidActivation().slope(y);
      case CellActivation::tanh:
        break;
    }
    return TanhActivation().slope(y);
  }

 private:
  static HWY_INLINE RowVector hard_sigmoid(RowVector x) {
    const RowTag d;
    const RowVector shifted = hn::Add(x, hn::Set(d, 3.0f));
    return hn::Mul(at_most(d, at_least(d, shifted, 0.0f), 6.0f), hn::Set(d, 1.0f / 6));
  }
};

// A vector of a row's units that is all there.
struct WholeUnits {
  HWY_INLINE RowVector load(const float* from) const { return hn::LoadU(RowTag(), from); }
  HWY_INLINE void store(RowVector values, float* to) const { hn::StoreU(values, RowTag(), to); }
};

// The last one of a row. Nothing beyond its units is touched.
struct SomeUnits {
  int64_t count;
  HWY_INLINE RowVector load(const float* from) const { return load_lanes(from, count); }
  HWY_INLINE void store(RowVector values, float* to) const { store_lanes(values, to, count); }
};

// Calls step(vector, first unit) over all units of a row.
template <class Step>
HWY_INLINE void for_each_unit(int64_t units, const Step& step) {
  int64_t unit = 0;
  for (; unit + kRowLanes <= units; unit += kRowLanes) step(WholeUnits(), unit);
  if (unit < units) step(SomeUnits{units - unit}, unit);
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
