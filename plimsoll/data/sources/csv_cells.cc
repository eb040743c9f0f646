#include "plimsoll/data/sources/csv_cells.h"

#include <fmt/format.h>

namespace plimsoll {

CsvCells::CsvCells(const std::string& path, const CsvOptions& options)
    : path_(path),
      options_(options),
      file_(file_source(path)),
      summary_(std::make_shared<CsvSummary>(scan_csv(file_, options))) {}

std::string CsvCells::name(int64_t record) const {
  return fmt::format("{}:{}", path_, summary_->line_of(record));
}

void CsvCells::visit(const std::vector<std::string>& columns, const std::vector<bool>& is_chosen,
                     const VisitCells& look) const {
  std::vector<int64_t> places;
  for (const std::string& name : columns) places.push_back(summary_->find(name, path_));
  std::vector<std::string_view> cells(places.size());
  CsvReader reader(file_, options_.delimiter, options_.limits);
  if (options_.has_header) reader.next();
  for (size_t row = 0; reader.next(); ++row) {
    // A record of another length is bad in any case.
    if (reader.fields() != std::ssize(summary_->columns)) continue;
    if (!is_chosen.empty() && !is_chosen.at(row)) continue;
    for (size_t i = 0; i < places.size(); ++i) cells[i] = reader.field(places[i]);
    if (!look(cells)) return;
  }
}

}  // namespace plimsoll
