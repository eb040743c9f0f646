#include "plimsoll/kernels/normalization/channel_piece_sums.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/normalization/channel_piece_sums.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/kernels/gemm/lane_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

template <class D>
HWY_INLINE void add_lanes(D d, hn::Vec<D> values, double* sums) {
  HWY_ALIGN float lanes[8];
  hn::Store(values, d, lanes);
  for (size_t i = 0; i < hn::Lanes(d); ++i) sums[i] += static_cast<double>(lanes[i]);
}

// Four sums over every fourth row, so that the adder is kept busy; add(accumulator, row) adds one.
template <class Sum, class Add, class Finish>
HWY_INLINE void sum_rows(int64_t rows, const Sum& zero, const Add& add, const Finish& finish) {
  Sum sum0 = zero, sum1 = zero, sum2 = zero, sum3 = zero;
  int64_t row = 0;
  for (; row + 4 <= rows; row += 4) {
    add(sum0, row);
    add(sum1, row + 1);
    add(sum2, row + 2);
    add(sum3, row + 3);
  }
  for (; row < rows; ++row) add(sum0, row);
  finish(sum0, sum1, sum2, sum3);
}

void sums_of_piece(const float* a, int64_t rows, int64_t lanes, double* sums) {
  for_each_vector(lanes, [&](auto d, int64_t lane) HWY_ATTR {
    using V = hn::Vec<decltype(d)>;
    sum_rows<V>(
        rows, hn::Zero(d),
        [&](V& sum, int64_t row)
            HWY_ATTR { sum = hn::Add(sum, hn::LoadU(d, a + row * lanes + lane)); },
        [&](V s0, V s1, V s2, V s3)
            HWY_ATTR { add_lanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), sums + lane); });
  });
}

void squared_differences_of_piece(const float* a, const float* center, int64_t rows, int64_t lanes,
                                  double* sums) {
  for_each_vector(lanes, [&](auto d, int64_t lane) HWY_ATTR {
    using V = hn::Vec<decltype(d)>;
    const V middle = hn::LoadU(d, center + lane);
    sum_rows<V>(
        rows, hn::Zero(d),
        [&](V& sum, int64_t row) HWY_ATTR {
          const V difference = hn::Sub(hn::LoadU(d, a + row * lanes + lane), middle);
          sum = hn::MulAdd(difference, difference, sum);
        },
        [&](V s0, V s1, V s2, V s3)
            HWY_ATTR { add_lanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), sums + lane); });
  });
}

template <class V>
struct TwoSums {
  V sum, products;
};

void products_of_piece(const float* a, const float* b, const float* center, int64_t rows,
                       int64_t lanes, double* sums, double* products) {
  for_each_vector(lanes, [&](auto d, int64_t lane) HWY_ATTR {
    using V = hn::Vec<decltype(d)>;
    using Two = TwoSums<V>;
    const V middle = hn::LoadU(d, center + lane);
    sum_rows<Two>(
        rows, Two{hn::Zero(d), hn::Zero(d)},
        [&](Two& two, int64_t row) HWY_ATTR {
          const int64_t at = row * lanes + lane;
          const V factor = hn::LoadU(d, a + at);
          two.sum = hn::Add(two.sum, factor);
          two.products = hn::MulAdd(factor, hn::Sub(hn::LoadU(d, b + at), middle), two.products);
        },
        [&](const Two& s0, const Two& s1, const Two& s2, const Two& s3) HWY_ATTR {
          add_lanes(d, hn::Add(hn::Add(s0.sum, s1.sum), hn::Add(s2.sum, s3.sum)), sums + lane);
          add_lanes(d,
                    hn::Add(hn::Add(s0.products, s1.products), hn::Add(s2.products, s3.products)),
                    products + lane);
        });
  });
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {

HWY_EXPORT(sums_of_piece);
HWY_EXPORT(squared_differences_of_piece);
HWY_EXPORT(products_of_piece);

void add_piece(const float* a, int64_t rows, int64_t lanes, double* sums) {
  HWY_DYNAMIC_DISPATCH(sums_of_piece)(a, rows, lanes, sums);
}

void add_piece_squared_differences(const float* a, const float* center, int64_t rows, int64_t lanes,
                                   double* sums) {
  HWY_DYNAMIC_DISPATCH(squared_differences_of_piece)(a, center, rows, lanes, sums);
}

void add_piece_products(const float* a, const float* b, const float* center, int64_t rows,
                        int64_t lanes, double* sums, double* products) {
  HWY_DYNAMIC_DISPATCH(products_of_piece)(a, b, center, rows, lanes, sums, products);
}

}  // namespace plimsoll::kernels
#endif
