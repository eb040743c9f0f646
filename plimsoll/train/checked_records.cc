#include "plimsoll/train/checked_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plimsoll/base/error.h"
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

SourcePtr repaired_inputs(SourcePtr source, const RecordFields& fields,
                          const ColumnValues& per_input, const std::vector<std::string>& names) {
  ColumnValues per_field(fields.specs.size());
  for (size_t i = 0; i < std::min(per_input.size(), fields.roles.inputs.size()); ++i) {
    const auto field = static_cast<size_t>(fields.roles.inputs[i]);
    const Spec& spec = fields.specs[field];
    if (per_input[i].empty()) continue;
    if (spec.dtype != DType::float32 || spec.shape.elements() != std::ssize(per_input[i]))
      throw InvalidArgument(
          fmt::format("repair: there are {} numbers for the input '{}', which is {}",
                      per_input[i].size(), names[field], spec.to_string()));
    per_field[field] = per_input[i];
  }
  return repaired(std::move(source), std::move(per_field));
}

SourcePtr checked(ModelSteps& steps, SourcePtr source, const RecordFields& fields,
                  const ReadingOptions& reading) {
  const std::vector<std::string> names = steps.field_names_of(fields);
  if (!reading.repair_values.empty())
    source = repaired_inputs(std::move(source), fields, reading.repair_values, names);
  if (!reading.allow_not_finite) source = finite_records(std::move(source), names);
  std::vector<NumberRange> ranges = steps.number_ranges_of(fields);
  return ranges.empty() ? source : numbers_in_range(std::move(source), std::move(ranges), names);
}

}  // namespace

Dataset checked_records(ModelSteps& steps, const Dataset& data, const ReadingOptions& reading) {
  return with_checked_sources(data, [&](const SourcePtr& source) {
    return checked(steps, source, steps.fields_of(source->fields(), data), reading);
  });
}

Dataset checked_inputs(ModelSteps& steps, const Dataset& data, const ReadingOptions& reading) {
  return with_checked_sources(data, [&](const SourcePtr& source) {
    return checked(steps, source, steps.input_fields_of(source->fields(), data), reading);
  });
}

}  // namespace plimsoll
