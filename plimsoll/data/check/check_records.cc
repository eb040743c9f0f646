#include "plimsoll/data/check/check_records.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/flaw.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/data/check/record_check.h"
#include "plimsoll/data/loader/in_chunks.h"
#include "plimsoll/data/sources/image_source.h"

namespace plimsoll {
namespace {

using Checks = std::vector<std::unique_ptr<RecordCheck>>;

// What some records, one after the other, have shown.
struct Shown {
  Checks checks;  // one for each row of record_checks()
  std::vector<BadEntry> bad = {};

  void merge(const Shown& later) {
    for (size_t i = 0; i < checks.size(); ++i) checks[i]->merge(*later.checks[i]);
    bad.insert(bad.end(), later.bad.begin(), later.bad.end());
  }
};

RecordsInCheck records_of(const Source& source, const CheckOptions& options) {
  RecordsInCheck records{source, options.fields, 0};
  records.fields.resize(source.fields().size());
  for (size_t i = 0; i < records.fields.size(); ++i)
    if (records.fields[i].name.empty()) records.fields[i].name = std::to_string(i);
  const auto target = std::ranges::find(records.fields, FieldRole::target, &FieldToCheck::role);
  records.target = static_cast<size_t>(target - records.fields.begin());
  if (target != records.fields.end() && !source.class_names().empty()) target->is_classes = true;
  return records;
}

std::string without_name(const std::string& message, const std::string& name) {
  const bool has_name = message.starts_with(name + ": ");
  return has_name ? message.substr(name.size() + 2) : message;
}

class RecordChecker {
 public:
  RecordChecker(const Source& source, const CheckOptions& options)
      : source_(source), options_(options), records_(records_of(source, options)) {}

  CheckReport check() const {
    Shown all = nothing();
    InChunks<Shown> chunks(
        source_.size(), chunk_size(),
        [&](int64_t begin, int64_t end) { return look_at(begin, end); },
        [&](Shown&& shown) { all.merge(shown); });
    chunks.run(options_.threads > 0 ? options_.threads : thread_count(), options_.progress);
    return report_of(std::move(all));
  }

 private:
  Shown nothing() const {
    Shown shown;
    for (const RecordCheckKind& kind : record_checks()) shown.checks.push_back(kind.make(records_));
    return shown;
  }

  // Large enough that the work per chunk is small beside that on its records.
  int64_t chunk_size() const {
    constexpr int64_t kChunkBytes = 4 << 20, kMost = 4096;
    int64_t bytes = 1;
    for (const Spec& field : source_.fields()) bytes += field.bytes();
    return std::clamp<int64_t>(kChunkBytes / bytes, 1, kMost);
  }

  Shown look_at(int64_t begin, int64_t end) const {
    Shown shown = nothing();
    std::vector<std::vector<std::byte>> storage;
    for (const Spec& field : source_.fields())
      storage.emplace_back(static_cast<size_t>(field.bytes()));
    std::vector<std::byte*> into;
    for (auto& field : storage) into.push_back(field.data());
    for (int64_t record = begin; record < end; ++record) {
      if (is_known(record)) continue;
      if (std::optional<Problem> problem = look_at(record, into, shown))
        shown.bad.push_back(
            {record, source_.name(record), problem->flaw, std::move(problem->detail)});
    }
    return shown;
  }

  bool is_known(int64_t record) const {
    return std::ranges::binary_search(options_.known, record, {}, &BadEntry::record);
  }

  std::optional<Problem> look_at(int64_t record, std::span<std::byte* const> into,
                                 Shown& shown) const {
    const std::string name = source_.name(record);
    try {
      if (options_.are_images) look_at_file(record, name, shown);
      source_.read(record, into);
    } catch (const Error& error) {
      return Problem{flaw_of(error), without_name(error.what(), name)};
    }
    const std::vector<const std::byte*> places(into.begin(), into.end());
    const RecordView view{record, source_.fields(), places};
    for (const auto& check : shown.checks)
      if (std::optional<Problem> problem = check->look_at(view)) return problem;
    return std::nullopt;
  }

  void look_at_file(int64_t record, const std::string& name, Shown& shown) const {
    with_image_file(source_, record, [&](std::span<const std::byte> bytes) {
      if (std::ssize(bytes) > options_.limits.file_bytes)
        throw FlawedRecord(
            Flaw::too_large,
            fmt::format("{}: the file has {}, at most {} are read as an image", name,
                        format_bytes(std::ssize(bytes)), format_bytes(options_.limits.file_bytes)));
      for (const auto& check : shown.checks) check->look_at_file(record, name, bytes);
    });
  }

  CheckReport report_of(Shown all) const {
    CheckReport report{.records = source_.size(), .bad = options_.known};
    report.bad.insert(report.bad.end(), all.bad.begin(), all.bad.end());
    std::ranges::stable_sort(report.bad, {}, &BadEntry::record);
    const RecordName name = [&](int64_t record) { return source_.name(record); };
    for (const auto& check : all.checks) check->report(name, report);
    return report;
  }

  const Source& source_;
  const CheckOptions& options_;
  RecordsInCheck records_;
};

}  // namespace

CheckReport check_records(const Source& source, const CheckOptions& options) {
  return RecordChecker(source, options).check();
}

}  // namespace plimsoll
