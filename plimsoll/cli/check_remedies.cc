#include "plimsoll/cli/check_remedies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "plimsoll/data/loader/bad_record_choices.h"

namespace plimsoll::cli {
namespace {

bool is_about_data(const BadEntry& entry) {
  return entry.record < 0;
}

// Details name the column of a cell.
bool is_about_target(const BadEntry& entry, const CheckResult& result) {
  return std::ranges::any_of(result.targets, [&](const std::string& target) {
    return entry.detail.find("'" + target + "'") != entry.detail.npos;
  });
}

bool is_cell(const BadEntry& entry) {
  return entry.detail.find("column '") != entry.detail.npos;
}

// True if this holds for all that is bad: an option that mends some of it lets the run fail on the
// rest.
template <class Predicate>
bool are_all(const CheckResult& result, const Predicate& predicate) {
  return std::ranges::all_of(result.data.bad, predicate) &&
         std::ranges::all_of(result.validation.bad, predicate);
}

// The run reads the data and the validation data with the same --max-bad.
std::string skipping(const CheckResult& result) {
  std::string most;
  double largest = -1;
  for (const CheckReport* report : {&result.data, &result.validation}) {
    const auto bad = std::ranges::count_if(
        report->bad, [](const BadEntry& entry) { return !is_about_data(entry); });
    if (bad == 0) continue;
    const std::string options = skipping_options(bad, report->records);
    if (options.empty()) return "";
    const double share = static_cast<double>(bad) / static_cast<double>(report->records);
    if (share > largest) most = options;
    largest = std::max(largest, share);
  }
  return most;
}

std::string filling(const CheckResult& result) {
  const auto is_gap = [&](const BadEntry& entry) {
    const bool has_no_number = entry.flaw == Flaw::missing || entry.flaw == Flaw::not_finite;
    return has_no_number && is_cell(entry) && !is_about_target(entry, result);
  };
  if (!are_all(result, is_gap)) return "";
  const bool are_missing =
      are_all(result, [](const BadEntry& entry) { return entry.flaw == Flaw::missing; });
  return fmt::format(
      "fill in {}the column's mean or median with --on-bad-record repair [--repair-with median]",
      are_missing ? "a number with --missing X, or " : "");
}

// What a person can do without an option.
const char* correction_of(Flaw flaw) {
  switch (flaw) {
    case Flaw::label:
      return "correct the labels; the model's output may need more classes";
    case Flaw::out_of_range:
      return "correct them, or give the layer more rows (input_dim of an Embedding)";
    case Flaw::too_large:
      return "make them smaller";
    case Flaw::missing:
    case Flaw::not_finite:
    case Flaw::not_a_number:
    case Flaw::shape:
      return "correct them";
    default:
      return "get them again";
  }
}

// About the data as a whole: no record that is left out would help.
std::string remedy_for_data(const BadEntry& entry, const CheckResult& result) {
  if (entry.flaw == Flaw::label)
    return "correct the labels, or name the model's classes with --classes FILE; the model's "
           "output may need more classes";
  if (entry.flaw == Flaw::not_a_number && !is_about_target(entry, result))
    return "--encode auto makes numbers of a column of text, --ignore COLUMN leaves it out";
  return "correct the data, or the inputs of the model";
}

}  // namespace

std::string remedy_of(const std::vector<const BadEntry*>& entries, const CheckResult& result) {
  for (const BadEntry* entry : entries)
    if (is_about_data(*entry)) return remedy_for_data(*entry, result);
  std::vector<std::string> ways = {correction_of(entries[0]->flaw)};
  const bool are_records = are_all(result, [](const BadEntry& it) { return !is_about_data(it); });
  if (const std::string options = skipping(result); are_records && !options.empty())
    ways.push_back(fmt::format("leave them out with train {}", options));
  if (const std::string way = filling(result); !way.empty()) ways.push_back(way);
  return fmt::format("{}", fmt::join(ways, ", or "));
}

}  // namespace plimsoll::cli
