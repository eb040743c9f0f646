// Any bytes are either lines of JSON objects or a FlawedRecord, and a value has as many numbers as
// its shape says.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "plimsoll/base/flaw.h"
#include "plimsoll/formats/tables/json_line.h"

namespace {

void check(const plimsoll::JsonLine& line) {
  if (line.keys.size() != line.values.size()) __builtin_trap();
  for (const std::string& key : line.keys) {
    const plimsoll::JsonValue& value = line[key];
    const auto count = static_cast<int64_t>(value.numbers.size());
    const bool has_numbers = value.kind == plimsoll::JsonValue::Kind::numbers;
    if (count != (has_numbers ? value.shape.elements() : 0)) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    try {
      check(plimsoll::parse_json_line(line, "fuzz", {.line_bytes = 1 << 12, .keys = 8}));
    } catch (const plimsoll::FlawedRecord&) {
    }
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : line.size());
  }
  return 0;
}
