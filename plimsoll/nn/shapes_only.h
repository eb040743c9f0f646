// ShapesOnly: while one is open on this thread, layers are called only to learn the shapes of their
// outputs, with placeholder sizes for unknown dimensions. What they record is never computed, so a
// layer that keeps state between calls does not change it.
#pragma once

namespace plimsoll {

class ShapesOnly {
 public:
  ShapesOnly();
  ~ShapesOnly();
  ShapesOnly(const ShapesOnly&) = delete;
  ShapesOnly& operator=(const ShapesOnly&) = delete;

  static bool is_open();
};

}  // namespace plimsoll
