#include "plimsoll/train/checked_records.h"

#include <utility>

#include "plimsoll/data/stages/finite_records.h"

namespace plimsoll {
namespace {

template <class Check>
Dataset with_checked_sources(Dataset data, const Check& check) {
  if (data.buckets.empty()) {
    data.source = check(data.source);
    return data;
  }
  for (SourcePtr& bucket : data.buckets) bucket = check(bucket);
  data.source = data.buckets.back();
  return data;
}

SourcePtr in_range(ModelSteps& steps, SourcePtr source, const RecordFields& fields) {
  std::vector<NumberRange> ranges = steps.number_ranges_of(fields);
  return ranges.empty() ? source : numbers_in_range(std::move(source), std::move(ranges));
}

}  // namespace

Dataset checked_records(ModelSteps& steps, const Dataset& data, const ReadingOptions& reading) {
  return with_checked_sources(data, [&](const SourcePtr& source) {
    const SourcePtr finite = reading.allow_not_finite ? source : finite_records(source);
    return in_range(steps, finite, steps.fields_of(source->fields(), data));
  });
}

Dataset checked_inputs(ModelSteps& steps, const Dataset& data) {
  return with_checked_sources(data, [&](const SourcePtr& source) {
    return in_range(steps, source, steps.input_fields_of(source->fields(), data));
  });
}

}  // namespace plimsoll
