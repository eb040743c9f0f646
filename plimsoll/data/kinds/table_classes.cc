#include "plimsoll/data/kinds/table_classes.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/tables/csv_table.h"

namespace plimsoll {
namespace {

// "'setosb' occurs once (line 17)"
std::string rare_text(std::span<const CountedClass> rare) {
  constexpr size_t kShown = 5;
  std::string text;
  for (size_t i = 0; i < std::min(rare.size(), kShown); ++i) {
    const std::string times =
        rare[i].records == 1 ? "once (" : fmt::format("{} times (first in ", rare[i].records);
    text += fmt::format("{}'{:.40}' occurs {}{})", i > 0 ? ", " : "", rare[i].name, times,
                        rare[i].place);
  }
  return text + (rare.size() > kShown ? ", …" : "");
}

// How many classes an output separates; kOpenSize: any number.
int64_t classes_of(const WantedField& output) {
  const int64_t width = output.spec.shape.rank() == 0 ? 1 : output.spec.shape.back();
  if (output.form == TargetForm::class_bit) return 2;
  return output.form == TargetForm::unknown ? kOpenSize : width;
}

std::string too_many(const WantedField& output, const std::string& column, int64_t expected,
                     std::span<const CountedClass> classes) {
  const std::string what =
      fmt::format("column '{}' has {} classes, the model's output '{}' has {}", column,
                  classes.size(), output.name,
                  output.form == TargetForm::class_bit ? "one number, which separates 2"
                                                       : std::to_string(expected));
  return fmt::format("{}; {}", what, rare_text(classes.subspan(static_cast<size_t>(expected))));
}

void announce_fewer(const DataRequest& request, const std::string& what) {
  if (request.options.announce)
    request.options.announce(
        {.severity = Finding::Severity::warning, .where = request.path, .what = what});
}

}  // namespace

void check_classes(const DataRequest& request, const ClassedTable& table, NamedFields& fields) {
  const auto found = std::ssize(fields.records->class_names());
  if (found == 0 || request.outputs.size() != 1 || table.targets[0].size() != 1) return;
  const WantedField& output = request.outputs[0];
  const std::string& column = table.targets[0][0];
  const int64_t expected = classes_of(output);
  if (expected == kOpenSize || expected == found) return;
  if (found > expected && request.options.class_names.empty()) {
    std::vector<CountedClass> classes = table.count(column);
    std::ranges::stable_sort(classes, std::greater<>(), &CountedClass::records);
    const std::string what = too_many(output, column, expected, classes);
    if (!request.is_to_check)
      throw InvalidArgument(
          fmt::format("{}: {}; correct them, or name the model's classes with --classes FILE",
                      request.path, what));
    Names names;
    for (size_t i = 0; i < static_cast<size_t>(expected); ++i) names.push_back(classes[i].name);
    std::ranges::sort(names);
    fields.records = table.open(names);
    fields.bad.push_back({-1, request.path, Flaw::label, what});
    return;
  }
  const std::string what =
      fmt::format("the model's output '{}' has {} classes, the column '{}' has {}: {}", output.name,
                  expected, column, found, fmt::join(fields.records->class_names(), ", "));
  if (found > expected || output.form == TargetForm::class_vectors)
    throw InvalidArgument(fmt::format("{}: {}", request.path, what));
  announce_fewer(request, what);
}

std::vector<CountedClass> csv_class_counts(const DataRequest& request, const std::string& column,
                                           std::optional<bool> has_header) {
  const CsvOptions csv{.has_header = has_header.value_or(true), .keeps_bad = true};
  const ByteSourcePtr file = file_source(request.files[0]);
  const int64_t place = scan_csv(file, csv, 0).find(column, request.path);
  std::vector<CountedClass> counted;
  for (CsvClass& one : csv_classes(file, place, csv))
    counted.push_back({std::move(one.name), one.records, fmt::format("line {}", one.line)});
  return counted;
}

}  // namespace plimsoll
