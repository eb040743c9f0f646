// Spec: the element type and shape of a tensor, known before it has a value.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/tensor/dtype.h"
#include "plimsoll/tensor/shape.h"

namespace plimsoll {

struct Spec {
  DType dtype = DType::float32;
  Shape shape;

  int64_t bytes() const { return shape.elements() * size_of(dtype); }
  bool operator==(const Spec&) const = default;
  // "float32 (32, 10)"
  std::string to_string() const { return std::string(name_of(dtype)) + " " + shape.to_string(); }
};

using Specs = std::vector<Spec>;

}  // namespace plimsoll
