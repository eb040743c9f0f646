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

}  // namespace

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
                        .what = "records that are in the data before, bit for bit",
                        .remedy = "remove them, or they count twice",
                        .examples = shown(std::move(same), name, name)});
  if (!conflicting.empty() && are_classes)
    warnings.push_back({.reason = "conflicting_label",
                        .count = std::ssize(conflicting),
                        .what = "records whose inputs are in the data under another label",
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
                      .remedy = "remove them from one of the two, or the measure is too good",
                      .examples = shown(std::move(leaks), validation_name, train_name)});
}

}  // namespace plimsoll
