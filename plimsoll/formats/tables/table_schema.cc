#include "plimsoll/formats/tables/table_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/json.h"
#include "plimsoll/formats/bytes/byte_source.h"
#include "plimsoll/formats/bytes/read_text.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "plimsoll-table";
constexpr int kVersion = 1;
constexpr int64_t kMaxSchemaBytes = 64 << 20;
constexpr int64_t kMostRows = int64_t{1} << 40;  // of a window

// Reads the members of one object; each is asked for once, and others are refused.
class SchemaObject {
 public:
  SchemaObject(const Json& json, std::string place, std::initializer_list<const char*> keys)
      : json_(json), place_(std::move(place)) {
    if (!json.is_object()) refuse("expected an object");
    for (const auto& [key, value] : json.items())
      if (std::ranges::find(keys, key) == keys.end())
        refuse(fmt::format("the key '{:.40}' is not known", key));
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw CorruptFile(place_ + ": " + what);
  }

  // Null if it is not there.
  const Json* find(const char* key) const {
    const auto found = json_.find(key);
    return found == json_.end() ? nullptr : &*found;
  }
  const Json* list(const char* key) const {
    const Json* value = find(key);
    if (value != nullptr && !value->is_array()) refuse(fmt::format("'{}' must be a list", key));
    return value;
  }

  std::string text(const char* key) const {
    const Json* value = find(key);
    if (value == nullptr || !value->is_string()) refuse(fmt::format("'{}' must be a text", key));
    return value->get<std::string>();
  }

  // At least 1; none if it is not there.
  std::optional<int64_t> count(const char* key) const {
    const Json* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number_integer() || *value < 1 || *value > kMostRows)
      refuse(fmt::format("'{}' must be a whole number from 1 to {}", key, kMostRows));
    return value->get<int64_t>();
  }

  std::vector<std::string> texts(const char* key) const {
    std::vector<std::string> all;
    const Json* values = list(key);
    if (values == nullptr) return all;
    for (const Json& value : *values) {
      if (!value.is_string()) refuse(fmt::format("'{}' must be a list of texts", key));
      all.push_back(value.get<std::string>());
    }
    return all;
  }

  std::vector<float> numbers(const char* key) const {
    std::vector<float> all;
    const Json* values = list(key);
    if (values == nullptr) return all;
    for (const Json& value : *values) {
      const auto number = value.is_number() ? value.get<float>() : NAN;
      if (!std::isfinite(number)) refuse(fmt::format("'{}' must be a list of numbers", key));
      all.push_back(number);
    }
    return all;
  }

 private:
  const Json& json_;
  std::string place_;
};

std::vector<TableSchema::Field> schema_fields(const SchemaObject& whole, const char* key,
                                              const std::string& name) {
  std::vector<TableSchema::Field> fields;
  const Json* list = whole.list(key);
  if (list == nullptr) return fields;
  for (const Json& item : *list) {
    const SchemaObject object(item, fmt::format("{}: {}", name, key),
                              {"name", "columns", "repair"});
    fields.push_back({object.text("name"), object.texts("columns"), object.numbers("repair")});
  }
  return fields;
}

// A column is in one input and in one target at most; in a series it may be both.
void refuse_twice(const TableSchema& schema, const std::string& name) {
  for (const auto* side : {&schema.inputs, &schema.targets}) {
    std::set<std::string_view> seen;
    for (const TableSchema::Field& field : *side)
      for (const std::string& column : field.columns)
        if (!seen.insert(column).second)
          throw CorruptFile(fmt::format("{}: the column '{:.40}' is there twice", name, column));
  }
}

bool is_schema(const Json& json) {
  return json.is_object() && json.contains("format") && json["format"] == kFormat;
}

