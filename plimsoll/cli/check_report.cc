#include "plimsoll/cli/check_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "plimsoll/base/printable.h"
#include "plimsoll/cli/check_remedies.h"
#include "plimsoll/cli/encoding_report.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/record/run_log.h"

namespace plimsoll::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kShown = 3;  // examples of a reason in the table

using Entries = std::vector<const BadEntry*>;

Entries all_bad(const CheckResult& result) {
  Entries all;
  for (const CheckReport* report : {&result.data, &result.validation})
    for (const BadEntry& entry : report->bad) all.push_back(&entry);
  return all;
}

// The warnings about both; those about the validation data say so.
std::vector<CheckWarning> all_warnings(const CheckResult& result) {
  std::vector<CheckWarning> all = result.data.warnings;
  for (CheckWarning warning : result.validation.warnings) {
    warning.what = "in the validation data: " + warning.what;
    all.push_back(std::move(warning));
  }
  all.insert(all.end(), result.across.begin(), result.across.end());
  return all;
}

Json fields_json(const std::vector<FieldSummary>& fields) {
  Json all = Json::array();
  for (const FieldSummary& field : fields) {
    Json shape = Json::array();
    for (const int64_t dim : field.spec.shape) shape.push_back(dim);
    all.push_back({{"name", field.name},
                   {"dtype", name_of(field.spec.dtype)},
                   {"shape", shape},
                   {"least", json_number(field.least)},
                   {"largest", json_number(field.largest)},
                   {"mean", json_number(field.mean)},
                   {"deviation", json_number(field.deviation)}});
  }
  return all;
}

Json classes_json(const std::vector<ClassCount>& classes) {
  Json all = Json::object();
  for (const ClassCount& one : classes) all[one.name] = one.records;
  return all;
}

Json bad_json(const CheckResult& result) {
  Json all = Json::array();
  for (const BadEntry* entry : all_bad(result))
    all.push_back({{"path", entry->path},
                   {"record", entry->record < 0 ? Json() : Json(entry->record)},
                   {"reason", to_string(entry->flaw)},
                   {"detail", entry->detail}});
  return all;
}

Json warnings_json(const CheckResult& result) {
  Json all = Json::array();
  for (const CheckWarning& warning : all_warnings(result))
    all.push_back({{"reason", warning.reason},
                   {"count", warning.count},
                   {"what", warning.what},
                   {"remedy", warning.remedy},
                   {"examples", warning.examples}});
  return all;
}

void print_row(const std::string& reason, int64_t count, const std::string& text) {
  print_text(fmt::format("{:<18} {:>9}  {}\n", reason, count, printable(text)));
}

void print_more(const std::string& text) {
  print_text(fmt::format("{:30}{}\n", "", printable(text)));
}

// The detail may begin with a place in the record.
std::string sentence_of(const BadEntry& entry) {
  return entry.detail.starts_with(entry.path) ? entry.detail : entry.path + ": " + entry.detail;
}

void print_bad(const CheckResult& result) {
  std::map<Flaw, Entries> by_flaw;
  for (const BadEntry* entry : all_bad(result)) by_flaw[entry->flaw].push_back(entry);
  std::vector<std::pair<Flaw, Entries>> rows(by_flaw.begin(), by_flaw.end());
  std::ranges::stable_sort(rows, std::greater(), [](const auto& row) { return row.second.size(); });
  if (!rows.empty()) print_text(fmt::format("\n{:<18} {:>9}\n", "bad", "records"));
  for (const auto& [flaw, entries] : rows) {
    for (size_t i = 0; i < std::min(entries.size(), kShown); ++i) {
      const std::string text = sentence_of(*entries[i]);
      if (i == 0)
        print_row(std::string(to_string(flaw)), std::ssize(entries), text);
      else
        print_more(text);
    }
    if (entries.size() > kShown) print_more("…");
    print_more("-> " + remedy_of(entries, result));
  }
}

void print_warnings(const std::vector<CheckWarning>& warnings) {
  if (!warnings.empty()) print_text(fmt::format("\n{:<18} {:>9}\n", "warning", "count"));
  for (const CheckWarning& warning : warnings) {
    print_row(warning.reason, warning.count, warning.what);
    for (size_t i = 0; i < std::min(warning.examples.size(), kShown); ++i)
      print_more("  " + warning.examples[i]);
    if (warning.count > static_cast<int64_t>(kShown)) print_more("  …");
    print_more("-> " + warning.remedy);
  }
}

}  // namespace

void print_as_json(const CheckResult& result) {
  Json json = {{"data", result.path}, {"records", result.data.records}};
  if (result.has_validation) json["validation_records"] = result.validation.records;
  json["bad"] = bad_json(result);
  json["warnings"] = warnings_json(result);
  json["fields"] = fields_json(result.data.fields);
  json["classes"] = classes_json(result.data.classes);
  if (result.encoding != nullptr)
    json["encoding"] = encoding_json(*result.encoding, result.targets);
  print_json(json);
}

void print_as_table(const CheckResult& result) {
  const auto warnings = all_warnings(result);
  const auto bad = all_bad(result);
  std::string text = fmt::format("{}: {} records", printable(result.path), result.data.records);
  if (result.has_validation)
    text += fmt::format(" and {} for validation", result.validation.records);
  print_text(text + fmt::format(", {} bad, {} warning(s)\n", bad.size(), warnings.size()));
  print_bad(result);
  print_warnings(warnings);
  if (result.encoding != nullptr) print_encoding(*result.encoding, result.targets);
}

}  // namespace plimsoll::cli
