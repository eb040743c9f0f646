#include "plimsoll/train/steps/bad_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "plimsoll/base/error.h"
#include "plimsoll/train/steps/model_steps.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostProbes = 4096;  // records that are run alone

class BadBatchSearch {
 public:
  BadBatchSearch(ModelSteps& steps, BatchReader& reader, const RecordFields& fields,
                 const BatchStep& step)
      : steps_(steps), reader_(reader), fields_(fields), step_(step) {}

  std::optional<BadBatch> run() {
    for (int64_t part = 0; part < step_.sizes.count; ++part)
      if (std::optional<BadBatch> bad = look_at(part)) return bad;
    return std::nullopt;
  }

 private:
  int64_t arena_bytes(int64_t part) const {
    return step_.parts.of(step_.sizes, part).memory().arena_bytes;
  }

  std::optional<BadBatch> look_at(int64_t part) {
    const int64_t samples = step_.sizes.size(part), first = step_.sizes.first(part);
    reader_.load_part(part);
    const StepPtr probe =
        steps_.compile_probe(fields_, samples, ModelSteps::Probe::as_recorded, arena_bytes(part));
    place_ = {first, part == 0};
    bind(*probe, 0);
    const std::optional<FirstBad> found = find_first_bad(*probe, samples);
    if (!found) return std::nullopt;
    BadBatch bad{.first = *found,
                 .batch_records = step_.sizes.batch,
                 .part_row = first,
                 .part_records = samples};
    if (found->kind != FirstBad::Kind::weight) name_records(bad, first, samples);
    return bad;
  }

  void bind(CompiledStep& step, int64_t row) const {
    const auto count = fields_.specs.size();
    for (size_t i = 0; i < count; ++i)
      step.bind_input(static_cast<int>(i),
                      reader_.field(static_cast<int>(i)) + row * fields_.specs[i].bytes());
    step.bind_input(static_cast<int>(count), reinterpret_cast<const std::byte*>(&place_.first));
    step.bind_input(static_cast<int>(count) + 1,
                    reinterpret_cast<const std::byte*>(&place_.is_first));
  }

  // The operation shows which rows are bad if it keeps them apart; else each record is run alone.
  void name_records(BadBatch& bad, int64_t first, int64_t samples) {
    bad.rows = bad.first.rows.empty() ? bad_alone(first, samples) : bad.first.rows;
    bad.is_every_record = static_cast<int64_t>(bad.rows.size()) == samples && samples > 1;
    if (bad.is_every_record) bad.rows.clear();
    for (int64_t& row : bad.rows) {
      row += first;
      bad.records.push_back(reader_.record_name(row));
    }
  }

  std::vector<int64_t> bad_alone(int64_t first, int64_t samples) {
    std::vector<int64_t> rows;
    if (samples > kMostProbes) return rows;
    const StepPtr probe = steps_.compile_probe(fields_, 1, ModelSteps::Probe::fast);
    for (int64_t row = 0; row < samples; ++row) {
      place_ = {first + row, first + row == 0};
      bind(*probe, row);
      try {
        probe->compute();
      } catch (const NotFinite&) {
        rows.push_back(row);
      }
    }
    return rows;
  }

  ModelSteps& steps_;
  BatchReader& reader_;
  const RecordFields& fields_;
  const BatchStep& step_;
  PartPlace place_;
};

}  // namespace

std::optional<BadBatch> find_bad_batch(ModelSteps& steps, BatchReader& reader,
                                       const RecordFields& fields, const BatchStep& step) {
  return BadBatchSearch(steps, reader, fields, step).run();
}

void save_bad_batch(StateWriter& to, const BatchReader& reader, const RecordFields& fields,
                    const BadBatch& bad) {
  const auto wide = [](const std::vector<int>& some) {
    return std::vector<int64_t>(some.begin(), some.end());
  };
  to.numbers("inputs", wide(fields.roles.inputs));
  to.numbers("targets", wide(fields.roles.targets));
  to.numbers("weights", wide(fields.roles.weights));
  to.number("first", bad.part_row);
  to.number("fields", std::ssize(fields.specs));
  for (size_t i = 0; i < fields.specs.size(); ++i) {
    const Spec spec{fields.specs[i].dtype, fields.specs[i].shape.with(0, bad.part_records)};
    to.bytes(fmt::format("field-{}", i), spec,
             {reader.field(static_cast<int>(i)), static_cast<size_t>(spec.bytes())});
  }
  std::vector<std::string> names;
  for (int64_t row = 0; row < bad.part_records; ++row)
    names.push_back(reader.record_name(bad.part_row + row));
  to.texts("records", names);
}

std::string to_string(const BadBatch& bad) {
  constexpr size_t kShown = 3;
  std::string text = to_string(bad.first);
  if (bad.first.kind == FirstBad::Kind::weight) return text;
  if (bad.is_every_record) return text + ", for every record of the batch";
  if (bad.records.empty()) return text + ", though each record of the batch is finite alone";
  text += bad.records.size() == 1 ? ", for the record " : ", for the records ";
  for (size_t i = 0; i < std::min(bad.records.size(), kShown); ++i)
    text += fmt::format("{}'{}'", i > 0 ? ", " : "", bad.records[i]);
  if (bad.records.size() > kShown) text += fmt::format(" and {} more", bad.records.size() - kShown);
  return text;
}

}  // namespace plimsoll
