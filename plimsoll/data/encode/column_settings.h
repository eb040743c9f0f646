// The settings of one column in a JSON file, each read once; what is left over is refused.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/data/encode/column_encoding.h"

namespace plimsoll {

class ColumnSettings {
 public:
  // `where` begins every error: "encode.json: column 'age'".
  ColumnSettings(std::string where, nlohmann::ordered_json json);

  bool has(const char* key) const { return json_.contains(key); }
  // None if there is no such key. CorruptFile if it holds something else.
  std::optional<std::string> text(const char* key);
  std::optional<double> number(const char* key);  // finite
  std::optional<bool> flag(const char* key);
  // Texts of up to kMostTextBytes, no two alike.
  std::optional<std::vector<std::string>> texts(const char* key);
  // The key "gaps".
  std::optional<Gaps> gaps();

  // After all others: CorruptFile if there is a key that was not asked for.
  void refuse_rest() const;
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  const nlohmann::ordered_json* find(const char* key);

  std::string where_;
  nlohmann::ordered_json json_;
  std::vector<std::string> known_;
};

}  // namespace plimsoll
