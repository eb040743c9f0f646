#include "plimsoll/kernels/reduction/reduction_pass.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/reduction/reduction_pass.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

struct Sum {
  template <class T>
  static constexpr T identity() {
    return 0;
  }
  template <class V>
  HWY_INLINE static V combine(V a, V b) {
    return hn::Add(a, b);
  }
  template <class T>
  HWY_INLINE static T combine_scalars(T a, T b) {
    return a + b;
  }
};

struct Prod {
  template <class T>
  static constexpr T identity() {
    return 1;
  }
  template <class V>
  HWY_INLINE static V combine(V a, V b) {
    return hn::Mul(a, b);
  }
  template <class T>
  HWY_INLINE static T combine_scalars(T a, T b) {
    return a * b;
  }
};

// kSign 1: maximum, -1: minimum. Either operand may be the NaN that is kept.
template <int kSign>
struct Extreme {
  template <class T>
  static constexpr T identity() {
    using Limits = std::numeric_limits<T>;
    if constexpr (Limits::has_infinity) return kSign * -Limits::infinity();
    return kSign > 0 ? Limits::lowest() : Limits::max();
  }
  template <class V>
  HWY_INLINE static V combine(V a, V b) {
    const auto better = kSign > 0 ? hn::Gt(b, a) : hn::Lt(b, a);
    if constexpr (hwy::IsFloat<hn::TFromV<V>>())
      return hn::IfThenElse(hn::Or(better, hn::IsNaN(b)), b, a);
    else
      return hn::IfThenElse(better, b, a);
  }
  template <class T>
  HWY_INLINE static T combine_scalars(T a, T b) {
    return (kSign > 0 ? b > a : b < a) || b != b ? b : a;
  }
};

template <class Rule, class T>
T lanes_of_vector(hn::ScalableTag<T> d, hn::Vec<hn::ScalableTag<T>> v) {
  HWY_ALIGN T lanes[hn::MaxLanes(d)];
  hn::Store(v, d, lanes);
  T result = lanes[0];
  for (size_t i = 1; i < hn::MaxLanes(d); ++i) result = Rule::combine_scalars(result, lanes[i]);
  return result;
}

// Four sums side by side hide the latency of the additions.
template <class Rule, class T>
T reduce_chunk(const T* HWY_RESTRICT from, int64_t size) {
  const hn::ScalableTag<T> d;
  constexpr auto kLanes = static_cast<int64_t>(hn::MaxLanes(d));
  int64_t i = 0;
  T result = Rule::template identity<T>();
  if (size >= 4 * kLanes) {
    auto s0 = hn::LoadU(d, from), s1 = hn::LoadU(d, from + kLanes);
    auto s2 = hn::LoadU(d, from + 2 * kLanes), s3 = hn::LoadU(d, from + 3 * kLanes);
    for (i = 4 * kLanes; i + 4 * kLanes <= size; i += 4 * kLanes) {
      s0 = Rule::combine(s0, hn::LoadU(d, from + i));
      s1 = Rule::combine(s1, hn::LoadU(d, from + i + kLanes));
      s2 = Rule::combine(s2, hn::LoadU(d, from + i + 2 * kLanes));
      s3 = Rule::combine(s3, hn::LoadU(d, from + i + 3 * kLanes));
    }
    for (; i + kLanes <= size; i += kLanes) s0 = Rule::combine(s0, hn::LoadU(d, from + i));
    result =
        lanes_of_vector<Rule, T>(d, Rule::combine(Rule::combine(s0, s1), Rule::combine(s2, s3)));
  }
  for (; i < size; ++i) result = Rule::combine_scalars(result, from[i]);
  return result;
}

template <class Rule, class T>
T reduce_whole_row(const T* from, int64_t size) {
  using Wide = std::conditional_t<std::is_same_v<T, float>, double, T>;
  constexpr int64_t kChunk = 2048;
  Wide result = Rule::template identity<Wide>();
  for (int64_t i = 0; i < size; i += kChunk) {
    const T chunk = reduce_chunk<Rule>(from + i, std::min(kChunk, size - i));
    result = Rule::combine_scalars(result, static_cast<Wide>(chunk));
  }
  return static_cast<T>(result);
}

// to[j] = to[j] combined with the rows' elements j.
template <class Rule, class T>
void add_rows(const T* HWY_RESTRICT from, int64_t rows, int64_t stride, int64_t columns,
              T* HWY_RESTRICT to) {
  const hn::ScalableTag<T> d;
  constexpr auto kLanes = static_cast<int64_t>(hn::MaxLanes(d));
  int64_t r = 0;
  for (; r + 4 <= rows; r += 4, from += 4 * stride) {
    int64_t j = 0;
    for (; j + kLanes <= columns; j += kLanes) {
      const auto low = Rule::combine(hn::LoadU(d, from + j), hn::LoadU(d, from + stride + j));
      const auto high =
          Rule::combine(hn::LoadU(d, from + 2 * stride + j), hn::LoadU(d, from + 3 * stride + j));
      hn::StoreU(Rule::combine(hn::LoadU(d, to + j), Rule::combine(low, high)), d, to + j);
    }
    for (; j < columns; ++j) {
      const T low = Rule::combine_scalars(from[j], from[stride + j]);
      const T high = Rule::combine_scalars(from[2 * stride + j], from[3 * stride + j]);
      to[j] = Rule::combine_scalars(to[j], Rule::combine_scalars(low, high));
    }
  }
  for (; r < rows; ++r, from += stride)
    for (int64_t j = 0; j < columns; ++j) to[j] = Rule::combine_scalars(to[j], from[j]);
}

