#include "plimsoll/train/reduce/case_records.h"

#include <fmt/format.h>

#include <utility>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/train/data/field_roles.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostBytes = int64_t{1} << 30;  // of a case

class NamedRecords final : public SourceStage {
 public:
  NamedRecords(SourcePtr source, std::vector<std::string> names)
      : SourceStage(std::move(source)), names_(std::move(names)) {}
  std::string name(RecordId id) const override { return names_[static_cast<size_t>(id.number)]; }

 private:
  std::vector<std::string> names_;
};

class NumberedRecords final : public SourceStage {
 public:
  using SourceStage::SourceStage;
  std::string name(RecordId id) const override { return std::to_string(id.number); }
};

std::vector<std::string> names_of(const Ports& ports) {
  std::vector<std::string> names;
  for (const Port& port : ports) names.push_back(port.name);
  return names;
}

}  // namespace

std::vector<HostTensor> read_all(const Source& records) {
  int64_t bytes = 0;
  for (const Spec& spec : records.fields()) bytes += spec.bytes() * records.size();
  if (bytes > kMostBytes)
    throw InvalidArgument(
        fmt::format("reduce: the smallest case so far has {} records of {} in all, and a case may "
                    "have {}; give it more time",
                    records.size(), format_bytes(bytes), format_bytes(kMostBytes)));
  std::vector<HostTensor> fields;
  std::vector<std::byte*> into;
  for (const Spec& spec : records.fields()) {
    const Spec whole{spec.dtype, spec.shape.with(0, records.size())};
    fields.push_back({whole, std::make_shared<Storage>(whole.bytes())});
    into.push_back(fields.back().storage->data());
  }
  for (int64_t i = 0; i < records.size(); ++i) {
    records.read(i, into);
    for (size_t k = 0; k < into.size(); ++k) into[k] += records.fields()[k].bytes();
  }
  return fields;
}

std::vector<std::string> array_names(const Model& model, const Dataset& data) {
  ModelSides sides{.owner = "reduce",
                   .inputs = names_of(model.network().inputs()),
                   .outputs = names_of(model.network().outputs()),
                   .needs_target = {}};
  sides.needs_target.resize(sides.outputs.size());
  const Specs& specs = data.source->fields();
  const FieldRoles roles = roles_of(specs, data, sides);
  const std::vector<std::string> names = field_names(specs.size(), roles, sides);
  for (size_t i = 0; i < specs.size(); ++i)
    if (specs[i].dtype == DType::string)
      throw InvalidArgument(
          fmt::format("reduce: '{}' is text, which the data.npz of a case cannot hold", names[i]));
  return names;
}

SourcePtr named_records(std::vector<HostTensor> fields, std::vector<std::string> names) {
  return std::make_shared<NamedRecords>(from_tensor_slices(std::move(fields)), std::move(names));
}

SourcePtr numbered_records(SourcePtr records) {
  return std::make_shared<NumberedRecords>(std::move(records));
}

}  // namespace plimsoll