TableSchema schema_of(const Json& json, const std::string& name) {
  if (!is_schema(json))
    throw CorruptFile(fmt::format("{}: expected \"format\": \"{}\"", name, kFormat));
  const auto version = json.find("version");
  if (version == json.end() || !version->is_number_integer() || *version < 1)
    throw CorruptFile(name + ": 'version' must be a number");
  if (*version > kVersion)
    throw CorruptFile(fmt::format("{}: is of version {}, this program reads {}", name,
                                  version->dump(), kVersion));
  const SchemaObject object(json, name,
                            {"format", "version", "header", "inputs", "targets", "ignored",
                             "missing", "window", "horizon", "stride", "encode"});
  TableSchema schema{.inputs = schema_fields(object, "inputs", name),
                     .targets = schema_fields(object, "targets", name),
                     .ignored = object.texts("ignored")};
  if (const Json* header = object.find("header")) {
    if (!header->is_boolean()) object.refuse("'header' must be true or false");
    schema.has_header = header->get<bool>();
  }
  if (const Json* missing = object.find("missing")) {
    if (!missing->is_number()) object.refuse("'missing' must be a number");
    schema.missing = missing->get<double>();
  }
  schema.window = object.count("window");
  schema.horizon = object.count("horizon");
  schema.stride = object.count("stride");
  if (const Json* encode = object.find("encode")) schema.encode = encode->dump();
  if (schema.inputs.empty()) object.refuse("'inputs' has no input");
  refuse_twice(schema, name);
  return schema;
}

Json fields_json(const std::vector<TableSchema::Field>& fields) {
  Json list = Json::array();
  for (const TableSchema::Field& field : fields) {
    list.push_back({{"name", field.name}, {"columns", field.columns}});
    if (!field.repair.empty()) list.back()["repair"] = field.repair;
  }
  return list;
}

}  // namespace

std::string to_json(const TableSchema& schema) {
  Json json = {{"format", kFormat},
               {"version", kVersion},
               {"header", schema.has_header},
               {"inputs", fields_json(schema.inputs)},
               {"targets", fields_json(schema.targets)},
               {"ignored", schema.ignored}};
  if (schema.missing) json["missing"] = *schema.missing;
  if (schema.window) json["window"] = *schema.window;
  if (schema.horizon) json["horizon"] = *schema.horizon;
  if (schema.stride) json["stride"] = *schema.stride;
  if (!schema.encode.empty()) json["encode"] = parse_json(schema.encode, "encode");
  return dump_json(json);
}

TableSchema table_schema(std::string_view text, const std::string& name) {
  return schema_of(parse_json(text, name), name);
}

std::string schema_path(const std::string& model_path) {
  return (std::filesystem::path(model_path).parent_path() / "data.json").string();
}

std::string classes_path(const std::string& model_path) {
  return (std::filesystem::path(model_path).parent_path() / "classes.json").string();
}

std::optional<TableSchema> schema_beside(const std::string& model_path) {
  const std::string path = schema_path(model_path);
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  const ByteSourcePtr file = file_source(path);
  if (file->size() > kMaxSchemaBytes) return std::nullopt;
  std::string text(static_cast<size_t>(file->size()), ' ');
  file->read_at(0, std::as_writable_bytes(std::span(text)));
  // Many programs have a data.json; the word is in the first bytes of ours.
  constexpr size_t kStart = 64;
  if (text.substr(0, kStart).find(fmt::format("\"{}\"", kFormat)) == text.npos) return std::nullopt;
  return table_schema(text, path);
}

std::vector<std::string> read_classes(const std::string& path) {
  constexpr int64_t kMaxBytes = 16 << 20;
  const auto json = parse_json(read_text(path, kMaxBytes, "a list of classes"), path);
  std::vector<std::string> names;
  for (const auto& item : json) {
    if (!json.is_array() || !item.is_string())
      throw CorruptFile(path + ": expected a list of class names");
    names.push_back(item.get<std::string>());
  }
  return names;
}

std::vector<std::string> classes_beside(const std::string& model_path) {
  const std::string beside = classes_path(model_path);
  std::error_code error;
  if (!std::filesystem::exists(beside, error)) return {};
  return read_classes(beside);
}

void write_classes(const std::vector<std::string>& names, const std::string& model_path) {
  write_file(classes_path(model_path), dump_json(Json(names)) + "\n");
}

}  // namespace plimsoll
