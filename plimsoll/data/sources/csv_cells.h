// The cells of a CSV file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plimsoll/data/sources/table_cells.h"
#include "plimsoll/formats/tables/csv_table.h"

namespace plimsoll {

class CsvCells final : public TableCells {
 public:
  // Reads the file once, for its summary.
  CsvCells(const std::string& path, const CsvOptions& options);

  const std::string& path() const override { return path_; }
  int64_t records() const override { return summary_->records; }
  std::string name(int64_t record) const override;
  void visit(const std::vector<std::string>& columns, const std::vector<bool>& is_chosen,
             const VisitCells& look) const override;
  bool prefers_decimal_comma() const override { return summary_->delimiter == ';'; }

  // For CsvSourceOptions::summary.
  const std::shared_ptr<const CsvSummary>& summary() const { return summary_; }

 private:
  std::string path_;
  CsvOptions options_;
  ByteSourcePtr file_;
  std::shared_ptr<const CsvSummary> summary_;
};

}  // namespace plimsoll
