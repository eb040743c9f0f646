// The dimensions of a tensor: a small value of at most kMaxRank numbers that never allocates.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace plimsoll {

class Shape {
 public:
  static constexpr int kMaxRank = 8;

  Shape() = default;
  Shape(std::initializer_list<int64_t> dims) : Shape(std::span(dims.begin(), dims.size())) {}
  explicit Shape(std::span<const int64_t> dims);

  int rank() const { return rank_; }
  int64_t operator[](int i) const { return dims_[static_cast<size_t>(i)]; }
  int64_t& operator[](int i) { return dims_[static_cast<size_t>(i)]; }
  int64_t back() const { return (*this)[rank_ - 1]; }
  const int64_t* begin() const { return dims_.data(); }
  const int64_t* end() const { return dims_.data() + rank_; }
  std::span<const int64_t> dims() const { return {begin(), end()}; }

  // The product of all dimensions; 1 for a scalar.
  int64_t elements() const;
  // The product of dimensions [from, to).
  int64_t elements(int from, int to) const;

  void push_back(int64_t dim);
  // This shape without dimension `axis` / with `dim` put before it.
  Shape without(int axis) const;
  Shape with(int axis, int64_t dim) const;

  bool operator==(const Shape& other) const;

  // "(32, 28, 28, 1)", as Keras prints it.
  std::string to_string() const;

 private:
  std::array<int64_t, kMaxRank> dims_{};
  int rank_ = 0;
};

// Turns an axis counted from the end (-1 is the last) into one from the start; throws
// InvalidArgument naming `who` when it is not in [-rank, rank).
int normalize_axis(int axis, int rank, const char* who);

// The shape that `a` and `b` broadcast to by NumPy's rule; throws InvalidArgument naming `who` and
// both shapes if they do not broadcast.
Shape broadcast(const Shape& a, const Shape& b, const std::string& who);

}  // namespace plimsoll
