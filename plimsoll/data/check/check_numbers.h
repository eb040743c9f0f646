// The numbers of records: which are not finite or out of range, and what they are over all.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "plimsoll/data/check/record_check.h"

namespace plimsoll {

class FieldStatistics {
 public:
  FieldStatistics(const Specs& specs, std::span<const FieldToCheck> fields);

  // Counts the finite numbers of a record. not_finite, label or out_of_range where one is wrong.
  std::optional<Problem> add(const RecordView& record);
  // Adds those of later records.
  void merge(const FieldStatistics& later);
  std::vector<FieldSummary> summaries() const;

 private:
  struct Column {
    double least, largest;
    int64_t values = 0;
  };
  struct Field {
    std::vector<Column> columns;  // one, unless it is a vector
    double sum = 0, squares = 0;
  };

  std::optional<Problem> add_field(const RecordView& record, size_t field);
  FieldSummary summary_of(size_t field) const;

  const Specs& specs_;
  std::span<const FieldToCheck> fields_;
  std::vector<Field> numbers_;
};

// "column 'rooms'", or as element_place() says.
std::string place_of(const FieldToCheck& field, const Spec& spec, size_t element);

// A record with a number that is not finite or out of range is bad; columns are warned of.
std::unique_ptr<RecordCheck> check_numbers(const RecordsInCheck& records);

// Warns of columns of vectors that hold the same number, or no number, in all records.
void warn_of_columns(std::span<const FieldSummary> fields, std::vector<CheckWarning>& warnings);

}  // namespace plimsoll
