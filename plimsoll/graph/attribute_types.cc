#include "plimsoll/graph/attribute_types.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cmath>

namespace plimsoll {
namespace {

// JSON has no word for infinity.
template <class T>
std::string number_text(T value) {
  return fmt::format(fmt::runtime(std::isfinite(value) ? "{}" : "\"{}\""), value);
}

}  // namespace

std::string attribute_text(bool value) {
  return value ? "true" : "false";
}

std::string attribute_text(int64_t value) {
  return fmt::format("{}", value);
}

std::string attribute_text(uint64_t value) {
  return fmt::format("{}", value);
}

std::string attribute_text(float value) {
  return number_text(value);
}

std::string attribute_text(double value) {
  return number_text(value);
}

std::string attribute_text(std::string_view word) {
  std::string text = "\"";
  for (const char letter : word) {
    if (letter == '"' || letter == '\\') text += '\\';
    text += letter;
  }
  return text + '"';
}

std::string attribute_text(const std::vector<std::string>& texts) {
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

void change_number(float& value) {
  value = std::bit_cast<float>(std::bit_cast<uint32_t>(value) ^ 1);
}

void change_number(double& value) {
  value = std::bit_cast<double>(std::bit_cast<uint64_t>(value) ^ 1);
}

std::string AttributeType<Shape>::text(const Shape& value) {
  return list_text(value.dims());
}

void AttributeType<Shape>::change(Shape& value) {
  if (value.rank() == 0) {
    value.push_back(1);
  } else {
    value[value.rank() - 1] ^= 1;
  }
}

std::string AttributeType<Layout>::text(Layout value) {
  if (value.is_plain()) return attribute_text(std::string_view("row_major"));
  return fmt::format("\"blocks_of_{}\"", value.channel_block);
}

}  // namespace plimsoll
