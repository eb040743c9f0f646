// Image files to arrays.
#include <nanobind/ndarray.h>

#include "plimsoll/formats/images/encode_jpeg.h"
#include "plimsoll/formats/images/image.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {
namespace {

// (height, width, channels) of uint8.
nb::object array_of(Image image) {
  auto* kept = new Image(std::move(image));
  const nb::capsule owner(kept, [](void* held) noexcept { delete static_cast<Image*>(held); });
  const size_t shape[] = {static_cast<size_t>(kept->height), static_cast<size_t>(kept->width),
                          static_cast<size_t>(kept->channels)};
  return nb::cast(nb::ndarray<nb::numpy, uint8_t>(kept->pixels.data(), 3, shape, owner));
}

using Pixels = nb::ndarray<const uint8_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

nb::bytes jpeg_of(const Pixels& pixels, int quality) {
  const Image image{.height = static_cast<int64_t>(pixels.shape(0)),
                    .width = static_cast<int64_t>(pixels.shape(1)),
                    .channels = static_cast<int64_t>(pixels.shape(2)),
                    .pixels = {pixels.data(), pixels.data() + pixels.size()}};
  const std::string bytes = encode_jpeg(image, quality);
  return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

void bind_images(nb::module_& module) {
  module.def(
      "decode_image",
      [](nb::bytes bytes, const std::string& mode, const std::string& name) {
        const std::span data(static_cast<const std::byte*>(bytes.data()), bytes.size());
        return array_of(decode_image(data, name, color_mode(mode)));
      },
      nb::arg("bytes"), nb::arg("color_mode") = "rgb", nb::arg("name") = "image");
  module.def(
      "read_image",
      [](const std::string& path, const std::string& mode) {
        return array_of(read_image(path, color_mode(mode)));
      },
      nb::arg("path"), nb::arg("color_mode") = "rgb");
  module.def("encode_jpeg", jpeg_of, nb::arg("pixels"), nb::arg("quality"));
}

}  // namespace plimsoll::python
