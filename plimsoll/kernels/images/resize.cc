#include "plimsoll/kernels/images/resize.h"

#include <algorithm>

#include "plimsoll/base/threads.h"

namespace plimsoll::kernels {
namespace {

constexpr int64_t kGrainFloats = 1 << 14;

// y = weight * x, or y += weight * x.
void scale(const float* x, float weight, int64_t count, float* y) {
  if (weight == 1)
    std::copy_n(x, count, y);
  else
    for (int64_t i = 0; i < count; ++i) y[i] = weight * x[i];
}
void add_scaled(const float* x, float weight, int64_t count, float* y) {
  for (int64_t i = 0; i < count; ++i) y[i] += weight * x[i];
}

// Sums the rows first, into a buffer, unless there is only one; then columns of pixels.
class Resize final : public Kernel {
 public:
  Resize(const ResizeAxis& rows, const ResizeAxis& columns, const Shape& x, Layout layout)
      : rows_(rows), columns_(columns) {
    const bool plain = layout.is_plain();
    lanes_ = plain ? x[3] : layout.channel_block;
    planes_ = lanes_ == 0 ? 0 : plain ? x[0] : x[0] * (x[3] / layout.channel_block);
    const int64_t row_floats = std::max<int64_t>(columns_.outputs() * lanes_, 1);
    grain_ = kGrainFloats / row_floats + 1;
    parts_ = std::clamp<int64_t>(planes_ * rows_.outputs() / grain_, 1, thread_count());
  }

  int64_t scratch_bytes() const override {
    return parts_ * buffer_floats() * int64_t{sizeof(float)};
  }

  void run(const KernelArguments& arguments) const override {
    const float* x = arguments.input(0);
    float* y = arguments.output(0);
    float* buffers = reinterpret_cast<float*>(arguments.scratch);
    const int64_t count = planes_ * rows_.outputs();
    parallel_for(parts_, 1, [&](int64_t begin, int64_t end) {
      for (int64_t part = begin; part < end; ++part)
        for (int64_t i = count * part / parts_; i < count * (part + 1) / parts_; ++i)
          write_row(x + i / rows_.outputs() * rows_.inputs * input_row(), i % rows_.outputs(),
                    buffers + part * buffer_floats(), y + i * columns_.outputs() * lanes_);
    });
  }

 private:
  int64_t input_row() const { return columns_.inputs * lanes_; }
  int64_t buffer_floats() const { return (input_row() + 15) / 16 * 16; }

  void write_row(const float* plane, int64_t row, float* buffer, float* y) const {
    const int64_t first = rows_.starts[static_cast<size_t>(row)];
    const int64_t last = rows_.starts[static_cast<size_t>(row) + 1];
    const auto source = [&](int64_t k) {
      return plane + rows_.sources[static_cast<size_t>(k)] * input_row();
    };
    const auto weight = [&](int64_t k) { return rows_.weights[static_cast<size_t>(k)]; };
    if (last - first == 1 && weight(first) == 1) return write_columns(source(first), y);
    if (last == first) std::fill_n(buffer, input_row(), 0.0f);
    for (int64_t k = first; k < last; ++k)
      if (k == first)
        scale(source(k), weight(k), input_row(), buffer);
      else
        add_scaled(source(k), weight(k), input_row(), buffer);
    write_columns(buffer, y);
  }

  void write_columns(const float* x, float* y) const {
    for (int64_t i = 0; i < columns_.outputs(); ++i, y += lanes_) {
      const int64_t first = columns_.starts[static_cast<size_t>(i)];
      const int64_t last = columns_.starts[static_cast<size_t>(i) + 1];
      if (last == first) std::fill_n(y, lanes_, 0.0f);
      for (int64_t k = first; k < last; ++k) {
        const float* from = x + columns_.sources[static_cast<size_t>(k)] * lanes_;
        const float weight = columns_.weights[static_cast<size_t>(k)];
        if (k == first)
          scale(from, weight, lanes_, y);
        else
          add_scaled(from, weight, lanes_, y);
      }
    }
  }

  ResizeAxis rows_, columns_;
  int64_t lanes_ = 0, planes_ = 0;  // channels that lie side by side; images times blocks of them
  int64_t grain_ = 1, parts_ = 1;
};

}  // namespace

ResizeAxis ResizeAxis::transposed() const {
  ResizeAxis turned;
  turned.inputs = outputs();
  std::vector<std::vector<std::pair<int64_t, float>>> readers(static_cast<size_t>(inputs));
  for (int64_t i = 0; i < outputs(); ++i)
    for (int64_t k = starts[static_cast<size_t>(i)]; k < starts[static_cast<size_t>(i) + 1]; ++k)
      readers[static_cast<size_t>(sources[static_cast<size_t>(k)])].emplace_back(
          i, weights[static_cast<size_t>(k)]);
  for (const auto& list : readers) {
    for (const auto& [output, weight] : list) turned.add_source(output, weight);
    turned.add_output();
  }
  return turned;
}

KernelPtr make_resize(const KernelRequest& request, const ResizeAxis& rows,
                      const ResizeAxis& columns) {
  return std::make_unique<Resize>(rows, columns, request.inputs[0].shape, request.input_layouts[0]);
}

}  // namespace plimsoll::kernels
