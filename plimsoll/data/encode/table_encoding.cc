#include "plimsoll/data/encode/table_encoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/data/encode/cell_text.h"
#include "plimsoll/data/encode/column_kind_list.h"
#include "plimsoll/formats/archives/json.h"
#include "plimsoll/formats/bytes/byte_source.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

const EncodedColumn* find_column(const TableEncoding& table, std::string_view name) {
  const auto found = std::ranges::find(table.columns, name, &EncodedColumn::name);
  return found == table.columns.end() ? nullptr : &*found;
}

}  // namespace

ColumnEncodingPtr TableEncoding::find(std::string_view column) const {
  const EncodedColumn* found = find_column(*this, column);
  return found == nullptr ? nullptr : found->encoding;
}

bool TableEncoding::leaves_out(std::string_view column) const {
  const EncodedColumn* found = find_column(*this, column);
  return found != nullptr && found->encoding == nullptr;
}

int64_t TableEncoding::width(std::span<const std::string> names) const {
  int64_t width = 0;
  for (const std::string& name : names) {
    const ColumnEncodingPtr encoding = find(name);
    width += encoding == nullptr ? 1 : encoding->width();
  }
  return width;
}

std::string TableEncoding::widths_text(std::span<const std::string> names) const {
  constexpr size_t kShown = 40;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kShown); ++i)
    text +=
        fmt::format("{}{} {}", i > 0 ? ", " : "", shown_cell(names[i]), width(names.subspan(i, 1)));
  return text + (names.size() > kShown ? ", …" : "");
}

Json TableEncoding::to_json() const {
  Json json = Json::object();
  for (const EncodedColumn& column : columns)
    json[column.name] = column.encoding != nullptr
                            ? column.encoding->to_json()
                            : Json{{"kind", kLeftOutKind}, {"why", column.why}};
  return json;
}

TableEncoding TableEncoding::from_json(const Json& json, const std::string& where) {
  if (!json.is_object()) throw CorruptFile(where + ": expected an object with a key per column");
  TableEncoding table;
  for (const auto& [name, settings] : json.items()) {
    ColumnChoice choice(where, name, settings);
    table.columns.push_back({name, choice.encoding(nullptr, false), choice.why()});
  }
  return table;
}

Json read_encode_file(const std::string& path) {
  constexpr int64_t kMaxBytes = 64 << 20;
  const ByteSourcePtr file = file_source(path);
  if (file->size() > kMaxBytes) throw CorruptFile(path + ": is too large for a file of settings");
  std::string text(static_cast<size_t>(file->size()), ' ');
  file->read_at(0, std::as_writable_bytes(std::span(text)));
  Json json = parse_json(text, path);
  if (!json.is_object())
    throw CorruptFile(path +
                      ": expected an object with a key for each column, as {\"age\": "
                      "\"number\"}");
  return json;
}

}  // namespace plimsoll
