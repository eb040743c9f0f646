#include "plimsoll/data/resize_rows.h"

#include "plimsoll/base/error.h"

namespace plimsoll {

Interpolation interpolation(const std::string& name) {
  if (name == "nearest") return Interpolation::nearest;
  if (name == "bilinear") return Interpolation::bilinear;
  if (name == "area") return Interpolation::area;
  throw InvalidArgument("interpolation: expected nearest, bilinear or area, found '" + name + "'");
}

std::unique_ptr<ResizeRows> resize_rows(Interpolation interpolation, const ResizeProblem& problem) {
  switch (interpolation) {
    case Interpolation::nearest:
      return resize_nearest_rows(problem);
    case Interpolation::area:
      return resize_area_rows(problem);
    case Interpolation::bilinear:
      break;
  }
  return resize_bilinear_rows(problem);
}

}  // namespace plimsoll
