// How a pixel between pixels gets its value.
#pragma once

#include <string_view>

namespace plimsoll {

enum class Interpolation { nearest, bilinear, bicubic, lanczos3, lanczos5 };

std::string_view name_of(Interpolation interpolation);
// By Keras's name; InvalidArgument lists the known names.
Interpolation interpolation_of(std::string_view name);

}  // namespace plimsoll
