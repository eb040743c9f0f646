#include "plimsoll/kernels/movement/gather.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/base/threads.h"

namespace plimsoll::kernels {
namespace {

// "position 2", or "sample 2, position 7" where each sample has several.
std::string place_of(int64_t i, const Shape& shape) {
  if (shape.rank() < 2) return fmt::format("position {}", i);
  const int64_t each = shape.elements(1, shape.rank());
  return fmt::format("sample {}, position {}", i / each, i % each);
}

template <class Index>
void refuse_bad_indices(const char* who, const Index* indices, const Shape& shape, int64_t rows) {
  for (int64_t i = 0; i < shape.elements(); ++i) {
    if (indices[i] >= 0 && indices[i] < rows) continue;
    throw InvalidArgument(fmt::format("{}: index {} at {} is outside the table of {} rows", who,
                                      indices[i], place_of(i, shape), rows));
  }
}

int64_t row_elements(const Shape& table) {
  return table.elements(1, table.rank());
}

template <class Index>
class Gather final : public Kernel {
 public:
  explicit Gather(const KernelRequest& request)
      : rows_(request.inputs[0].shape[0]),
        row_bytes_(row_elements(request.inputs[0].shape) * size_of(request.inputs[0].dtype)),
        shape_(request.inputs[1].shape),
        count_(shape_.elements()) {}

  void run(const KernelArguments& arguments) const override {
    constexpr int64_t kGrainBytes = 64 * 1024;
    const Index* indices = arguments.input<Index>(1);
    const std::byte* table = arguments.inputs[0];
    std::byte* to = arguments.outputs[0];
    refuse_bad_indices("gather", indices, shape_, rows_);
    parallel_for(count_, kGrainBytes / (row_bytes_ + 1) + 1, [=, this](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        std::memcpy(to + i * row_bytes_, table + indices[i] * row_bytes_,
                    static_cast<size_t>(row_bytes_));
    });
  }

 private:
  int64_t rows_, row_bytes_;
  Shape shape_;  // of the indices
  int64_t count_;
};

// Wide rows are split by columns, which keeps threads equally busy; narrow ones by rows of the
// table, each thread passing over the updates of the others.
template <class Index>
class ScatterAdd final : public Kernel {
 public:
  explicit ScatterAdd(const KernelRequest& request)
      : rows_(request.outputs[0].shape[0]),
        width_(row_elements(request.outputs[0].shape)),
        shape_(request.inputs[1].shape),
        count_(shape_.elements()) {}

  void run(const KernelArguments& arguments) const override {
    constexpr int64_t kGrain = 16 * 1024, kWide = 64;
    const float* updates = arguments.input(0);
    const Index* indices = arguments.input<Index>(1);
    float* table = arguments.output(0);
    refuse_bad_indices("scatter_add", indices, shape_, rows_);
    const int64_t work = std::max(rows_, count_);
    if (width_ >= kWide * thread_count()) {
      const int64_t grain = std::max((kGrain / (work + 1) + 15) / 16 * 16, int64_t{16});
      parallel_for(width_, grain, [=, this](int64_t begin, int64_t end) {
        add(updates, indices, {0, rows_, begin, end}, table);
      });
    } else {
      parallel_for(rows_, kGrain * rows_ / (work * width_ + 1) + 1,
                   [=, this](int64_t begin, int64_t end) {
                     add(updates, indices, {begin, end, 0, width_}, table);
                   });
    }
  }

 private:
  // A part of the table.
  struct Rectangle {
    int64_t first_row, last_row, first_column, last_column;
  };

  void add(const float* updates, const Index* indices, const Rectangle& part, float* table) const {
    const int64_t columns = part.last_column - part.first_column;
    for (int64_t row = part.first_row; row < part.last_row; ++row)
      std::fill_n(table + row * width_ + part.first_column, columns, 0.0f);
    for (int64_t i = 0; i < count_; ++i) {
      const auto row = static_cast<int64_t>(indices[i]);
      if (row < part.first_row || row >= part.last_row) continue;
      float* to = table + row * width_ + part.first_column;
      const float* from = updates + i * width_ + part.first_column;
      for (int64_t j = 0; j < columns; ++j) to[j] += from[j];
    }
  }

  int64_t rows_, width_;
  Shape shape_;  // of the indices
  int64_t count_;
};

template <template <class> class Moved>
KernelPtr make(const KernelRequest& request) {
  if (request.inputs[1].dtype == DType::int64) return std::make_unique<Moved<int64_t>>(request);
  return std::make_unique<Moved<int32_t>>(request);
}

}  // namespace

KernelPtr make_gather(const KernelRequest& request) {
  return make<Gather>(request);
}

KernelPtr make_scatter_add(const KernelRequest& request) {
  return make<ScatterAdd>(request);
}

}  // namespace plimsoll::kernels
