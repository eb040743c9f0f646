// Columns of a CSV file as numbers or text: of all records at once, or of one.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/formats/tables/cell_encoder.h"
#include "plimsoll/formats/tables/csv_table.h"
#include "plimsoll/tensor/host_tensor.h"

namespace plimsoll {

// Columns that make one tensor. With `classes`, text becomes its place among
// them. With the dtype string, fields are kept as they are, in slots
// for `text_bytes` bytes. With `encoders`, a cell becomes as many numbers as its
// encoder says.
struct CsvSelection {
  std::vector<int64_t> columns;
  DType dtype = DType::float32;
  bool is_scalar = false;  // shape (records) instead of (records, columns)
  std::vector<std::string> classes = {};
  int64_t text_bytes = 0;
  std::optional<double> missing = {};  // replaces missing numbers; none: they are an error
  // None, or one per column, which may be null; then the dtype is float32.
  std::vector<std::shared_ptr<const CellEncoder>> encoders = {};

  // Of one record.
  Spec spec() const;
};

// Reads a selection's numbers from records. Safe for threads. What it is made
// of must outlive it.
class CsvSelectionReader {
 public:
  CsvSelectionReader(const CsvSummary& summary, const CsvSelection& selection);

  // Writes the numbers of the reader's record. FlawedRecord, naming line and
  // column, at the first field that is no number (or no class), or is missing
  // and has no replacement, and where the record is not as long as the header.
  void read(const CsvReader& reader, std::byte* into) const;

 private:
  struct Field;

  const CsvSummary& summary_;
  const CsvSelection& selection_;
  std::map<std::string_view, int64_t> classes_;  // empty: numbers
};

// One tensor per selection, of exactly the size it needs. FlawedRecord as above; with
// options.keeps_bad the numbers of such a record are not set, and it is listed in `bad`.
std::vector<HostTensor> load_csv(const ByteSourcePtr& file, const CsvSummary& summary,
                                 std::span<const CsvSelection> selections,
                                 const CsvOptions& options = {},
                                 std::vector<int64_t>* bad = nullptr);

}  // namespace plimsoll