// Blocks of rows are summed by themselves, then added, so that no sum has many terms.
template <class Rule, class T>
void reduce_column_block(const ReductionPiece<T>& piece, T* HWY_RESTRICT to) {
  constexpr int64_t kRows = 128, kColumns = 512;
  HWY_ALIGN T sums[kColumns];
  for (int64_t j = 0; j < piece.columns; j += kColumns) {
    const int64_t columns = std::min(kColumns, piece.columns - j);
    std::fill_n(to + j, columns, Rule::template identity<T>());
    for (int64_t r = 0; r < piece.rows; r += kRows) {
      std::fill_n(sums, columns, Rule::template identity<T>());
      add_rows<Rule>(piece.from + r * piece.stride + j, std::min(kRows, piece.rows - r),
                     piece.stride, columns, sums);
      for (int64_t i = 0; i < columns; ++i) to[j + i] = Rule::combine_scalars(to[j + i], sums[i]);
    }
  }
}

// Narrow contiguous rows are read as rows of several, which fill the vectors.
template <class Rule, class T>
void reduce_piece(const ReductionPiece<T>& piece, T* HWY_RESTRICT to) {
  constexpr int64_t kWide = 128;
  const int64_t fold = std::min(kWide / std::max<int64_t>(piece.columns, 1), piece.rows);
  if (fold < 2 || piece.stride != piece.columns) return reduce_column_block<Rule>(piece, to);
  T sums[kWide];
  const int64_t width = fold * piece.columns, rows = piece.rows / fold;
  reduce_column_block<Rule>({piece.from, rows, width, width}, sums);
  std::copy_n(sums, piece.columns, to);
  add_rows<Rule>(sums + piece.columns, fold - 1, piece.columns, piece.columns, to);
  add_rows<Rule>(piece.from + rows * width, piece.rows - rows * fold, piece.columns, piece.columns,
                 to);
}

template <class T, class Call>
void with_rule(Reduction reduction, Call&& call) {
  switch (reduction) {
    case Reduction::sum:
      return call(Sum());
    case Reduction::max:
      return call(Extreme<1>());
    case Reduction::min:
      return call(Extreme<-1>());
    case Reduction::prod:
      if constexpr (std::is_same_v<T, float>) return call(Prod());
  }
}

template <class T>
T row(Reduction reduction, const T* from, int64_t size) {
  T result{};
  with_rule<T>(reduction,
               [&](auto rule) { result = reduce_whole_row<decltype(rule)>(from, size); });
  return result;
}

template <class T>
void columns(Reduction reduction, const ReductionPiece<T>& piece, T* to) {
  with_rule<T>(reduction, [&](auto rule) { reduce_piece<decltype(rule)>(piece, to); });
}

// A type cannot be put in parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define PLIMSOLL_REDUCE(T, suffix)                                        \
  T row_##suffix(Reduction r, const T* from, int64_t n) {                 \
    return row(r, from, n);                                               \
  }                                                                       \
  void columns_##suffix(Reduction r, const ReductionPiece<T>& p, T* to) { \
    columns(r, p, to);                                                    \
  }
// NOLINTEND(bugprone-macro-parentheses)

PLIMSOLL_REDUCE(float, float)
PLIMSOLL_REDUCE(int32_t, int32)
PLIMSOLL_REDUCE(int64_t, int64)
#undef PLIMSOLL_REDUCE

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {

// NOLINTBEGIN(bugprone-macro-parentheses)
#define PLIMSOLL_REDUCE(T, suffix)                                             \
  HWY_EXPORT(row_##suffix);                                                    \
  HWY_EXPORT(columns_##suffix);                                                \
  template <>                                                                  \
  T reduce_row<T>(Reduction r, const T* from, int64_t n) {                     \
    return HWY_DYNAMIC_DISPATCH(row_##suffix)(r, from, n);                     \
  }                                                                            \
  template <>                                                                  \
  void reduce_columns<T>(Reduction r, const ReductionPiece<T>& piece, T* to) { \
    HWY_DYNAMIC_DISPATCH(columns_##suffix)(r, piece, to);                      \
  }
// NOLINTEND(bugprone-macro-parentheses)

PLIMSOLL_REDUCE(float, float)
PLIMSOLL_REDUCE(int32_t, int32)
PLIMSOLL_REDUCE(int64_t, int64)
#undef PLIMSOLL_REDUCE

std::vector<ReductionPass> reduction_passes(const Shape& shape, uint32_t axes) {
  std::vector<ReductionPass> passes;
  int64_t inner = 1;
  for (int axis = shape.rank() - 1; axis >= 0;) {
    const bool reduced = (axes >> axis) & 1;
    int64_t size = 1;
    for (; axis >= 0 && (((axes >> axis) & 1) == reduced || shape[axis] == 1); --axis)
      size *= shape[axis];
    if (!reduced)
      inner *= size;
    else if (size != 1)
      passes.push_back({shape.elements(0, axis + 1), size, inner});
  }
  return passes;
}

}  // namespace plimsoll::kernels
#endif
