#include "plimsoll/formats/tensorflow/tf_example.h"

#include <bit>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

using Wire = ProtobufReader::Wire;

// A feature is one of three lists. If it has fields of several kinds, those after the last change
// of kind count, as in protobuf.
TfFeature feature_of(std::span<const std::byte> message, const std::string& name) {
  TfFeature feature;
  ProtobufReader reader(message, name);
  for (auto before = message; reader.next(); before = reader.rest()) {
    if (reader.field() < 1 || reader.field() > 3) continue;
    const auto kind = static_cast<TfFeature::Kind>(reader.field());
    if (reader.wire() != Wire::bytes) refuse_list(name, kind);
    if (kind != feature.kind) feature = {kind, before};
  }
  return feature;
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// An entry of the map from names to features.
void visit_entry(std::span<const std::byte> entry, const std::string& name,
                 const std::function<void(std::string_view, const TfFeature&)>& found) {
  std::string_view key;
  std::span<const std::byte> value;
  ProtobufReader reader(entry, name);
  while (reader.next()) {
    if (reader.wire() != Wire::bytes) continue;
    if (reader.field() == 1) key = text_of(reader.bytes());
    if (reader.field() == 2) value = reader.bytes();
  }
  found(key, feature_of(value, name));
}

}  // namespace

std::string_view description_of(TfFeature::Kind kind) {
  switch (kind) {
    case TfFeature::Kind::bytes:
      return "a list of bytes";
    case TfFeature::Kind::floats:
      return "a list of floats";
    case TfFeature::Kind::integers:
      return "a list of integers";
    default:
      return "nothing";
  }
}

void for_each_feature(std::span<const std::byte> example, const std::string& name,
                      const std::function<void(std::string_view, const TfFeature&)>& found) {
  ProtobufReader message(example, name);
  while (message.next()) {
    if (message.field() != 1) continue;
    if (message.wire() != Wire::bytes)
      throw CorruptFile(name + ": is not a tf.train.Example: its features are not a message");
    ProtobufReader features(message.bytes(), name);
    while (features.next())
      if (features.field() == 1 && features.wire() == Wire::bytes)
        visit_entry(features.bytes(), name, found);
  }
}

void refuse_list(const std::string& name, TfFeature::Kind kind) {
  throw CorruptFile(name + ": is not a tf.train.Example: " + std::string(description_of(kind)) +
                    " is stored as something else");
}

float float_of_bits(uint64_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits));
}

}  // namespace plimsoll
