#include "plimsoll/data/stages/buckets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/stages/chosen.h"

namespace plimsoll {
namespace {

// Fields cut to their first steps.
class Cut final : public SourceStage {
 public:
  Cut(SourcePtr source, const std::vector<int>& cut, int64_t length)
      : SourceStage(std::move(source)), fields_(inner().fields()) {
    for (const int field : cut) fields_[static_cast<size_t>(field)].shape[0] = length;
  }

  const Specs& fields() const override { return fields_; }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    std::vector<std::vector<std::byte>> whole(fields_.size());
    std::vector<std::byte*> places(into.begin(), into.end());
    for (size_t i = 0; i < fields_.size(); ++i) {
      if (fields_[i] == inner().fields()[i]) continue;
      whole[i].resize(static_cast<size_t>(inner().fields()[i].bytes()));
      places[i] = whole[i].data();
    }
    inner().read(id, places);
    for (size_t i = 0; i < fields_.size(); ++i)
      if (!whole[i].empty())
        std::memcpy(into[i], whole[i].data(), static_cast<size_t>(fields_[i].bytes()));
  }

 private:
  Specs fields_;
};

void check(const Source& source, const BucketOptions& options) {
  if (options.boundaries.empty() || options.boundaries[0] < 1 ||
      !std::ranges::is_sorted(options.boundaries, std::ranges::less_equal()))
    throw InvalidArgument("buckets: expected boundaries of 1 or more that rise");
  const auto fields = static_cast<int>(source.fields().size());
  if (options.fields.empty()) throw InvalidArgument("buckets: there is no field to cut");
  for (const int field : options.fields)
    if (field < 0 || field >= fields ||
        source.fields()[static_cast<size_t>(field)].shape.rank() == 0)
      throw InvalidArgument(fmt::format("buckets: field {} is no sequence", field));
}

// The steps up to the last that is not all zeros.
int64_t steps_before_padding(const Spec& field, const RecordReader& record, int number) {
  return visit_dtype(field.dtype, [&]<class T>(T) {
    const std::span<const T> values = record.field<T>(number);
    const auto step = std::ssize(values) / std::max<int64_t>(1, field.shape[0]);
    int64_t used = std::ssize(values);
    while (used > 0 && values[static_cast<size_t>(used - 1)] == T{}) --used;
    return step == 0 ? int64_t{0} : (used + step - 1) / step;
  });
}

}  // namespace

std::vector<SourcePtr> bucketed(const SourcePtr& source, const BucketOptions& options) {
  check(*source, options);
  const int first = options.fields[0];
  const Spec& field = source->fields()[static_cast<size_t>(first)];
  std::vector<int64_t> ends;
  for (const int64_t boundary : options.boundaries)
    if (boundary < field.shape[0]) ends.push_back(boundary);
  ends.push_back(field.shape[0]);
  std::vector<std::vector<int64_t>> numbers(ends.size());
  for_each_record(source, [&](int64_t number, const RecordReader& record) {
    const int64_t length =
        options.length ? options.length(record) : steps_before_padding(field, record, first);
    const auto bucket = std::ranges::lower_bound(ends.begin(), ends.end() - 1, length);
    numbers[static_cast<size_t>(bucket - ends.begin())].push_back(number);
  });
  std::vector<SourcePtr> sources;
  for (size_t i = 0; i < ends.size(); ++i)
    if (!numbers[i].empty())
      sources.push_back(
          std::make_shared<Cut>(chosen(source, std::move(numbers[i])), options.fields, ends[i]));
  return sources;
}

}  // namespace plimsoll
