// Functions of a vector of floats. Each is exact to a few units in the last place over all floats,
// denormals included; NaN stays NaN, and infinities, overflow and signed zeros give what the C
// library gives. vector_math_test.cc holds the measured errors.
#if defined(PLIMSOLL_KERNELS_VECTOR_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIMSOLL_KERNELS_VECTOR_MATH_INL_H_
#undef PLIMSOLL_KERNELS_VECTOR_MATH_INL_H_
#else
#define PLIMSOLL_KERNELS_VECTOR_MATH_INL_H_
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <cmath>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// ln(2) in two parts: a multiple of the first by any exponent is exact.
inline constexpr float kLn2High = 0.693359375f;
inline constexpr float kLn2Low = -2.12194440e-4f;

// c[first] + c[first + 2] s + c[first + 4] s^2 + … by Horner's rule.
template <size_t kFirst, class D, class V = hn::Vec<D>, size_t kTerms>
HWY_INLINE V every_second(D d, V s, const float (&c)[kTerms]) {
  if constexpr (kFirst + 2 >= kTerms)
    return hn::Set(d, c[kFirst]);
  else
    return hn::MulAdd(every_second<kFirst + 2>(d, s, c), s, hn::Set(d, c[kFirst]));
}

// c[0] + c[1] x + c[2] x^2 + …, even and odd powers apart: the two chains run side by side.
template <class D, class V = hn::Vec<D>, size_t kTerms>
HWY_INLINE V polynomial(D d, V x, const float (&c)[kTerms]) {
  const V square = hn::Mul(x, x);
  return hn::MulAdd(every_second<1>(d, square, c), x, every_second<0>(d, square, c));
}

// Within [low, high]; NaN stays NaN.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V at_most(D d, V x, float high) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  return hn::Min(hn::Set(d, high), x);  // the second operand, if either is NaN
#else
  return hn::IfThenElse(hn::Gt(x, hn::Set(d, high)), hn::Set(d, high), x);
#endif
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE V at_least(D d, V x, float low) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  return hn::Max(hn::Set(d, low), x);
#else
  return hn::IfThenElse(hn::Lt(x, hn::Set(d, low)), hn::Set(d, low), x);
#endif
}

// x = power * ln(2) + r with |r| <= ln(2) / 2, and exp(r) - 1. For -104 <= x <= 89, or NaN.
template <class D>
struct ReducedExp {
  // The power in its low 22 bits, something else above.
  hn::Vec<hn::RebindToSigned<D>> power;
  hn::Vec<D> minus_one;

  HWY_INLINE ReducedExp(D d, hn::Vec<D> x) {
    // Adding 1.5 * 2^23 rounds to a whole number and leaves it in the low bits.
    const auto magic = hn::Set(d, 0x1.8p23f);
    const auto shifted = hn::MulAdd(x, hn::Set(d, 1.44269504f), magic);
    power = hn::BitCast(hn::RebindToSigned<D>(), shifted);
    const auto whole = hn::Sub(shifted, magic);
    auto r = hn::NegMulAdd(whole, hn::Set(d, kLn2High), x);
    r = hn::NegMulAdd(whole, hn::Set(d, kLn2Low), r);
    // Minimax of (exp(r) - 1 - r) / r^2; 3.4e-9 at most from exp(r).
    constexpr float kTerms[] = {0.5f, 0.166665122f, 0.0416661873f, 0.00836959854f, 0.00139517151f};
    minus_one = hn::MulAdd(hn::Mul(r, r), polynomial(d, r, kTerms), r);
  }
};

// For -104 <= x <= 89, or NaN.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V bounded_exp(D d, V x) {
  const hn::RebindToSigned<D> di;
  const ReducedExp<D> reduced(d, x);
  // 2^power may not be a normal float: half of the power is added to the exponent of exp(r), and
  // the rest multiplied.
  const auto half = hn::ShiftLeft<23>(hn::ShiftRight<1>(reduced.power));
  const auto rest = hn::Sub(hn::ShiftLeft<23>(reduced.power), half);
  const V scale = hn::BitCast(d, hn::Add(rest, hn::Set(di, 127 << 23)));
  const V mantissa = hn::Add(reduced.minus_one, hn::Set(d, 1.0f));
  return hn::Mul(hn::BitCast(d, hn::Add(hn::BitCast(di, mantissa), half)), scale);
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V vector_exp(D d, V x) {
  return bounded_exp(d, at_most(d, at_least(d, x, -104.0f), 89.0f));
}

