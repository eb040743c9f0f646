#include "plimsoll/train/reduce/bad_step.h"

#include <fmt/format.h>

#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/checkpoint/checkpoint_folder.h"
#include "plimsoll/train/checkpoints/saved_variables.h"
#include "plimsoll/train/reduce/case_records.h"
#include "plimsoll/train/replay.h"

namespace plimsoll {
namespace {

// Nothing where a field is another than it should be.
std::optional<std::vector<HostTensor>> read_fields(const StateReader& from, const Specs& expected,
                                                   int64_t records) {
  if (from.number("fields") != std::ssize(expected)) return std::nullopt;
  std::vector<HostTensor> fields;
  for (size_t i = 0; i < expected.size(); ++i) {
    const std::string name = fmt::format("field-{}", i);
    const Spec wanted{expected[i].dtype, expected[i].shape.with(0, records)};
    if (from.spec(name) != wanted) return std::nullopt;
    fields.push_back({wanted, std::make_shared<Storage>(wanted.bytes())});
    from.bytes(name, {fields.back().storage->data(), static_cast<size_t>(wanted.bytes())});
  }
  return fields;
}

}  // namespace

std::optional<KeptStep> read_kept_step(const std::string& run, const Specs& fields, Model& model) {
  const std::vector<int64_t> known = bad_steps(run);
  if (known.empty()) return std::nullopt;
  const CheckpointFile file =
      CheckpointFile::open(CheckpointFolder(bad_step_folder(run)).path_of(known.back()));
  const StateReader from(file), batch = from.within("batch");
  const std::vector<std::string> names = batch.texts("records");
  auto tensors = read_fields(batch, fields, std::ssize(names));
  if (!tensors || names.empty()) return std::nullopt;
  load_variables(from.within("variables"), computed_from(model));
  return KeptStep{named_records(std::move(*tensors), names), known.back()};
}

}  // namespace plimsoll
