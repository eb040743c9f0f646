#include "plimsoll/guards/doctor/data_facts.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/base/flaw.h"
#include "plimsoll/guards/doctor/field_survey.h"
#include "plimsoll/guards/doctor/neighbours.h"
#include "plimsoll/guards/doctor/symptoms.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostRecords = 4000, kMostBytes = int64_t{256} << 20, kLeastRecords = 32;

bool has_numbers(const Spec& spec) {
  return spec.dtype != DType::string;
}

int64_t records_to_read(const Source& source) {
  int64_t bytes = 1;
  for (const Spec& spec : source.fields()) bytes += spec.bytes();
  return std::min(source.size(), std::clamp(kMostBytes / bytes, kLeastRecords, kMostRecords));
}

// Records with one target, and inputs whose numbers can be compared.
class NeighbourSurvey {
 public:
  NeighbourSurvey(const Specs& specs, const FieldsToLookAt& fields, int64_t count)
      : specs_(specs), fields_(fields), neighbours_(columns(), targets()) {
    if (neighbours_.most_records() > 0)
      stride_ = (count + neighbours_.most_records() - 1) / neighbours_.most_records();
  }

  void add(int64_t number, const std::vector<std::byte*>& record) {
    if (stride_ == 0 || number % stride_ != 0) return;
    std::vector<double> inputs, targets;
    bool is_finite = true;
    const auto append = [&](int field, std::vector<double>& into) {
      const auto at = static_cast<size_t>(field);
      for_each_number(specs_[at], record[at], [&](int64_t, double value) {
        into.push_back(value);
        is_finite = is_finite && std::isfinite(value);
      });
    };
    for (const FieldsToLookAt::Input& input : fields_.inputs) append(input.field, inputs);
    append(fields_.targets[0], targets);
    if (is_finite) neighbours_.add(inputs, targets);
  }

  void finish(TargetFacts& target) const {
    if (stride_ > 0) target.neighbour_skill = neighbours_.skill(are_classes(target));
  }

 private:
  int64_t columns() const {
    int64_t sum = 0;
    for (const FieldsToLookAt::Input& input : fields_.inputs) {
      const Spec& spec = specs_[static_cast<size_t>(input.field)];
      if (input.is_table || !has_numbers(spec)) return 0;
      sum += spec.shape.elements();
    }
    return sum;
  }
  int64_t targets() const {
    if (fields_.targets.size() != 1 || fields_.targets[0] < 0) return 0;
    const Spec& spec = specs_[static_cast<size_t>(fields_.targets[0])];
    return has_numbers(spec) ? spec.shape.elements() : 0;
  }

  const Specs& specs_;
  const FieldsToLookAt& fields_;
  Neighbours neighbours_;
  int64_t stride_ = 0;  // 0: nothing is compared
};

bool can_read(const Source& source, int64_t record, const std::vector<std::byte*>& into) {
  try {
    source.read(record, into);
  } catch (const Error&) {
    return false;
  }
  return true;
}

// Everything that is counted over records.
class Survey {
 public:
  Survey(const Specs& specs, const FieldsToLookAt& fields, int64_t count)
      : specs_(specs), fields_(fields), neighbours_(specs, fields, count) {
    for (const Spec& spec : specs)
      into_.push_back(buffers_.emplace_back(static_cast<size_t>(spec.bytes())).data());
    for (const FieldsToLookAt::Input& input : fields.inputs)
      inputs_.emplace_back(specs[static_cast<size_t>(input.field)], input);
    for (const int field : fields.targets)
      targets_.emplace_back(field < 0 ? Spec{DType::float32, {0}}
                                      : specs[static_cast<size_t>(field)]);
  }

  const std::vector<std::byte*>& buffers() const { return into_; }

  void add_inputs() {
    for (size_t k = 0; k < inputs_.size(); ++k)
      if (const auto field = static_cast<size_t>(fields_.inputs[k].field);
          has_numbers(specs_[field]))
        inputs_[k].add(into_[field]);
  }
  void add_targets() {
    for (size_t k = 0; k < targets_.size(); ++k)
      if (const int field = fields_.targets[k];
          field >= 0 && has_numbers(specs_[static_cast<size_t>(field)]))
        targets_[k].add(into_[static_cast<size_t>(field)]);
  }
  void compare(int64_t number) { neighbours_.add(number, into_); }

  void finish(DataFacts& facts) const {
    for (const InputSurvey& input : inputs_) facts.inputs.push_back(input.facts());
    for (const TargetSurvey& target : targets_) facts.targets.push_back(target.facts());
    if (facts.targets.size() == 1) neighbours_.finish(facts.targets[0]);
  }

 private:
  const Specs& specs_;
  const FieldsToLookAt& fields_;
  std::vector<std::vector<std::byte>> buffers_;
  std::vector<std::byte*> into_;
  std::vector<InputSurvey> inputs_;
  std::vector<TargetSurvey> targets_;
  NeighbourSurvey neighbours_;
};

}  // namespace

DataFacts data_facts(const Source& source, const Source& unchecked, const FieldsToLookAt& fields) {
  DataFacts facts{.records = source.size()};
  const int64_t count = records_to_read(source);
  Survey survey(source.fields(), fields, count);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t record = i * source.size() / count;
    try {
      source.read(record, survey.buffers());
    } catch (const Error& error) {
      const Flaw flaw = flaw_of(error);
      if (facts.bad_records++ == 0) {
        facts.first_bad = error.what();
        facts.first_bad_record = source.name(record);
        facts.first_bad_reason = std::string(to_string(flaw));
      }
      if (flaw == Flaw::label && can_read(unchecked, record, survey.buffers()))
        survey.add_targets();
      continue;
    }
    ++facts.looked_at;
    survey.add_inputs();
    survey.add_targets();
    survey.compare(i);
  }
  survey.finish(facts);
  return facts;
}

}  // namespace plimsoll
