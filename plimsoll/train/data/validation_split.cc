#include "plimsoll/train/data/validation_split.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/data/stages/shuffled.h"
#include "plimsoll/train/callbacks/number_text.h"

namespace plimsoll {

TrainingData split_last(const Dataset& data, double fraction) {
  if (fraction == 0) return {data};
  if (!data.buckets.empty())
    throw InvalidArgument("fit: validation_split is for data without buckets; split it before");
  if (data.source->stream() != nullptr)
    throw InvalidArgument(
        "fit: validation_split is for data with a number of records; this comes batch by batch, so "
        "give validation_data");
  const int64_t size = data.source->size();
  const auto kept = static_cast<int64_t>(static_cast<double>(size) * (1 - fraction));
  const int64_t begin = kept + data.source->overlap();
  if (fraction < 0 || kept < 1 || begin >= size)
    throw InvalidArgument(fmt::format(
        "fit: validation_split {} of {} samples leaves one part empty{}", number_text(fraction),
        size,
        data.source->overlap() == 0
            ? ""
            : fmt::format("; {} windows between the parts are left out, for they share rows with "
                          "the training part",
                          data.source->overlap())));
  TrainingData parts{data, data};
  parts.train.source = subset(data.source, 0, kept);
  parts.validation.source = subset(data.source, begin, size);
  return parts;
}

}  // namespace plimsoll
