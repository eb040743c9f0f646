// Tensor: a handle to a value of the graph, computed when it is asked for. Copying a handle is
// cheap; handles that a program keeps are counted by the source line that made them. Any thread may
// use, copy and free handles; one handle is used by one thread at a time.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "plimsoll/graph/place.h"
#include "plimsoll/graph/value.h"
#include "plimsoll/tensor/spec.h"
#include "plimsoll/tensor/storage.h"

namespace plimsoll {

class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(Value value);
  Tensor(const Tensor&);
  Tensor(Tensor&&) noexcept;
  Tensor& operator=(Tensor) noexcept;
  ~Tensor();

  bool defined() const { return value_.node != nullptr; }
  const Spec& spec() const;
  const Shape& shape() const { return spec().shape; }
  DType dtype() const { return spec().dtype; }
  int rank() const { return shape().rank(); }
  const Value& value() const { return value_; }

  // Which of its steps count, (batch, steps) of bool; undefined if all do. A layer sets the mask,
  // and the next layers and the loss read it; no op does.
  Tensor mask() const;
  void set_mask(const Tensor& mask) const;

  // Evaluates if pending. The bytes are row-major and stay valid while a handle lives.
  const std::byte* data() const;
  // The only element of a tensor of one element, whatever its dtype.
  double item() const;
  // Every element, row-major; T must be the tensor's element type.
  template <class T = float>
  std::vector<T> to_vector() const;

 private:
  Value value_;
};

using Tensors = std::vector<Tensor>;

// Leaves with data. `constant` copies; `wrap` shares the storage, whose bytes must not change while
// the tensor lives. Kernels read inputs that are aligned to their elements, as arrays of C++ and
// NumPy are; a foreign block that is aligned to less is copied.
Tensor constant(std::span<const float> values, const Shape& shape, Place where = Place::here());
Tensor constant(std::span<const int32_t> values, const Shape& shape, Place where = Place::here());
Tensor constant(std::span<const int64_t> values, const Shape& shape, Place where = Place::here());
Tensor constant(std::span<const uint8_t> values, const Shape& shape, Place where = Place::here());
Tensor scalar(double value, DType dtype = DType::float32, Place where = Place::here());
Tensor wrap(StoragePtr storage, const Spec& spec, Place where = Place::here());

// A leaf that is bound to bytes when a compiled step runs.
Tensor placeholder(const Spec& spec, Place where = Place::here());

// Computes the tensors, and whatever assignments are pending, in one planned step. Defined in
// engine.
void evaluate(std::span<const Tensor> tensors);

}  // namespace plimsoll
