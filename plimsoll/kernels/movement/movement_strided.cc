#include "plimsoll/kernels/movement/movement_strided.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/movement/movement_transpose.h"
#include "plimsoll/tensor/shape.h"

namespace plimsoll::kernels {
namespace {

constexpr int64_t kGrainBytes = 128 * 1024;  // what is worth a thread
constexpr int64_t kBlock = 32;               // of a blocked copy, elements a side

std::vector<StridedAxis> merged(const std::vector<StridedAxis>& axes) {
  std::vector<StridedAxis> result;
  for (const StridedAxis& axis : axes) {
    if (axis.size == 1) continue;
    if (!result.empty() && result.back().from == axis.size * axis.from &&
        result.back().to == axis.size * axis.to)
      result.back() = {result.back().size * axis.size, axis.from, axis.to};
    else
      result.push_back(axis);
  }
  return result;
}

// Walks over the positions of the outer axes in order, from any of them.
class Walk {
 public:
  Walk(const std::vector<StridedAxis>& axes, int64_t index) : axes_(axes) {
    for (size_t i = axes.size(); i-- > 0; index /= axes[i].size) {
      at_[i] = index % axes[i].size;
      from_ += at_[i] * axes[i].from;
      to_ += at_[i] * axes[i].to;
    }
  }

  int64_t from() const { return from_; }
  int64_t to() const { return to_; }

  void next() {
    for (size_t i = axes_.size(); i-- > 0;) {
      from_ += axes_[i].from;
      to_ += axes_[i].to;
      if (++at_[i] < axes_[i].size) return;
      from_ -= axes_[i].size * axes_[i].from;
      to_ -= axes_[i].size * axes_[i].to;
      at_[i] = 0;
    }
  }

 private:
  const std::vector<StridedAxis>& axes_;
  std::array<int64_t, Shape::kMaxRank + 1> at_{};
  int64_t from_ = 0, to_ = 0;
};

template <class T>
void copy_row(const T* from, T* to, const StridedAxis& axis) {
  if (axis.to != 1) {
    for (int64_t i = 0; i < axis.size; ++i) to[i * axis.to] = from[i * axis.from];
  } else if (axis.from == 1) {
    std::memcpy(to, from, static_cast<size_t>(axis.size) * sizeof(T));
  } else if (axis.from == 0) {
    std::fill_n(to, axis.size, *from);
  } else {
    for (int64_t i = 0; i < axis.size; ++i) to[i] = from[i * axis.from];
  }
}

// to[i * to_step + j] = from[j * from_step + i] for i < rows, j < columns.
template <class T>
void transpose_block(const T* from, int64_t from_step, T* to, int64_t to_step, int64_t rows,
                     int64_t columns) {
  if constexpr (sizeof(T) == 4)
    return transpose_words({from, from_step, to, to_step, rows, columns});
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) to[i * to_step + j] = from[j * from_step + i];
}

int64_t product(const std::vector<StridedAxis>& axes) {
  int64_t count = 1;
  for (const StridedAxis& axis : axes) count *= axis.size;
  return count;
}

}  // namespace

StridedCopy::StridedCopy(const std::vector<StridedAxis>& axes, int64_t element_bytes)
    : outer_(merged(axes)), element_bytes_(element_bytes), is_empty_(product(axes) == 0) {
  if (outer_.empty()) outer_.push_back({1, 1, 1});
  along_ = outer_.back();
  outer_.pop_back();
  if (along_.to != 1 || along_.from < 2) return;
  const auto contiguous = std::find_if(outer_.begin(), outer_.end(), [](const StridedAxis& axis) {
    return axis.from == 1 && axis.size >= 4;
  });
  if (contiguous == outer_.end()) return;
  method_ = Method::blocks;
  across_ = *contiguous;
  outer_.erase(contiguous);
}

template <class T>
void StridedCopy::run_rows(const T* from, T* to) const {
  const int64_t row_bytes = along_.size * element_bytes_;
  parallel_for(product(outer_), kGrainBytes / row_bytes + 1, [&](int64_t begin, int64_t end) {
    Walk walk(outer_, begin);
    for (int64_t row = begin; row < end; ++row, walk.next())
      copy_row(from + walk.from(), to + walk.to(), along_);
  });
}

template <class T>
void StridedCopy::run_blocks(const T* from, T* to) const {
  const int64_t strips = (across_.size + kBlock - 1) / kBlock;
  const int64_t strip_bytes = kBlock * along_.size * element_bytes_;
  parallel_for(
      product(outer_) * strips, kGrainBytes / strip_bytes + 1, [&](int64_t begin, int64_t end) {
        for (int64_t strip = begin; strip < end; ++strip) {
          const Walk walk(outer_, strip / strips);
          const int64_t i = strip % strips * kBlock, rows = std::min(kBlock, across_.size - i);
          for (int64_t j = 0; j < along_.size; j += kBlock)
            transpose_block(from + walk.from() + j * along_.from + i, along_.from,
                            to + walk.to() + i * across_.to + j, across_.to, rows,
                            std::min(kBlock, along_.size - j));
        }
      });
}

void StridedCopy::run(const std::byte* from, std::byte* to) const {
  if (is_empty_) return;
  const auto run_as = [&](auto zero) {
    using T = decltype(zero);
    const T* source = reinterpret_cast<const T*>(from);
    T* target = reinterpret_cast<T*>(to);
    method_ == Method::rows ? run_rows(source, target) : run_blocks(source, target);
  };
  if (element_bytes_ == 1) return run_as(uint8_t{});
  if (element_bytes_ == 4) return run_as(uint32_t{});
  run_as(uint64_t{});
}

}  // namespace plimsoll::kernels
