// RecordCheck: one thing that is looked for in records. Each is a class and one row of
// record_check_list.cc.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/data/check/check_options.h"
#include "plimsoll/data/check/noted_records.h"
#include "plimsoll/data/source.h"
#include "plimsoll/data/sources/record_view.h"

namespace plimsoll {

// What is checked. It outlives the checks.
struct RecordsInCheck {
  const Source& source;
  std::vector<FieldToCheck> fields;  // one for each field of the source
  size_t target;                     // the first that is one; fields.size() where there is none
};

// Sees some records, one after the other; others of its kind see the rest.
class RecordCheck {
 public:
  virtual ~RecordCheck() = default;

  // The file of the next record, where records are files: before it is decoded.
  virtual void look_at_file(int64_t record, const std::string& path,
                            std::span<const std::byte> bytes);
  // A record that was read. What is wrong with it makes it bad; then later rows do not see it.
  virtual std::optional<Problem> look_at(const RecordView& record) = 0;
  // Adds what one of the same kind has seen of records after these.
  virtual void merge(const RecordCheck& later) = 0;
  // Reports what was found in all records, after the rows before. Called once, at the end.
  virtual void report(const RecordName& name, CheckReport& report) = 0;
};

struct RecordCheckKind {
  std::string_view name;
  std::unique_ptr<RecordCheck> (*make)(const RecordsInCheck& records);
};

// In the order in which they look and report.
std::span<const RecordCheckKind> record_checks();

}  // namespace plimsoll