// For -18 <= x <= 89, or NaN.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V bounded_expm1(D d, V x) {
  const hn::RebindToSigned<D> di;
  const ReducedExp<D> reduced(d, x);
  // 2 (2^(power - 1) exp(r) - 1/2): with 2^power it would overflow too early.
  const auto exponent = hn::Add(hn::ShiftLeft<23>(reduced.power), hn::Set(di, 126 << 23));
  const V scale = hn::BitCast(d, exponent);
  const V result = hn::MulAdd(reduced.minus_one, scale, hn::Sub(scale, hn::Set(d, 0.5f)));
  return hn::Add(result, result);
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V vector_expm1(D d, V x) {
  return hn::CopySign(bounded_expm1(d, at_most(d, at_least(d, x, -18.0f), 89.0f)), x);
}

// ln(x) for x that is normal and positive.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V normal_log(D d, V x, V add_to_exponent) {
  const hn::RebindToSigned<D> di;
  // x = 2^exponent (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)).
  const auto root_half = hn::Set(di, 0x3F3504F3);
  const auto offset = hn::Sub(hn::BitCast(di, x), root_half);
  const auto mantissa = hn::And(offset, hn::Set(di, 0x7FFFFF));
  const V f = hn::Sub(hn::BitCast(d, hn::Add(mantissa, root_half)), hn::Set(d, 1.0f));
  const V exponent = hn::Add(hn::ConvertTo(d, hn::ShiftRight<23>(offset)), add_to_exponent);
  // Minimax of (log(1 + f) - f + f^2 / 2) / f^3; relative error of the logarithm below 8e-10.
  constexpr float kTerms[] = {0.333333135f,  -0.250000089f, 0.200021192f,
                              -0.166679949f, 0.142195493f,  -0.124055944f,
                              0.118881904f,  -0.116756283f, 0.0674655214f};
  const V square = hn::Mul(f, f);
  V small = hn::Mul(hn::Mul(square, f), polynomial(d, f, kTerms));
  small = hn::MulAdd(exponent, hn::Set(d, kLn2Low), small);
  small = hn::NegMulAdd(square, hn::Set(d, 0.5f), small);
  return hn::MulAdd(exponent, hn::Set(d, kLn2High), hn::Add(f, small));
}

