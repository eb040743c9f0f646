#include "plimsoll/data/stages/pipeline.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/data/stages/cached.h"

namespace plimsoll {

Pipeline Pipeline::with(SourcePtr source, const char* stage) const {
  if (batch_size_)
    throw InvalidArgument(std::string(stage) +
                          ": stages work on records; put it before batch(), which is the last");
  return Pipeline(std::move(source));
}

Pipeline Pipeline::shuffle(const ShuffleOptions& options) const {
  return with(shuffled(source_, options), "shuffle");
}

Pipeline Pipeline::map(ChangeRecord change) const {
  return with(mapped(source_, std::move(change)), "map");
}

Pipeline Pipeline::map(const Specs& fields, MapRecord map) const {
  return with(mapped(source_, fields, std::move(map)), "map");
}

Pipeline Pipeline::augment(const ImageAugmentation& options, int64_t seed) const {
  return with(augmented(source_, options, seed), "augment");
}

Pipeline Pipeline::filter(const KeepRecord& keep) const {
  return with(filtered(source_, keep), "filter");
}

Pipeline Pipeline::take(int64_t count) const {
  return with(plimsoll::take(source_, count), "take");
}

Pipeline Pipeline::skip(int64_t count) const {
  return with(plimsoll::skip(source_, count), "skip");
}

Pipeline Pipeline::shard(int64_t count, int64_t index) const {
  return with(plimsoll::shard(source_, count, index), "shard");
}

Pipeline Pipeline::repeat(int64_t times) const {
  return with(plimsoll::repeat(source_, times), "repeat");
}

Pipeline Pipeline::concatenate(const Pipeline& next) const {
  return with(plimsoll::concatenate({source_, next.source_}), "concatenate");
}

Pipeline Pipeline::zip(const Pipeline& beside) const {
  return with(zipped({source_, beside.source_}), "zip");
}

Pipeline Pipeline::cache(const std::string& folder) const {
  return with(cached(source_, folder), "cache");
}

Pipeline Pipeline::batch(int64_t size, const PipelineBatchOptions& options) const {
  if (size < 1)
    throw InvalidArgument(fmt::format("batch: expected 1 record or more, found {}", size));
  const int64_t whole = source_->size() / size * size;
  Pipeline batched =
      with(options.drop_remainder ? plimsoll::take(source_, whole) : source_, "batch");
  batched.batch_size_ = size;
  return batched;
}

}  // namespace plimsoll
