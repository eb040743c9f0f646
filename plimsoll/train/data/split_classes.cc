#include "plimsoll/train/data/split_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/record_view.h"
#include "plimsoll/tensor/text.h"
#include "plimsoll/train/data/model_fields.h"

namespace plimsoll {
namespace {

// Of the records of a part that were looked at.
struct ClassShares {
  std::map<int64_t, int64_t> records_of = {};
  int64_t records = 0;

  double share(int64_t label) const {
    const auto found = records_of.find(label);
    return found == records_of.end()
               ? 0
               : static_cast<double>(found->second) / static_cast<double>(records);
  }
};

bool takes_classes(const Loss& loss) {
  return loss.defined() && loss.targets().kind != LossTargets::Kind::numbers;
}

// The class of a target: its number, or the place of the largest of its numbers. None for others.
std::optional<int64_t> class_in(const RecordView& record, size_t field) {
  if (holds_text(record.specs[field])) return std::nullopt;
  return record.visit(field, [](auto numbers) -> std::optional<int64_t> {
    if (numbers.size() > 1) return std::ranges::max_element(numbers) - numbers.begin();
    if (numbers.empty()) return std::nullopt;
    const auto number = static_cast<double>(numbers[0]);
    if (number != std::trunc(number) || std::abs(number) > 1e9) return std::nullopt;
    return static_cast<int64_t>(number);
  });
}

int64_t records_to_look_at(const Source& source) {
  constexpr int64_t kBytes = int64_t{128} << 20, kLeast = 200, kMost = 10'000;
  if (source.class_of(0)) return source.size();
  int64_t bytes = 1;
  for (const Spec& spec : source.fields()) bytes += spec.bytes();
  const int64_t most = source.is_in_memory() ? std::clamp(kBytes / bytes, kLeast, kMost) : kLeast;
  return std::min(source.size(), most);
}

// Bad records are a matter of the run.
ClassShares shares_of(const Source& source, size_t field) {
  ClassShares shares;
  std::vector<std::vector<std::byte>> room;
  std::vector<std::byte*> into;
  for (const Spec& spec : source.fields())
    into.push_back(room.emplace_back(static_cast<size_t>(spec.bytes())).data());
  const std::vector<const std::byte*> fields(into.begin(), into.end());
  const int64_t looks = records_to_look_at(source);
  for (int64_t i = 0; i < looks; ++i) {
    const int64_t record = i * source.size() / looks;
    std::optional<int64_t> label = source.class_of(record);
    if (!label) try {
        source.read(record, into);
        label = class_in({record, source.fields(), fields}, field);
      } catch (const Error&) {
        continue;
      }
    if (!label) continue;
    ++shares.records_of[*label];
    ++shares.records;
  }
  return shares;
}

// True if no chance makes such parts of shuffled records: half of the distance between their shares
// is more than that chance makes and 0.4, or the one part has a single class that the other has
// too seldom for that.
bool are_of_other_classes(const ClassShares& train, const ClassShares& validation) {
  constexpr int64_t kFewest = 10;
  constexpr double kDistance = 0.4, kUnlikely = 1e-6;
  if (validation.records < kFewest || train.records < kFewest) return false;
  std::set<int64_t> labels;
  for (const ClassShares* part : {&train, &validation})
    for (const auto& [label, records] : part->records_of) labels.insert(label);
  double distance = 0;
  for (const int64_t label : labels)
    distance += std::abs(train.share(label) - validation.share(label)) / 2;
  const auto of_train = static_cast<double>(train.records);
  const auto of_validation = static_cast<double>(validation.records);
  const double by_chance = std::sqrt(static_cast<double>(labels.size()) *
                                     (1 / of_train + 1 / of_validation) / (2 * std::numbers::pi));
  if (distance > kDistance + by_chance) return true;
  if (validation.records_of.size() != 1 || labels.size() == 1) return false;
  const double share = train.share(validation.records_of.begin()->first);
  return of_validation * std::log(share) < std::log(kUnlikely);
}

std::string name_of_class(const Source& source, int64_t label) {
  const auto names = source.class_names();
  return label >= 0 && label < std::ssize(names)
             ? fmt::format("'{}'", names[static_cast<size_t>(label)])
             : fmt::format("{}", label);
}

std::string text_of(const Source& source, const ClassShares& train, const ClassShares& validation) {
  const auto excess = [&](const auto& one) {
    return validation.share(one.first) - train.share(one.first);
  };
  const int64_t label = std::ranges::max_element(validation.records_of, {}, excess)->first;
  return fmt::format(
      "the validation is the last part of the data, and {:.0f}% of it is of class {}, against "
      "{:.0f}% of the training part: the records come sorted by class, so the model is measured on "
      "what it has hardly seen",
      100 * validation.share(label), name_of_class(source, label), 100 * train.share(label));
}

}  // namespace

std::optional<Finding> about_split_classes(const Model& model, const TrainingData& parts,
                                           const std::string& where, const std::string& remedy) {
  if (parts.validation.source == nullptr) return std::nullopt;
  const Source &train = *parts.train.source, &validation = *parts.validation.source;
  // The order of a series is its meaning.
  if (train.overlap() > 0) return std::nullopt;
  const std::vector<Loss> losses = losses_of(model);
  const size_t field = model.network().inputs().size();
  if (losses.size() != 1 || !takes_classes(losses[0]) || train.fields().size() <= field)
    return std::nullopt;
  const ClassShares of_train = shares_of(train, field), of_rest = shares_of(validation, field);
  if (!are_of_other_classes(of_train, of_rest)) return std::nullopt;
  return Finding{.severity = Finding::Severity::warning,
                 .where = where,
                 .what = text_of(train, of_train, of_rest),
                 .remedy = remedy};
}

}  // namespace plimsoll
