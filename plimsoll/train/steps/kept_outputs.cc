#include "plimsoll/train/steps/kept_outputs.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

constexpr int64_t kBlockBytes = int64_t{4} << 20;

Spec row_of(const Program& program, int output) {
  const Spec& spec = program.spec(output);
  return {spec.dtype, spec.shape.without(0)};
}

}  // namespace

KeptOutputs::KeptOutputs(const CompiledStep& step, int64_t batch_size,
                         std::optional<int64_t> records, bool is_kept)
    : records_(records) {
  const Program& program = step.program();
  for (const int output : program.outputs) {
    const Shape& shape = program.spec(output).shape;
    if (shape.rank() == 0 || shape[0] != batch_size)
      throw InvalidArgument("predict: an output of shape " + shape.to_string() +
                            " does not have one row per sample; call the model itself instead");
    if (!is_kept) continue;
    outputs_.push_back({row_of(program, output)});
    if (records)
      outputs_.back().blocks.push_back(
          {std::make_shared<Storage>(outputs_.back().row.bytes() * *records)});
  }
}

void KeptOutputs::add(const CompiledStep& step, int64_t records) {
  for (size_t o = 0; o < outputs_.size(); ++o) {
    const Spec row = row_of(step.program(), step.program().outputs[o]);
    if (row != outputs_[o].row)
      throw InvalidArgument("predict: the outputs of a record are " + outputs_[o].row.to_string() +
                            " in one batch and " + row.to_string() +
                            " in another; predict batches of one shape at a time");
    append(outputs_[o], step.output(static_cast<int>(o))->data(), records * row.bytes());
  }
  added_ += records;
}

void KeptOutputs::append(Output& output, const std::byte* rows, int64_t bytes) {
  if (output.blocks.empty() ||
      output.blocks.back().used + bytes > output.blocks.back().bytes->bytes())
    output.blocks.push_back({std::make_shared<Storage>(std::max(bytes, kBlockBytes))});
  Block& block = output.blocks.back();
  if (bytes > 0) std::memcpy(block.bytes->data() + block.used, rows, static_cast<size_t>(bytes));
  block.used += bytes;
}

Tensors KeptOutputs::take() {
  Tensors tensors;
  for (Output& output : outputs_) {
    const Spec spec{output.row.dtype, output.row.shape.with(0, records_.value_or(added_))};
    if (records_) {
      tensors.push_back(wrap(std::move(output.blocks[0].bytes), spec));
      continue;
    }
    auto all = std::make_shared<Storage>(spec.bytes());
    std::byte* to = all->data();
    for (Block& block : output.blocks) {
      std::memcpy(to, block.bytes->data(), static_cast<size_t>(block.used));
      to += block.used;
      block.bytes.reset();
    }
    tensors.push_back(wrap(std::move(all), spec));
  }
  return tensors;
}

}  // namespace plimsoll
