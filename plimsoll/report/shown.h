// What a page shows of values that come from files, which may hold anything.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace plimsoll {

// The beginning of a text that is longer than `most` bytes, cut between characters, and "…".
// Bytes that are not UTF-8 are replaced.
std::string shown(std::string_view text, size_t most = 240);

// A number of four digits, or null where it is not finite.
nlohmann::ordered_json shown_number(double value);

// The JSON of a text; null if it is not JSON or nested too deeply.
nlohmann::ordered_json json_of(const std::string& text);

// Members of an object, or a default for one that is missing or of another type.
const nlohmann::ordered_json& member(const nlohmann::ordered_json& json, const char* key);
std::string text_in(const nlohmann::ordered_json& json, const char* key, size_t most = 240);
// "nan", "inf" and "-inf" are numbers, as everywhere in a run's files.
double number_in(const nlohmann::ordered_json& json, const char* key);
int64_t integer_in(const nlohmann::ordered_json& json, const char* key);

}  // namespace plimsoll
