#include "plimsoll/data/check/table_to_check.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/csv_source.h"
#include "plimsoll/formats/tables/csv_table.h"

namespace plimsoll {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

class TableOpener {
 public:
  TableOpener(const std::string& path, const TableToCheckOptions& options)
      : path_(path), options_(options) {}

  DataToCheck open() {
    const Names names = csv_columns(path_, options_.has_header);
    for (const Names* named : {&options_.targets, &options_.ignored})
      for (const std::string& name : *named)
        if (!contains(names, name)) throw InvalidArgument(path_ + ": has no column '" + name + "'");
    const auto summary = std::make_shared<const CsvSummary>(scan_csv(
        file_source(path_), {.has_header = options_.has_header.value_or(true), .keeps_bad = true}));
    if (summary->records == 0) throw CorruptFile(path_ + ": has a header but no record");
    for (const CsvColumn& column : summary->columns) choose(column);
    if (inputs_.empty() && targets_.empty())
      throw InvalidArgument(path_ + ": has no column of numbers");
    open_records(summary);
    describe_fields();
    return std::move(table_);
  }

 private:
  void choose(const CsvColumn& column) {
    if (contains(options_.ignored, column.name) || column.name.empty()) return;
    const bool is_target = contains(options_.targets, column.name);
    const bool may_be_classes =
        is_target && (options_.targets.size() == 1 || !options_.class_names.empty());
    if (column.type() == CsvColumn::Type::text && !may_be_classes)
      leave_out(column);
    else
      (is_target ? targets_ : inputs_).push_back(column.name);
  }

  void leave_out(const CsvColumn& column) {
    const std::string what = "column '" + column.name + "' holds text, expected numbers";
    // Text of one target of several is no class, and neither option is for targets.
    if (contains(options_.targets, column.name)) {
      table_.bad.push_back({-1, path_, Flaw::not_a_number, what});
      return;
    }
    const std::string remedy =
        "--encode auto makes numbers of it, --ignore " + column.name + " leaves it out";
    if (options_.targets.empty())
      table_.warnings.push_back(
          {.reason = "text_column",
           .what = what,
           .remedy = "--target " + column.name + " makes classes of it; " + remedy,
           .examples = {column.name}});
    else
      table_.bad.push_back({-1, path_, Flaw::not_a_number, what + " (" + remedy + ")"});
  }

  // A table without targets has inputs. Targets without inputs are checked as such.
  void open_records(const std::shared_ptr<const CsvSummary>& summary) {
    CsvSourceOptions options{.inputs = {inputs_},
                             .class_names = options_.class_names,
                             .missing = options_.missing,
                             .summary = summary,
                             .keeps_bad_records = true,
                             .has_header = options_.has_header};
    if (!targets_.empty()) options.targets = {targets_};
    table_.records = csv_source(path_, options);
  }

  void describe_fields() {
    table_.fields.push_back({.name = "x", .columns = inputs_});
    if (targets_.empty()) return;
    table_.fields.push_back({.name = "y", .role = FieldRole::target, .columns = targets_});
    if (!table_.records->class_names().empty()) table_.fields.back().is_classes = true;
  }

  const std::string& path_;
  const TableToCheckOptions& options_;
  Names inputs_, targets_;  // columns
  DataToCheck table_;
};

}  // namespace

DataToCheck open_table_to_check(const std::string& path, const TableToCheckOptions& options) {
  return TableOpener(path, options).open();
}

}  // namespace plimsoll
