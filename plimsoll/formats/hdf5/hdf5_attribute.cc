#include "plimsoll/formats/hdf5/hdf5_attribute.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plimsoll/formats/hdf5/hdf5_global_heap.h"
#include "plimsoll/formats/hdf5/hdf5_type.h"

namespace plimsoll {
namespace {

std::string read_text(Hdf5Block& message, Hdf5GlobalHeap& heap, const Hdf5Type& type) {
  if (type.kind == Hdf5Type::Kind::variable_text) return heap.read_text(message);
  std::string text = message.text(type.size);
  text.resize(std::min(text.find('\0'), text.size()));
  if (type.kind == Hdf5Type::Kind::spaced_text) text.resize(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace

void read_attribute(Hdf5Block& message, Hdf5GlobalHeap& heap, Hdf5Attributes& attributes) {
  const uint8_t version = message.byte();
  if (version != 1 && version != 3)
    message.refuse(fmt::format("has an attribute of version {}", version));
  message.expect(1, 0, "an attribute with flags");
  const uint64_t name_size = message.number(2), type_size = message.number(2);
  const uint64_t space_size = message.number(2);
  if (version == 3) message.skip(1);  // ASCII or UTF-8
  const auto part = [&](uint64_t size) {
    Hdf5Block found = message.part(size, message.what());
    if (version == 1) message.skip_padding();
    return found;
  };
  const std::string name = part(name_size).text_at(0);
  Hdf5Block type_part = part(type_size), space_part = part(space_size);
  const Hdf5Type type = read_datatype(type_part);
  Hdf5Attribute attribute{.shape = read_dataspace(space_part), .is_text = type.is_text()};
  const auto elements = static_cast<uint64_t>(attribute.shape.elements());
  if (elements > message.left() / type.size) message.refuse("has an attribute that is cut off");
  for (uint64_t i = 0; i < elements && attribute.is_text; ++i)
    attribute.text.push_back(read_text(message, heap, type));
  if (!attributes.emplace(name, std::move(attribute)).second)
    message.refuse("has an attribute twice");
}

}  // namespace plimsoll