// Any x: denormals, 0 (-inf), infinity, and NaN for what is negative or NaN.
template <class D, class V = hn::Vec<D>>
HWY_NOINLINE V special_log(D d, V x) {
  const V zero = hn::Zero(d), infinity = hn::Inf(d);
  const auto denormal = hn::Lt(x, hn::Set(d, std::numeric_limits<float>::min()));
  const V normal = hn::IfThenElse(denormal, hn::Mul(x, hn::Set(d, 0x1p23f)), x);
  const V result = normal_log(d, normal, hn::IfThenElseZero(denormal, hn::Set(d, -23.0f)));
  const V not_a_number = hn::Set(d, std::numeric_limits<float>::quiet_NaN());
  const V special = hn::IfThenElse(hn::Eq(x, zero), hn::Neg(infinity),
                                   hn::IfThenElse(hn::Eq(x, infinity), x, not_a_number));
  return hn::IfThenElse(hn::And(hn::Gt(x, zero), hn::Lt(x, infinity)), result, special);
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V vector_log(D d, V x) {
  using Limits = std::numeric_limits<float>;
  const auto is_normal =
      hn::And(hn::Ge(x, hn::Set(d, Limits::min())), hn::Le(x, hn::Set(d, Limits::max())));
  if (HWY_LIKELY(hn::AllTrue(d, is_normal))) return normal_log(d, x, hn::Zero(d));
  return special_log(d, x);
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V vector_log1p(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  const V sum = hn::Add(one, x);
  // What rounding took from the sum; beyond 2^24 it no longer counts.
  const V lost = hn::Div(hn::Sub(x, hn::Sub(sum, one)), sum);
  const auto counts = hn::And(hn::Lt(x, hn::Set(d, 0x1p24f)), hn::Gt(sum, hn::Zero(d)));
  const V result = hn::Add(vector_log(d, sum), hn::IfThenElseZero(counts, lost));
  return hn::IfThenElse(hn::IsNaN(result), result, hn::CopySign(result, x));
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V vector_tanh(D d, V x) {
  const V magnitude = at_most(d, hn::Abs(x), 10.0f);
  const V e = bounded_expm1(d, hn::Add(magnitude, magnitude));
  return hn::CopySignToAbs(hn::Div(e, hn::Add(e, hn::Set(d, 2.0f))), x);
}

// exp(-|x|), which never overflows.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_of_negative(D d, V x) {
  return bounded_exp(d, at_least(d, hn::Or(x, hn::SignBit(d)), -104.0f));
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V vector_sigmoid(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  const V e = exp_of_negative(d, x);
  const V numerator = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), e, one);
  return hn::Div(numerator, hn::Add(one, e));
}

// log(1 + exp(x))
template <class D, class V = hn::Vec<D>>
HWY_INLINE V vector_softplus(D d, V x) {
  const V positive = hn::IfThenZeroElse(hn::Lt(x, hn::Zero(d)), x);
  return hn::Add(positive, vector_log1p(d, exp_of_negative(d, x)));
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V vector_erf(D d, V x) {
  constexpr float kBorder = 0.921875f;
  const V magnitude = hn::Abs(x);
  // erf(x) = x + x P(x^2) up to the border, minimax to 4e-10.
  constexpr float kSmall[] = {0.128379166f,   -0.376126349f,   0.112836957f,  -0.0268593989f,
                              0.00520103192f, -8.14270286e-4f, 8.37009429e-5f};
  const V small = hn::MulAdd(x, polynomial(d, hn::Mul(x, x), kSmall), x);
  // 1 - exp(Q(|x|)) beyond it, to 1.5e-9; from 4 on the result is 1. The first power of Q is
  // -1.128 |x|, added as -|x| - 0.128 |x| for its rounding.
  constexpr float kLarge[] = {-1.98502996e-4f, -0.12766397f,    -0.637201846f, -0.10391441f,
                              0.0222186502f,   -0.00304114632f, 1.95726505e-4f};
  const V t = at_most(d, magnitude, 4.0f);
  const V exponent = hn::Sub(polynomial(d, t, kLarge), t);  // at least -19
  const V large = hn::CopySign(hn::Sub(hn::Set(d, 1.0f), bounded_exp(d, exponent)), x);
  return hn::IfThenElse(hn::Lt(magnitude, hn::Set(d, kBorder)), small, large);
}

// Each lane by a scalar function.
template <class D, class V = hn::Vec<D>>
V lane_by_lane(D d, V x, float (*function)(float)) {
  HWY_ALIGN float lanes[hn::MaxLanes(d)];
  hn::Store(x, d, lanes);
  for (float& lane : lanes) lane = function(lane);
  return hn::Load(d, lanes);
}

// Highway's reduction of the angle is good up to here.
inline constexpr float kLargestAngle = 39000.0f;

template <class D, class V = hn::Vec<D>>
HWY_INLINE V vector_sin(D d, V x) {
  if (HWY_LIKELY(hn::AllTrue(d, hn::Le(hn::Abs(x), hn::Set(d, kLargestAngle)))))
    return hn::IfThenElse(hn::Eq(x, hn::Zero(d)), x, hn::Sin(d, x));
  return lane_by_lane(d, x, std::sin);
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V vector_cos(D d, V x) {
  if (HWY_LIKELY(hn::AllTrue(d, hn::Le(hn::Abs(x), hn::Set(d, kLargestAngle)))))
    return hn::Cos(d, x);
  return lane_by_lane(d, x, std::cos);
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
