#include "plimsoll/data/check/check_records.h"

#include <algorithm>

#include "plimsoll/base/threads.h"
#include "plimsoll/data/check/check_duplicates.h"
#include "plimsoll/data/check/check_images.h"
#include "plimsoll/data/check/check_labels.h"
#include "plimsoll/data/check/check_numbers.h"
#include "plimsoll/data/loader/in_chunks.h"

namespace plimsoll {
namespace {

// What some records, one behind the other, have shown.
struct Shown {
  NumberStatistics numbers;
  LabelCounts labels = {};
  ImageStatistics images = {};
  std::vector<Fingerprint> fingerprints = {};
  std::vector<BadEntry> bad = {};

  void merge(const Shown& later) {
    numbers.merge(later.numbers);
    labels.merge(later.labels);
    images.merge(later.images);
    fingerprints.insert(fingerprints.end(), later.fingerprints.begin(), later.fingerprints.end());
    bad.insert(bad.end(), later.bad.begin(), later.bad.end());
  }
};

std::string without_name(const std::string& message, const std::string& name) {
  const bool has_name = message.starts_with(name + ": ");
  return has_name ? message.substr(name.size() + 2) : message;
}

class RecordChecker {
 public:
  RecordChecker(const Source& source, const CheckOptions& options)
      : source_(source), options_(options), fields_(options.fields) {
    fields_.resize(source.fields().size());
    for (size_t i = 0; i < fields_.size(); ++i)
      if (fields_[i].name.empty()) fields_[i].name = std::to_string(i);
    const auto target = std::ranges::find(fields_, FieldRole::target, &FieldToCheck::role);
    target_ = static_cast<size_t>(target - fields_.begin());
    if (target != fields_.end() && !source.class_names().empty()) target->is_classes = true;
  }

  CheckReport check() const {
    Shown all = nothing();
    all.fingerprints.reserve(static_cast<size_t>(source_.size()));
    InChunks<Shown> chunks(
        source_.size(), chunk_size(),
        [&](int64_t begin, int64_t end) { return look_at(begin, end); },
        [&](Shown&& shown) { all.merge(shown); });
    chunks.run(options_.threads > 0 ? options_.threads : thread_count(), options_.progress);
    return report_of(std::move(all));
  }

 private:
  Shown nothing() const { return {.numbers = NumberStatistics(source_.fields(), fields_)}; }

  // As large as makes the work behind a chunk small.
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
      shown.fingerprints.emplace_back();
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
    uint64_t file = 0;
    try {
      if (options_.are_images)
        file = shown.images.add_file(record, source_.name(record), options_.limits);
      source_.read(record, into);
    } catch (const Error& error) {
      return Problem{flaw_of(error), without_name(error.what(), source_.name(record))};
    }
    const std::vector<const std::byte*> places(into.begin(), into.end());
    const RecordView view{record, source_.fields(), places};
    std::optional<Problem> problem = shown.numbers.add(view);
    if (problem) return problem;
    for (size_t i = 0; i < fields_.size(); ++i)
      if (fields_[i].role == FieldRole::input) shown.images.add_pixels(view, i);
    if (target_ < fields_.size()) shown.labels.add(view, target_);
    shown.fingerprints.back() = fingerprint_of(view, file);
    return std::nullopt;
  }

  // `file` stands for the inputs where it is not 0.
  Fingerprint fingerprint_of(const RecordView& record, uint64_t file) const {
    Fingerprint own{.inputs = file, .targets = 1};
    for (size_t i = 0; i < fields_.size(); ++i) {
      if (fields_[i].role == FieldRole::target)
        own.targets = fingerprint(record.bytes(i), own.targets);
      else if (fields_[i].role == FieldRole::input && file == 0)
        own.inputs = fingerprint(record.bytes(i), own.inputs);
    }
    return own;
  }

  CheckReport report_of(Shown all) const {
    CheckReport report{.records = source_.size(), .bad = options_.known};
    const RecordName name = [&](int64_t record) { return source_.name(record); };
    report.bad.insert(report.bad.end(), all.bad.begin(), all.bad.end());
    std::ranges::stable_sort(report.bad, {}, &BadEntry::record);
    report.fields = all.numbers.summaries();
    warn_of_columns(report.fields, report.warnings);
    const bool are_classes = target_ < fields_.size() && all.labels.are_classes(fields_[target_]);
    if (are_classes) report.classes = all.labels.counts(fields_[target_], source_.class_names());
    warn_of_classes(report.classes, report.warnings);
    all.images.warn(name, report.warnings);
    report.fingerprints = std::move(all.fingerprints);
    warn_of_duplicates(report.fingerprints, are_classes, name, report.warnings);
    return report;
  }

  const Source& source_;
  const CheckOptions& options_;
  std::vector<FieldToCheck> fields_;
  size_t target_ = 0;  // the first; behind the last where there is none
};

}  // namespace

CheckReport check_records(const Source& source, const CheckOptions& options) {
  return RecordChecker(source, options).check();
}

}  // namespace plimsoll
