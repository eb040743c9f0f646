#include "plimsoll/data/sources/jsonl_cells.h"

#include <optional>

#include "plimsoll/data/sources/json_lines.h"

namespace plimsoll {
namespace {

class JsonlCells final : public TableCells {
 public:
  JsonlCells(const std::vector<std::string>& paths, const JsonLineLimits& limits)
      : lines_(paths, limits) {}

  const std::string& path() const override { return lines_.path(); }
  int64_t records() const override { return lines_.size(); }
  std::string name(int64_t record) const override { return lines_.name(record); }
  void visit(const std::vector<std::string>& columns, const std::vector<bool>& is_chosen,
             const VisitCells& look) const override {
    std::vector<std::string> texts(columns.size());
    std::vector<std::string_view> cells(columns.size());
    for (int64_t record = 0; record < lines_.size(); ++record) {
      if (!is_chosen.empty() && !is_chosen.at(static_cast<size_t>(record))) continue;
      const std::optional<JsonLine> line = lines_.parse_if_good(record);
      if (!line) continue;
      for (size_t i = 0; i < columns.size(); ++i)
        cells[i] = texts[i] = cell_of((*line)[columns[i]], nullptr);
      if (!look(cells)) return;
    }
  }

 private:
  JsonLines lines_;
};

}  // namespace

std::string cell_of(const JsonValue& value, const CellEncoder* encoder) {
  if (value.kind != JsonValue::Kind::numbers) return value.text;
  if (value.shape.rank() > 0) return "";
  if (value.is_boolean) return value.numbers[0] != 0 ? "true" : "false";
  return encoder == nullptr ? plain_number(value.numbers[0]) : encoder->written(value.numbers[0]);
}

std::unique_ptr<TableCells> jsonl_cells(const std::vector<std::string>& paths,
                                        const JsonLineLimits& limits) {
  return std::make_unique<JsonlCells>(paths, limits);
}

}  // namespace plimsoll
