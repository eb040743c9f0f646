// Any bytes are either JSON, which is then written and read again as the same, or a CorruptFile.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto value = plimsoll::parse_json({reinterpret_cast<const char*>(data), size}, "fuzz");
    const std::string text = plimsoll::dump_json(value);
    if (plimsoll::dump_json(plimsoll::parse_json(text, "fuzz")) != text) std::abort();
  } catch (const plimsoll::CorruptFile&) {
  }
  return 0;
}
