#include "plimsoll/data/sources/feature_value.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "plimsoll/base/error.h"
#include "plimsoll/data/images/image_slot.h"

namespace plimsoll {
namespace {

using Kind = TfFeature::Kind;

class FeatureWriter {
 public:
  FeatureWriter(const FeatureField& field, const TfFeature& feature, const std::string& name,
                std::byte* into)
      : field_(field),
        feature_(feature),
        name_(name),
        into_(into),
        wanted_(field.shape.elements()) {}

  void write() const {
    if (feature_.kind == Kind::none) return write_missing();
    if (field_.image || field_.raw) {
      if (feature_.kind != Kind::bytes) refuse_kind("bytes");
      const auto bytes = only_bytes();
      return field_.image ? write_image(bytes) : write_raw(bytes);
    }
    if (feature_.kind == Kind::bytes)
      refuse_kind("numbers (say how the bytes are to be decoded, raw or as an image)");
    if (feature_.kind == Kind::floats && field_.dtype != DType::float32)
      refuse_kind("integers for " + std::string(name_of(field_.dtype)));
    write_numbers();
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw CorruptFile(name_ + ": feature '" + field_.name + "' " + what);
  }

  [[noreturn]] void refuse_kind(const std::string& expected) const {
    refuse("is " + std::string(description_of(feature_.kind)) + ", expected " + expected);
  }

  void write_missing() const {
    if (field_.image || (!field_.default_value && !field_.is_padded))
      refuse("is missing" + std::string(field_.image ? "" : " and has no default"));
    fill(0);
  }

  std::span<const std::byte> only_bytes() const {
    std::span<const std::byte> only;
    int64_t count = 0;
    feature_.for_each_bytes(name_, [&](std::span<const std::byte> bytes) {
      only = bytes;
      ++count;
    });
    if (count != 1) refuse(fmt::format("has {} values of bytes, expected one", count));
    return only;
  }

  void write_image(std::span<const std::byte> bytes) const {
    const auto& [size, mode, limits] = *field_.image;
    decode_into_slot(bytes, name_ + ": feature '" + field_.name + "'",
                     {.resize = {.size = size}, .color_mode = mode, .limits = limits}, into_);
  }

  void write_raw(std::span<const std::byte> bytes) const {
    const auto found = static_cast<int64_t>(bytes.size());
    const int64_t size = field_.raw->size;
    if (found % size != 0 || !is_length(found / size))
      refuse(fmt::format("has {} bytes, expected {} for the shape {} in numbers of {}", found,
                         wanted_ * size, field_.shape.to_string(), size));
    convert_numbers(bytes.data(), found / size, *field_.raw, field_.dtype, into_);
    fill(found / size);
  }

  void write_numbers() const {
    int64_t count = 0;
    visit_dtype(field_.dtype, [&](auto zero) {
      using T = decltype(zero);
      auto* numbers = reinterpret_cast<T*>(into_);
      const auto store = [&](auto value) {
        if (count < wanted_) numbers[count] = converted<T>(value);
        ++count;
      };
      if (feature_.kind == Kind::floats)
        feature_.for_each_float(name_, store);
      else
        feature_.for_each_integer(name_, store);
    });
    if (!is_length(count))
      refuse(fmt::format("has {} numbers, expected {}{} for the shape {}", count,
                         (field_.is_padded ? "at most " : ""), wanted_, field_.shape.to_string()));
    fill(count);
  }

  bool is_length(int64_t found) const {
    return field_.is_padded ? found <= wanted_ : found == wanted_;
  }

  template <class T, class Value>
  T converted(Value value) const {
    if constexpr (!std::is_floating_point_v<T> && !std::is_floating_point_v<Value>) {
      const int64_t most =
          field_.dtype == DType::boolean ? 1 : static_cast<int64_t>(std::numeric_limits<T>::max());
      if (value < static_cast<int64_t>(std::numeric_limits<T>::min()) || value > most)
        refuse(
            fmt::format("has the number {}, which {} cannot hold", value, name_of(field_.dtype)));
    }
    return static_cast<T>(value);
  }

  // What is left from element `first` on.
  void fill(int64_t first) const {
    const double value = field_.default_value.value_or(0);
    visit_dtype(field_.dtype, [&](auto zero) {
      using T = decltype(zero);
      for (int64_t i = first; i < wanted_; ++i)
        reinterpret_cast<T*>(into_)[i] = static_cast<T>(value);
    });
  }

  const FeatureField& field_;
  const TfFeature& feature_;
  const std::string& name_;
  std::byte* into_;
  int64_t wanted_;  // elements
};

[[noreturn]] void refuse(const FeatureField& field, const std::string& what) {
  throw InvalidArgument("feature '" + field.name + "': " + what);
}

bool holds(DType dtype, double value) {
  if (dtype == DType::float32) return true;
  const double most = dtype == DType::boolean ? 1
                      : dtype == DType::uint8 ? 255
                      : dtype == DType::int32 ? 2147483647.0
                                              : 9007199254740992.0;
  const double least = dtype == DType::boolean || dtype == DType::uint8 ? 0 : -most - 1;
  return value == std::trunc(value) && value >= least && value <= most;
}

bool is_real(const StoredType& type) {
  return type.kind == StoredType::Kind::real || type.kind == StoredType::Kind::bfloat16;
}

}  // namespace

Spec spec_of(const FeatureField& field) {
  if (field.image && field.raw) refuse(field, "is read as an image or as raw numbers, not both");
  if (field.raw && is_real(*field.raw) && field.dtype != DType::float32)
    refuse(field, "raw numbers of floating point are read as float32, not as " +
                      std::string(name_of(field.dtype)));
  if (field.default_value && !holds(field.dtype, *field.default_value))
    refuse(field, std::string(name_of(field.dtype)) + " cannot hold the default value");
  for (const int64_t dim : field.shape)
    if (dim < 0)
      refuse(field, "expected a shape without open sizes, found " + field.shape.to_string());
  if (!field.image) return {field.dtype, field.shape};
  const auto [height, width] = field.image->image_size;
  if (height < 1 || width < 1) refuse(field, "expected an image_size of 1 or more");
  if (field.dtype != DType::float32) refuse(field, "an image is read as float32");
  return {DType::float32, {height, width, channels_of(field.image->color_mode)}};
}

void write_feature(const FeatureField& field, const TfFeature& feature, const std::string& name,
                   std::byte* into) {
  FeatureWriter(field, feature, name, into).write();
}

}  // namespace plimsoll
