#include "plimsoll/train/data/class_weight.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/nearest_name.h"
#include "plimsoll/formats/archives/json.h"

namespace plimsoll {
namespace {

int64_t class_in_label(const std::byte* label, const Spec& spec) {
  return visit_dtype(spec.dtype, [&]<class T>(T) {
    const T* values = reinterpret_cast<const T*>(label);
    const int64_t count = spec.shape.elements();
    if (count > 1) return static_cast<int64_t>(std::max_element(values, values + count) - values);
    return static_cast<int64_t>(std::llrint(static_cast<double>(*values)));
  });
}

class ClassWeighted final : public SourceStage {
 public:
  ClassWeighted(SourcePtr source, int target, ClassWeight weights)
      : SourceStage(std::move(source)),
        target_(static_cast<size_t>(target)),
        weights_(std::move(weights)),
        fields_(inner().fields()) {
    fields_.push_back({DType::float32, {}});
  }

  // The batches of a stream, which one thread reads, may have records of different shapes.
  const Specs& fields() const override {
    if (stream() != nullptr) std::ranges::copy(inner().fields(), fields_.begin());
    return fields_;
  }

  void read(RecordId id, std::span<std::byte* const> into) const override {
    inner().read(id, into.first(into.size() - 1));
    const auto found = weights_.find(class_in_label(into[target_], fields_[target_]));
    const float weight = found == weights_.end() ? 1.0f : static_cast<float>(found->second);
    std::memcpy(into.back(), &weight, sizeof weight);
  }

 private:
  size_t target_;
  ClassWeight weights_;
  mutable Specs fields_;
};

// The class in the label of a record; none if it cannot be read.
std::optional<int64_t> class_of_record(const Source& source, int64_t record, size_t target,
                                       std::span<std::byte* const> into) {
  if (const auto known = source.class_of(record)) return known;
  try {
    source.read(record, into);
  } catch (const Error&) {
    return std::nullopt;
  }
  const Spec& spec = source.fields()[target];
  if (spec.shape.elements() == 1)
    visit_dtype(spec.dtype, [&]<class T>(T) {
      const auto label = static_cast<double>(*reinterpret_cast<const T*>(into[target]));
      if (label < 0 || (label != std::trunc(label) && std::isfinite(label)))
        throw InvalidArgument(
            fmt::format("{}: class weights need whole numbers from 0 on as labels, found {}",
                        source.name(record), label));
    });
  return class_in_label(into[target], spec);
}

}  // namespace

ClassWeight balanced_class_weight(const Dataset& data, int target) {
  constexpr size_t kMostClasses = 10'000;
  const Source& source = *data.source;
  std::vector<std::vector<std::byte>> buffers;
  std::vector<std::byte*> into;
  for (const Spec& spec : source.fields())
    into.push_back(buffers.emplace_back(static_cast<size_t>(spec.bytes())).data());
  std::map<int64_t, int64_t> records_of;
  int64_t records = 0;
  for (int64_t i = 0; i < source.size(); ++i) {
    const auto number = class_of_record(source, i, static_cast<size_t>(target), into);
    if (!number) continue;
    ++records;
    ++records_of[*number];
    if (records_of.size() > kMostClasses)
      throw InvalidArgument(fmt::format("{}: class weights are for at most {} classes, found more",
                                        source.name(i), kMostClasses));
  }
  ClassWeight weights;
  for (const auto& [number, count] : records_of)
    weights[number] = static_cast<double>(records) /
                      (static_cast<double>(records_of.size()) * static_cast<double>(count));
  return weights;
}

namespace {

int64_t class_named(const std::string& key, std::span<const std::string> names,
                    const std::string& where) {
  const auto found = std::ranges::find(names, key);
  if (found != names.end()) return found - names.begin();
  int64_t number = -1;
  const char* end = key.data() + key.size();
  const bool is_number = std::from_chars(key.data(), end, number).ptr == end && !key.empty();
  if (is_number && number >= 0 && (names.empty() || number < std::ssize(names))) return number;
  if (names.empty())
    throw InvalidArgument(fmt::format(
        "{}: the classes have no names here, expected their numbers, found '{}'", where, key));
  throw InvalidArgument(fmt::format("{}: there is no class '{}'{}; the classes are {}", where, key,
                                    did_you_mean(key, names), fmt::join(names, ", ")));
}

}  // namespace

ClassWeight class_weight_from_json(const std::string& text, std::span<const std::string> names,
                                   const std::string& where) {
  const auto json = parse_json(text, where);
  if (!json.is_object() || json.empty())
    throw InvalidArgument(
        where +
        ": expected a JSON object of classes and their weights, such as {\"cat\": "
        "2, \"dog\": 0.5}");
  ClassWeight weights;
  for (const auto& [key, value] : json.items()) {
    if (!value.is_number() || !(value.get<double>() >= 0) || !std::isfinite(value.get<double>()))
      throw InvalidArgument(fmt::format(
          "{}: the weight of '{}' must be a number from 0 on, found {}", where, key, value.dump()));
    if (!weights.emplace(class_named(key, names, where), value.get<double>()).second)
      throw InvalidArgument(
          fmt::format("{}: '{}' is a class that has a weight already", where, key));
  }
  return weights;
}

Dataset with_class_weight(const Dataset& data, int target, const ClassWeight& weights) {
  if (data.sample_weights > 0)
    throw InvalidArgument("class_weight and sample_weight cannot be given together");
  const Spec& label = data.source->fields()[static_cast<size_t>(target)];
  if (label.shape.rank() > 1)
    throw InvalidArgument("class_weight needs one class per sample, found targets of shape " +
                          label.shape.to_string() + " each; use sample_weight");
  Dataset weighted = data;
  weighted.source = std::make_shared<ClassWeighted>(data.source, target, weights);
  weighted.sample_weights = 1;
  if (!weighted.names.empty()) weighted.names.emplace_back();
  return weighted;
}

}  // namespace plimsoll
