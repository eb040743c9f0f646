// ShapesOnly: while one is open on this thread, layers are called to learn what comes out of them,
// on stand-ins for shapes that are not known. What they record is never computed, so a layer that
// keeps state between calls leaves it alone.
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
