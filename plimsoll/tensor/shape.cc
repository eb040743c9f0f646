#include "plimsoll/tensor/shape.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostElements = int64_t{1} << 50;  // so that bytes do not overflow either

[[noreturn]] void refuse_rank(size_t rank) {
  throw InvalidArgument(
      fmt::format("shape: at most {} dimensions are supported, found {}", Shape::kMaxRank, rank));
}

}  // namespace

Shape::Shape(std::span<const int64_t> dims) {
  if (dims.size() > kMaxRank) refuse_rank(dims.size());
  std::copy(dims.begin(), dims.end(), dims_.begin());
  rank_ = static_cast<int>(dims.size());
}

int64_t Shape::elements() const {
  return elements(0, rank_);
}

int64_t Shape::elements(int from, int to) const {
  int64_t product = 1;
  for (int i = from; i < to; ++i)
    if (__builtin_mul_overflow(product, (*this)[i], &product) || product > kMostElements)
      throw InvalidArgument("shape: " + to_string() + " has more elements than any machine holds");
  return product;
}

void Shape::push_back(int64_t dim) {
  if (rank_ == kMaxRank) refuse_rank(kMaxRank + 1);
  dims_[static_cast<size_t>(rank_++)] = dim;
}

Shape Shape::without(int axis) const {
  Shape shape;
  for (int i = 0; i < rank_; ++i)
    if (i != axis) shape.push_back((*this)[i]);
  return shape;
}

Shape Shape::with(int axis, int64_t dim) const {
  Shape shape;
  for (int i = 0; i <= rank_; ++i) {
    if (i == axis) shape.push_back(dim);
    if (i < rank_) shape.push_back((*this)[i]);
  }
  return shape;
}

bool Shape::operator==(const Shape& other) const {
  return std::equal(begin(), end(), other.begin(), other.end());
}

std::string Shape::to_string() const {
  std::string text = "(";
  for (int i = 0; i < rank_; ++i) {
    if (i > 0) text += ", ";
    text += std::to_string((*this)[i]);
  }
  return text + (rank_ == 1 ? ",)" : ")");
}

int normalize_axis(int axis, int rank, const char* who) {
  if (axis < -rank || axis >= rank)
    throw InvalidArgument(
        fmt::format("{}: axis {} is outside a tensor of rank {}", who, axis, rank));
  return axis < 0 ? axis + rank : axis;
}

Shape broadcast(const Shape& a, const Shape& b, const std::string& who) {
  Shape result;
  const int rank = std::max(a.rank(), b.rank());
  for (int i = 0; i < rank; ++i) {
    const int ia = i - (rank - a.rank()), ib = i - (rank - b.rank());
    const int64_t da = ia < 0 ? 1 : a[ia], db = ib < 0 ? 1 : b[ib];
    if (da != db && da != 1 && db != 1)
      throw InvalidArgument(who + ": shapes " + a.to_string() + " and " + b.to_string() +
                            " do not broadcast");
    result.push_back(da == 1 ? db : da);
  }
  return result;
}

}  // namespace plimsoll
