// Dataset: records, and what each of their fields is to a model.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/data/stages/pipeline.h"
#include "plimsoll/formats/tables/table_schema.h"
#include "plimsoll/graph/tensor.h"

namespace plimsoll {

// Tensors whose axis 0 is the sample, in the order of a model's inputs or outputs, or by name: x,
// {a, b}, {{"left", a}, {"right", b}}.
struct Columns {
  Columns() = default;
  Columns(const Tensor& one) : tensors{one} {}
  Columns(const Tensors& list) : tensors(list) {}
  Columns(std::initializer_list<Tensor> list) : tensors(list) {}
  Columns(std::initializer_list<std::pair<std::string, Tensor>> named);
  Columns(const std::map<std::string, Tensor>& named);

  bool empty() const { return tensors.empty(); }

  Tensors tensors;
  std::vector<std::string> names;  // one per tensor; empty: by position
};

// What the fields of a record are: a model's inputs, then its targets, then sample weights.
struct FieldMeaning {
  // One per field: the names of inputs, then of the outputs that targets and weights are for. None,
  // or an empty one: they come in the model's order.
  std::vector<std::string> names = {};
  int targets = -1;        // how many are targets; -1: all that are neither inputs nor weights
  int sample_weights = 0;  // how many of the last are weights
};

struct Dataset : FieldMeaning {
  Dataset() = default;
  // Data that is in memory; nothing is copied. A sample weight is one number per sample, or one per
  // step of a sequence; one for all outputs, or one for each.
  Dataset(const Columns& x, const Columns& y, const Columns& sample_weight = {});
  Dataset(SourcePtr records) : source(std::move(records)) {}
  Dataset(const Pipeline& pipeline)
      : source(pipeline.source()), batch_size(pipeline.batch_size()) {}

  // Sequences in buckets (bucketed()), the shortest first: each batch comes from one.
  Dataset(std::vector<SourcePtr> sources) : buckets(std::move(sources)) {
    if (!buckets.empty()) source = buckets.back();
  }

  SourcePtr source;  // of buckets, the longest
  std::vector<SourcePtr> buckets = {};
  // Set by a pipeline that has batch(). Such data is taken in its order: fit does not shuffle it.
  std::optional<int64_t> batch_size = {};
  // How the rows of a table become these records, if open_data() made them: a run of fit that is
  // kept in a folder writes it beside its models. Without inputs: nothing is known.
  TableSchema schema = {};
};

}  // namespace plimsoll
