#include "plimsoll/data/images/resize_rows.h"

#include "plimsoll/base/error.h"

namespace plimsoll {

ImageInterpolation image_interpolation(const std::string& name) {
  if (name == "nearest") return ImageInterpolation::nearest;
  if (name == "bilinear") return ImageInterpolation::bilinear;
  if (name == "area") return ImageInterpolation::area;
  throw InvalidArgument("interpolation: expected nearest, bilinear or area, found '" + name + "'");
}

std::unique_ptr<ResizeRows> resize_rows(ImageInterpolation interpolation,
                                        const ResizeProblem& problem) {
  switch (interpolation) {
    case ImageInterpolation::nearest:
      return resize_nearest_rows(problem);
    case ImageInterpolation::area:
      return resize_area_rows(problem);
    case ImageInterpolation::bilinear:
      break;
  }
  return resize_bilinear_rows(problem);
}

}  // namespace plimsoll
