#include "plimsoll/data/check/check_duplicates.h"

#include <algorithm>
#include <map>
#include <utility>

namespace plimsoll {
namespace {

using Records = std::vector<int64_t>;

const Fingerprint& of(std::span<const Fingerprint> all, int64_t record) {
  return all[static_cast<size_t>(record)];
}

// The records that could be read, the same ones side by side.
Records sorted(std::span<const Fingerprint> all) {
  Records records;
  for (int64_t i = 0; i < std::ssize(all); ++i)
    if (of(all, i).inputs != 0) records.push_back(i);
  std::ranges::sort(records, {}, [&](int64_t i) { return std::pair(of(all, i).inputs, i); });
  return records;
}

// A record and the one before it that it is like.
struct Pair {
  int64_t record, first;
};

std::vector<std::string> shown(std::vector<Pair> pairs, const RecordName& name,
                               const RecordName& first_name) {
  std::ranges::sort(pairs, {}, &Pair::record);
  std::vector<std::string> texts;
  for (size_t i = 0; i < std::min(pairs.size(), NotedRecords::kKept); ++i)
    texts.push_back(name(pairs[i].record) + " = " + first_name(pairs[i].first));
  return texts;
}

// One fingerprint for each record from `first_` on; those that were not seen have none.
class DuplicateCheck final : public RecordCheck {
 public:
  explicit DuplicateCheck(const RecordsInCheck& records) : records_(records) {}

  void look_at_file(int64_t record, const std::string&, std::span<const std::byte> bytes) override {
    at(record).inputs = fingerprint(bytes);
    file_ = record;
  }

  std::optional<Problem> look_at(const RecordView& record) override {
    Fingerprint& own = at(record.number);
    own.targets = 1;
    for (size_t i = 0; i < records_.fields.size(); ++i) {
      const FieldRole role = records_.fields[i].role;
      if (role == FieldRole::target) own.targets = fingerprint(record.bytes(i), own.targets);
      // If the record is a file, the fingerprint of the inputs is that of the file.
      if (role == FieldRole::input && file_ != record.number)
        own.inputs = fingerprint(record.bytes(i), own.inputs);
    }
    return std::nullopt;
  }

  void merge(const RecordCheck& later) override {
    const auto& more = static_cast<const DuplicateCheck&>(later);
    if (more.all_.empty()) return;
    if (all_.empty()) {
      first_ = more.first_;
      all_.reserve(static_cast<size_t>(records_.source.size() - first_));
    }
    all_.resize(static_cast<size_t>(more.first_ - first_));
    all_.insert(all_.end(), more.all_.begin(), more.all_.end());
  }

  void report(const RecordName& name, CheckReport& report) override {
    all_.insert(all_.begin(), static_cast<size_t>(first_), Fingerprint{});
    all_.resize(static_cast<size_t>(report.records));
    report.fingerprints = std::move(all_);
    // A record that was not read as a whole is no duplicate.
    for (Fingerprint& one : report.fingerprints)
      if (one.targets == 0) one = {};
    warn_of_duplicates(report.fingerprints, !report.classes.empty(), name, report.warnings);
  }

 private:
  Fingerprint& at(int64_t record) {
    if (all_.empty()) first_ = record;
    all_.resize(static_cast<size_t>(record - first_ + 1));
    return all_.back();
  }

  const RecordsInCheck& records_;
  int64_t first_ = 0, file_ = -1;  // file_: the last record whose file was seen
  std::vector<Fingerprint> all_;
};

}  // namespace

std::unique_ptr<RecordCheck> check_duplicates(const RecordsInCheck& records) {
  return std::make_unique<DuplicateCheck>(records);
}

void warn_of_duplicates(std::span<const Fingerprint> all, bool are_classes, const RecordName& name,
                        std::vector<CheckWarning>& warnings) {
  const Records records = sorted(all);
  std::vector<Pair> same, conflicting;
  std::map<uint64_t, int64_t> first_of;  // the targets that come with the inputs, and first where
  int64_t first = -1;                    // with these inputs
  for (size_t i = 0; i < records.size(); ++i) {
    const Fingerprint& own = of(all, records[i]);
    if (i == 0 || of(all, records[i - 1]).inputs != own.inputs) {
      first_of.clear();
      first = records[i];
    }
    const auto [found, is_new] = first_of.emplace(own.targets, records[i]);
    if (!is_new)
      same.push_back({records[i], found->second});
    else if (records[i] != first)
      conflicting.push_back({records[i], first});
  }
  if (!same.empty())
    warnings.push_back({.reason = "duplicate",
                        .count = std::ssize(same),
                        .what = "records that are exact copies of earlier ones",
                        .remedy = "remove them, or they count twice",
                        .examples = shown(std::move(same), name, name)});
  if (!conflicting.empty() && are_classes)
    warnings.push_back({.reason = "conflicting_label",
                        .count = std::ssize(conflicting),
                        .what = "records with the inputs of an earlier one but another label",
                        .remedy = "decide which label is right and remove the others",
                        .examples = shown(std::move(conflicting), name, name)});
}

void warn_of_leaks(std::span<const Fingerprint> train, const RecordName& train_name,
                   std::span<const Fingerprint> validation, const RecordName& validation_name,
                   std::vector<CheckWarning>& warnings) {
  const Records known = sorted(train);
  const auto inputs = [&](int64_t record) { return of(train, record).inputs; };
  std::vector<Pair> leaks;
  for (int64_t i = 0; i < std::ssize(validation); ++i) {
    const uint64_t wanted = of(validation, i).inputs;
    const auto found = std::ranges::lower_bound(known, wanted, {}, inputs);
    if (wanted != 0 && found != known.end() && inputs(*found) == wanted)
      leaks.push_back({i, *found});
  }
  if (leaks.empty()) return;
  warnings.push_back({.reason = "leak",
                      .count = std::ssize(leaks),
                      .what = "records of the validation data that are in the training data too",
                      .remedy = "remove them from one of the two, or the results look too good",
                      .examples = shown(std::move(leaks), validation_name, train_name)});
}

}  // namespace plimsoll
