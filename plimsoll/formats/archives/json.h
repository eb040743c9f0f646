// JSON text from files, which may hold anything, and to files.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace plimsoll {

struct JsonLimits {
  int64_t max_bytes = int64_t{64} << 20;
  int max_depth = 100;
};

// Throws CorruptFile naming `name`, the line and the column where `text` is not JSON or goes beyond
// the limits.
nlohmann::ordered_json parse_json(std::string_view text, const std::string& name,
                                  const JsonLimits& limits = {});

// On one line, ASCII alone, spaced as Python's json.dumps does, so that files compare byte for byte
// with those of Keras. Throws InvalidArgument for text that is not UTF-8 and numbers not finite.
std::string dump_json(const nlohmann::ordered_json& value);

}  // namespace plimsoll
