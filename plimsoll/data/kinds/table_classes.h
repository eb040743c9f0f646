// Compares the classes of a table's target with those of a model.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/data/kinds/data_kind.h"

namespace plimsoll {

struct CountedClass {
  std::string name;
  int64_t records = 0;
  std::string place;  // of the first: "line 17"
};

// Of a table that was opened with targets.
struct ClassedTable {
  std::vector<Names> targets;  // the columns of each
  // The classes that the records of a target's column have.
  std::function<std::vector<CountedClass>(const std::string& column)> count;
  // The records again, with these names of classes.
  std::function<SourcePtr(const Names& class_names)> open;
};

// InvalidArgument, naming the rarest classes, where the only target has more than the model. If the
// request is to check, `fields` are opened again with the most frequent classes, so that only the
// records of the others are bad, and the sentence is in fields.bad. Fewer classes are announced
// where that can be meant.
void check_classes(const DataRequest& request, const ClassedTable& table, NamedFields& fields);

// ClassedTable::count of the CSV file of the request.
std::vector<CountedClass> csv_class_counts(const DataRequest& request, const std::string& column,
                                           std::optional<bool> has_header);

}  // namespace plimsoll
