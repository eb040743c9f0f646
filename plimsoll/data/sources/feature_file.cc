#include "plimsoll/data/sources/feature_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/json.h"
#include "plimsoll/formats/bytes/read_text.h"
#include "plimsoll/formats/images/image.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

constexpr DType kTypes[] = {DType::float32, DType::int32, DType::int64, DType::uint8,
                            DType::boolean};

class FeatureReader {
 public:
  FeatureReader(const std::string& path, const std::string& name, const Json& json)
      : path_(path), name_(name), json_(json) {}

  NamedFeature read() {
    if (!json_.is_object()) refuse("expected an object with what is known of it");
    feature_.name = text("as").value_or(name_);
    feature_.field.name = name_;
    read_type();
    read_shape();
    read_filling();
    read_decoding();
    refuse_unknown();
    return feature_;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw CorruptFile(path_ + ": feature '" + name_ + "': " + what);
  }

  const Json* find(const char* key) {
    const auto found = json_.find(key);
    if (found == json_.end()) return nullptr;
    known_.emplace_back(key);
    return &*found;
  }

  std::optional<std::string> text(const char* key) {
    const Json* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_string()) refuse(std::string(key) + " expected text");
    return value->get<std::string>();
  }

  std::vector<int64_t> sizes(const char* key, const Json& value) const {
    constexpr int64_t kMost = int64_t{1} << 31;
    std::vector<int64_t> sizes;
    for (const Json& size : value) {
      if (!value.is_array() || !size.is_number_integer() || size.get<int64_t>() < 1 ||
          size.get<int64_t>() > kMost || sizes.size() == Shape::kMaxRank)
        refuse(std::string(key) + " expected a list of sizes, as [28, 28]");
      sizes.push_back(size.get<int64_t>());
    }
    return sizes;
  }

  void read_type() {
    const auto name = text("dtype");
    if (!name) return;
    const auto* found = std::ranges::find(kTypes, *name, name_of);
    if (found == std::end(kTypes))
      refuse("dtype expected float32, int32, int64, uint8 or bool, found '" + *name + "'");
    feature_.field.dtype = *found;
    feature_.has_dtype = true;
  }

  void read_shape() {
    const Json* value = find("shape");
    if (value == nullptr) return;
    const std::vector<int64_t> dims = sizes("shape", *value);
    double elements = 1;
    for (const int64_t dim : dims) elements *= static_cast<double>(dim);
    if (elements > 1e9) refuse("shape has more than a thousand million numbers");
    feature_.field.shape = Shape(dims);
    feature_.has_shape = true;
  }

  void read_filling() {
    if (const Json* value = find("default")) {
      if (!value->is_number()) refuse("default expected a number");
      feature_.field.default_value = value->get<double>();
    }
    if (const Json* value = find("padded")) {
      if (!value->is_boolean()) refuse("padded expected true or false");
      feature_.field.is_padded = value->get<bool>();
    }
  }

  void read_decoding() {
    const auto decoding = text("decode");
    if (!decoding) return;
    if (*decoding == "image") return read_image();
    try {
      feature_.field.raw = stored_type(*decoding);
    } catch (const InvalidArgument&) {
      refuse(
          "decode expected image, or the type of raw numbers (uint8, float32 and so on), found '" +
          *decoding + "'");
    }
  }

  void read_image() {
    EncodedImage image;
    if (const Json* value = find("image_size")) {
      const std::vector<int64_t> size = sizes("image_size", *value);
      if (size.size() != 2 || std::ranges::max(size) > 1 << 16)
        refuse("image_size expected height and width, as [224, 224]");
      image.image_size = {size[0], size[1]};
      feature_.has_image_size = true;
    }
    if (const auto mode = text("color_mode")) {
      if (*mode != "rgb" && *mode != "rgba" && *mode != "grayscale")
        refuse("color_mode expected grayscale, rgb or rgba, found '" + *mode + "'");
      image.color_mode = color_mode(*mode);
      feature_.has_color_mode = true;
    }
    feature_.field.image = image;
  }

  void refuse_unknown() const {
    for (const auto& [key, value] : json_.items())
      if (std::ranges::find(known_, key) == known_.end())
        refuse("'" + key + "' is not known, or has no meaning here");
  }

  const std::string& path_;
  const std::string& name_;
  const Json& json_;
  NamedFeature feature_;
  std::vector<std::string> known_;  // keys that were asked for
};

}  // namespace

StoredType stored_type(const std::string& name) {
  using Kind = StoredType::Kind;
  static const std::pair<const char*, StoredType> kKnown[] = {
      {"uint8", {Kind::unsigned_integer, 1}},
      {"int8", {Kind::signed_integer, 1}},
      {"uint16", {Kind::unsigned_integer, 2}},
      {"int16", {Kind::signed_integer, 2}},
      {"uint32", {Kind::unsigned_integer, 4}},
      {"int32", {Kind::signed_integer, 4}},
      {"uint64", {Kind::unsigned_integer, 8}},
      {"int64", {Kind::signed_integer, 8}},
      {"float16", {Kind::real, 2}},
      {"float32", {Kind::real, 4}},
      {"float64", {Kind::real, 8}},
      {"bfloat16", {Kind::bfloat16, 2}},
      {"bool", {Kind::boolean, 1}}};
  for (const auto& [known, type] : kKnown)
    if (name == known) return type;
  throw InvalidArgument("stored_type: expected the type of raw numbers, found '" + name + "'");
}

std::vector<NamedFeature> read_feature_file(const std::string& path) {
  constexpr int64_t kMaxBytes = 1 << 20;
  const Json json = parse_json(read_text(path, kMaxBytes, "a list of features"), path);
  if (!json.is_object() || json.empty())
    throw CorruptFile(path + ": expected a JSON object with a member for each feature, as " +
                      R"({"image": {"decode": "image"}, "label": {"dtype": "int64"}})");
  std::vector<NamedFeature> features;
  for (const auto& [name, value] : json.items())
    features.push_back(FeatureReader(path, name, value).read());
  return features;
}

}  // namespace plimsoll
