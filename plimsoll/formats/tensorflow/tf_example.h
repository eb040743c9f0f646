// tf.train.Example: lists of numbers or bytes by name. Parsed here rather than by libprotobuf,
// which would copy every list into messages of its own first; these are views that go straight into
// a record's fields.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "plimsoll/formats/tensorflow/protobuf_wire.h"

namespace plimsoll {

// One feature; views of the example's bytes.
struct TfFeature {
  enum class Kind { none = 0, bytes = 1, floats = 2, integers = 3 };

  Kind kind = Kind::none;
  std::span<const std::byte> lists = {};  // a message with fields of this kind alone

  // Calls `each` with every value, in order; the feature is of that kind. CorruptFile, beginning
  // with `name`, where the list is damaged.
  template <class Each>
  void for_each_float(const std::string& name, Each&& each) const;
  template <class Each>
  void for_each_integer(const std::string& name, Each&& each) const;
  template <class Each>
  void for_each_bytes(const std::string& name, Each&& each) const;

 private:
  template <class Each>
  void for_each_field(const std::string& name, ProtobufReader::Wire single, Each&& each) const;
};

// "a list of floats", for messages.
std::string_view description_of(TfFeature::Kind kind);

// Calls `found` with each feature of the example; of a name that comes twice the last one counts.
// CorruptFile, beginning with `name`, where the bytes are no Example.
void for_each_feature(std::span<const std::byte> example, const std::string& name,
                      const std::function<void(std::string_view, const TfFeature&)>& found);

// --- what the templates use

// CorruptFile: `name`: a list holds what it should not.
[[noreturn]] void refuse_list(const std::string& name, TfFeature::Kind kind);
float float_of_bits(uint64_t bits);

// `each` is given the reader at every field of the lists that is packed or as `single` says.
template <class Each>
void TfFeature::for_each_field(const std::string& name, ProtobufReader::Wire single,
                               Each&& each) const {
  ProtobufReader feature(lists, name);
  while (feature.next()) {
    if (feature.field() != static_cast<uint64_t>(kind)) continue;
    ProtobufReader list(feature.bytes(), name);
    while (list.next()) {
      if (list.field() != 1) continue;
      if (list.wire() != single && list.wire() != ProtobufReader::Wire::bytes)
        refuse_list(name, kind);
      each(list);
    }
  }
}

template <class Each>
void TfFeature::for_each_float(const std::string& name, Each&& each) const {
  for_each_field(name, ProtobufReader::Wire::fixed32, [&](const ProtobufReader& list) {
    if (list.wire() == ProtobufReader::Wire::fixed32) return each(float_of_bits(list.number()));
    const std::span<const std::byte> packed = list.bytes();
    if (packed.size() % 4 != 0) refuse_list(name, kind);
    for (size_t at = 0; at < packed.size(); at += 4) {
      uint64_t bits = 0;
      for (size_t i = 4; i > 0; --i)
        bits = bits << 8 | std::to_integer<uint64_t>(packed[at + i - 1]);
      each(float_of_bits(bits));
    }
  });
}

template <class Each>
void TfFeature::for_each_integer(const std::string& name, Each&& each) const {
  for_each_field(name, ProtobufReader::Wire::varint, [&](const ProtobufReader& list) {
    if (list.wire() == ProtobufReader::Wire::varint)
      return each(static_cast<int64_t>(list.number()));
    std::span<const std::byte> packed = list.bytes();
    while (!packed.empty()) each(static_cast<int64_t>(ProtobufReader::take_varint(packed, name)));
  });
}

template <class Each>
void TfFeature::for_each_bytes(const std::string& name, Each&& each) const {
  for_each_field(name, ProtobufReader::Wire::bytes,
                 [&](const ProtobufReader& list) { each(list.bytes()); });
}

}  // namespace plimsoll
