// How many records each class has.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/data/check/record_check.h"

namespace plimsoll {

// Counts the classes of one target: whole numbers, or vectors of a 1 among 0s.
class LabelCounts {
 public:
  void add(const RecordView& record, size_t field);
  // Adds those of later records.
  void merge(const LabelCounts& later);

  // True if these are classes. Unless `is_classes` decides it, few different numbers that come
  // often are taken for classes.
  bool are_classes(const FieldToCheck& field) const;
  // By their numbers; each of `names` (or numbers below field.limit) has a row, though no record
  // may be of it.
  std::vector<ClassCount> counts(const FieldToCheck& field,
                                 std::span<const std::string> names) const;

 private:
  // More different labels are no classes.
  static constexpr size_t kMostClasses = 1 << 16;

  std::map<int64_t, int64_t> records_of_;
  bool are_whole_ = true;
};

// Counts the classes of the first target.
std::unique_ptr<RecordCheck> check_labels(const RecordsInCheck& records);

// Warns of classes without records, and where one has over ten times the records of another.
void warn_of_classes(std::span<const ClassCount> classes, std::vector<CheckWarning>& warnings);

}  // namespace plimsoll
