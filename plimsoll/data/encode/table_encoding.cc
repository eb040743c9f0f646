#include "plimsoll/data/encode/table_encoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/data/encode/cell_text.h"
#include "plimsoll/data/encode/column_kind_list.h"
#include "plimsoll/formats/archives/json.h"

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

std::vector<std::string> TableEncoding::number_names(std::span<const std::string> names) const {
  std::vector<std::string> all;
  for (const std::string& name : names) {
    const ColumnEncodingPtr encoding = find(name);
    if (encoding == nullptr) all.push_back(name);
    for (int64_t i = 0; encoding != nullptr && i < encoding->width(); ++i)
      all.push_back(name + encoding->number_name(i));
  }
  return all;
}

std::string TableEncoding::widths_text(std::span<const std::string> names) const {
  constexpr size_t kShown = 40;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kShown); ++i)
    text +=
        fmt::format("{}{} {}", i > 0 ? ", " : "", shown_cell(names[i]), width(names.subspan(i, 1)));
  return text + (names.size() > kShown ? ", …" : "");
}

std::optional<std::string> TableEncoding::decode(std::string_view column,
                                                 std::span<const float> numbers) const {
  const ColumnEncodingPtr encoding = find(column);
  if (encoding == nullptr || std::ssize(numbers) != encoding->width())
    throw InvalidArgument(fmt::format("decode: column '{}' has {} numbers, found {}",
                                      shown_cell(column),
                                      encoding == nullptr ? 0 : encoding->width(), numbers.size()));
  return encoding->decode(numbers);
}

std::string TableEncoding::to_json() const {
  Json json = Json::object();
  for (const EncodedColumn& column : columns)
    json[column.name] = column.encoding != nullptr
                            ? column.encoding->to_json()
                            : Json{{"kind", kLeftOutKind}, {"why", column.why}};
  return dump_json(json);
}

TableEncoding TableEncoding::from_json(std::string_view text, const std::string& where) {
  const Json json = parse_json(text, where);
  if (!json.is_object()) throw CorruptFile(where + ": expected an object with a key per column");
  TableEncoding table;
  for (const auto& [name, settings] : json.items()) {
    ColumnChoice choice(where, name, settings);
    ColumnEncodingPtr encoding = choice.encoding(nullptr, false);
    table.columns.push_back({name, std::move(encoding), choice.why()});
  }
  return table;
}

}  // namespace plimsoll
