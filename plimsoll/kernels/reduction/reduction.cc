#include "plimsoll/kernels/reduction/reduction.h"

#include <algorithm>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/movement/stored_shape.h"
#include "plimsoll/kernels/reduction/reduction_pass.h"

namespace plimsoll::kernels {
namespace {

constexpr int64_t kGrain = 32 * 1024;  // elements that are worth a thread

// One pass with its split. Where there is too little beside the reduced axis to keep threads busy,
// that axis is cut into `parts`, whose results are reduced in order; the cut depends on the shape
// alone, so results do not depend on the number of threads.
template <class T>
class Pass {
 public:
  Pass(Reduction reduction, const ReductionPass& pass) : reduction_(reduction), pass_(pass) {
    constexpr int64_t kMostParts = 64;
    const int64_t elements = pass.outer * pass.reduced * pass.inner;
    if (pass.outer * (pass.inner / kColumns + 1) < kMostParts)
      parts_ = std::max<int64_t>(1, std::min({elements / kGrain, kMostParts, pass.reduced}));
  }

  int64_t scratch_elements() const { return parts_ > 1 ? pass_.outer * parts_ * pass_.inner : 0; }
  int64_t output_elements() const { return pass_.outer * pass_.inner; }

  void run(const T* from, T* to, T* scratch) const {
    if (output_elements() == 0) return;
    if (parts_ == 1) return reduce(from, pass_, 1, to);
    reduce(from, pass_, parts_, scratch);
    reduce(scratch, {pass_.outer, parts_, pass_.inner}, 1, to);
  }

 private:
  static constexpr int64_t kColumns = 512;

  // to[o, part, i] for each part of the reduced axis.
  void reduce(const T* from, const ReductionPass& pass, int64_t parts, T* to) const {
    const int64_t blocks = (pass.inner + kColumns - 1) / kColumns;
    const int64_t work =
        std::max<int64_t>(1, pass.reduced / parts * std::min(pass.inner, kColumns));
    parallel_for(pass.outer * parts * blocks, (kGrain + work - 1) / work,
                 [&](int64_t begin, int64_t end) {
                   for (int64_t i = begin; i < end; ++i)
                     reduce_part(from, pass, parts, i / blocks, i % blocks * kColumns, to);
                 });
  }

  void reduce_part(const T* from, const ReductionPass& pass, int64_t parts, int64_t index,
                   int64_t column, T* to) const {
    const int64_t outer = index / parts, part = index % parts;
    const int64_t first = pass.reduced * part / parts, last = pass.reduced * (part + 1) / parts;
    const T* start = from + (outer * pass.reduced + first) * pass.inner;
    if (pass.inner == 1) {
      to[index] = reduce_row(reduction_, start, last - first);
      return;
    }
    const int64_t columns = std::min(kColumns, pass.inner - column);
    reduce_columns<T>(reduction_, {start + column, last - first, columns, pass.inner},
                      to + index * pass.inner + column);
  }

  Reduction reduction_;
  ReductionPass pass_;
  int64_t parts_ = 1;
};

// Scratch holds the parts of the pass that runs, then the results between passes.
template <class T>
class Reduce final : public Kernel {
 public:
  Reduce(const KernelRequest& request, Reduction reduction, uint32_t axes, double scale)
      : elements_(request.outputs[0].shape.elements()), scale_(scale) {
    const Shape& logical = request.inputs[0].shape;
    const Layout layout = request.input_layouts[0];
    for (const ReductionPass& pass :
         reduction_passes(stored_shape(logical, layout), stored_axes(axes, logical, layout)))
      passes_.emplace_back(reduction, pass);
    if (passes_.empty()) passes_.emplace_back(reduction, ReductionPass{1, 1, elements_});
    for (size_t i = 0; i < passes_.size(); ++i) {
      parts_elements_ = std::max(parts_elements_, aligned(passes_[i].scratch_elements()));
      if (i + 1 < passes_.size()) between_elements_ += aligned(passes_[i].output_elements());
    }
  }

  int64_t scratch_bytes() const override {
    return (parts_elements_ + between_elements_) * static_cast<int64_t>(sizeof(T));
  }

  void run(const KernelArguments& arguments) const override {
    T* const parts = reinterpret_cast<T*>(arguments.scratch);
    T* between = parts + parts_elements_;
    const T* from = arguments.input<T>(0);
    for (size_t i = 0; i < passes_.size(); ++i) {
      const bool last = i + 1 == passes_.size();
      T* const to = last ? arguments.output<T>(0) : between;
      passes_[i].run(from, to, parts);
      between += aligned(passes_[i].output_elements());
      from = to;
    }
    if (scale_ == 1) return;
    for (int64_t i = 0; i < elements_; ++i)
      arguments.output<T>(0)[i] =
          static_cast<T>(static_cast<double>(arguments.output<T>(0)[i]) * scale_);
  }

 private:
  // The axes in the order of memory.
  static uint32_t stored_axes(uint32_t axes, const Shape& shape, Layout layout) {
    uint32_t stored = 0;
    for (int i = 0; i < shape.rank(); ++i)
      if ((axes >> i) & 1) stored |= 1u << stored_axis(i, shape, layout);
    return stored;
  }
  static int64_t aligned(int64_t elements) { return (elements + 15) / 16 * 16; }

  int64_t elements_;
  double scale_;
  std::vector<Pass<T>> passes_;
  int64_t parts_elements_ = 0, between_elements_ = 0;
};

}  // namespace

KernelPtr make_reduction(const KernelRequest& request, Reduction reduction, uint32_t axes,
                         double scale) {
  switch (request.inputs[0].dtype) {
    case DType::int32:
      return std::make_unique<Reduce<int32_t>>(request, reduction, axes, scale);
    case DType::int64:
      return std::make_unique<Reduce<int64_t>>(request, reduction, axes, scale);
    default:
      return std::make_unique<Reduce<float>>(request, reduction, axes, scale);
  }
}

}  // namespace plimsoll::kernels
