#include "plimsoll/data/sources/tar_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/images/image_slot.h"
#include "plimsoll/formats/numpy/npy.h"

namespace plimsoll {
namespace {

constexpr std::string_view kAnyImage = "image";
constexpr std::array<std::string_view, 6> kImages = {"jpg", "jpeg", "png", "webp", "bmp", "gif"};

NpyArray array_in(const TarRecordFile& file, const std::string& name) {
  return NpyArray(memory_source(name, {file.contents.begin(), file.contents.end()}));
}

int32_t label_in(const TarRecordFile& file, const std::string& name) {
  std::string_view text(reinterpret_cast<const char*>(file.contents.data()), file.contents.size());
  const auto is_space = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  int32_t label = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), label);
  if (error != std::errc() || end != text.data() + text.size())
    throw CorruptFile(name + ": expected the number of a class, found '" +
                      std::string(text.substr(0, 40)) + "'");
  return label;
}

}  // namespace

bool is_image_extension(std::string_view extension) {
  return std::ranges::find(kImages, extension) != kImages.end();
}

TarField::TarField(std::string extension, const EncodedImage& image)
    : extension_(std::move(extension)), kind_(kind_of(extension_)), image_(image) {
  const auto [height, width] = image.image_size;
  if (kind_ == Kind::image && (height < 1 || width < 1))
    throw InvalidArgument(fmt::format(
        "tar_source: expected an image_size of 1 or more, found {} x {}", height, width));
}

TarField::Kind TarField::kind_of(const std::string& extension) {
  const std::string_view last = std::string_view(extension).substr(extension.rfind('.') + 1);
  if (extension == kAnyImage || is_image_extension(last)) return Kind::image;
  if (last == "cls") return Kind::label;
  if (last == "npy") return Kind::array;
  throw InvalidArgument("tar_source: nothing reads files that end with '." + extension +
                        "'; images, .cls and .npy are read");
}

const TarRecordFile* TarField::find(const std::vector<TarRecordFile>& files) const {
  const auto found = std::ranges::find_if(files, [&](const TarRecordFile& file) {
    if (extension_ != kAnyImage) return file.extension == extension_;
    return is_image_extension(file.extension);
  });
  return found == files.end() ? nullptr : &*found;
}

Spec TarField::array_spec(const TarRecordFile& file, const std::string& name) const {
  return array_in(file, name).spec();
}

Spec TarField::spec() const {
  if (kind_ == Kind::label) return {DType::int32, {}};
  const auto [height, width] = image_.image_size;
  return {DType::float32, {height, width, channels_of(image_.color_mode)}};
}

void TarField::read(const TarRecordFile& file, const std::string& name, const Spec& spec,
                    std::byte* into) const {
  if (kind_ == Kind::image) {
    decode_into_slot(file.contents, name,
                     {.resize = {.size = image_.image_size},
                      .color_mode = image_.color_mode,
                      .limits = image_.limits},
                     into);
  } else if (kind_ == Kind::label) {
    const int32_t label = label_in(file, name);
    std::memcpy(into, &label, sizeof label);
  } else {
    const NpyArray array = array_in(file, name);
    if (array.spec() != spec)
      throw CorruptFile(name + ": expected " + spec.to_string() +
                        " as in the first record, found " + array.spec().to_string());
    array.read_rows(0, array.rows(), into);
  }
}

}  // namespace plimsoll
