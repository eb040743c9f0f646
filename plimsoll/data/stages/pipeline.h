// Pipeline: a source and the stages that its records pass before a model sees them, in one line:
//
//   Pipeline(image_folder("photos")).shuffle().map(darken).batch(32)
//
// Each stage is a source made of the one before (stages.h, mapped.h, …). Only filter reads records
// at once; otherwise worker threads read them ahead as the model runs, within its memory.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/data/images/augment_image.h"
#include "plimsoll/data/stages/mapped.h"
#include "plimsoll/data/stages/shuffled.h"
#include "plimsoll/data/stages/stages.h"

namespace plimsoll {

struct PipelineBatchOptions {
  bool drop_remainder = false;  // no last batch that is smaller
};

class Pipeline {
 public:
  Pipeline(SourcePtr source) : source_(std::move(source)) {}

  const SourcePtr& source() const { return source_; }
  operator SourcePtr() const { return source_; }
  // The number of records, not of batches.
  int64_t size() const { return source_->size(); }
  // The argument of batch(). None: whoever runs the model chooses the batch size, and shuffles.
  std::optional<int64_t> batch_size() const { return batch_size_; }

  Pipeline shuffle(const ShuffleOptions& options = {}) const;
  Pipeline map(ChangeRecord change) const;
  Pipeline map(const Specs& fields, MapRecord map) const;
  // Images in field 0, changed at random.
  Pipeline augment(const ImageAugmentation& options, int64_t seed = 0) const;
  Pipeline filter(const KeepRecord& keep) const;
  Pipeline take(int64_t count) const;
  Pipeline skip(int64_t count) const;
  Pipeline shard(int64_t count, int64_t index) const;
  Pipeline repeat(int64_t times) const;
  Pipeline concatenate(const Pipeline& next) const;
  Pipeline zip(const Pipeline& beside) const;
  // In memory, or in a file in the folder.
  Pipeline cache(const std::string& folder = "") const;
  // The last stage: a stage after it is an InvalidArgument.
  Pipeline batch(int64_t size, const PipelineBatchOptions& options = {}) const;

 private:
  Pipeline with(SourcePtr source, const char* stage) const;

  SourcePtr source_;
  std::optional<int64_t> batch_size_;
};

}  // namespace plimsoll
