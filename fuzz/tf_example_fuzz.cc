// Any bytes are either a tf.train.Example or a CorruptFile.
#include <cstddef>
#include <cstdint>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/tensorflow/tf_example.h"

namespace {

// Uses every value, so that one outside of the bytes is seen.
void read(const plimsoll::TfFeature& feature, const std::string& name) {
  using Kind = plimsoll::TfFeature::Kind;
  volatile double sum = 0;
  const auto add = [&](auto value) { sum = sum + static_cast<double>(value); };
  if (feature.kind == Kind::floats) feature.for_each_float(name, add);
  if (feature.kind == Kind::integers) feature.for_each_integer(name, add);
  if (feature.kind == Kind::bytes)
    feature.for_each_bytes(name, [&](std::span<const std::byte> value) {
      for (const std::byte byte : value) add(std::to_integer<int>(byte));
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string name = "fuzz";
  try {
    plimsoll::for_each_feature(
        std::as_bytes(std::span(data, size)), name,
        [&](std::string_view, const plimsoll::TfFeature& feature) { read(feature, name); });
  } catch (const plimsoll::CorruptFile&) {
  }
  return 0;
}
