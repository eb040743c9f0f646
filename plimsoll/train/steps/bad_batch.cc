#include "plimsoll/train/steps/bad_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/train/steps/model_steps.h"
#include "plimsoll/train/steps/records_to_leave_out.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostProbes = 4096;  // records that are run alone

class BadBatchSearch {
 public:
  BadBatchSearch(ModelSteps& steps, BatchReader& reader, const RecordFields& fields,
                 const BatchStep& step)
      : steps_(steps), reader_(reader), fields_(fields), step_(step) {}

  // Operations that are joined compute a little differently: if each alone is finite, the joined
  // ones are looked at. The first part that is bad says where it began, and all say for which
  // records.
  std::optional<BadBatch> run() {
    for (const Probe kind : {Probe::as_recorded, Probe::fast}) {
      std::optional<BadBatch> bad;
      int64_t first_part = 0;
      for (int64_t part = 0; part < step_.sizes.count; ++part)
        if (look_at(part, kind, bad) && bad->part_row == step_.sizes.first(part)) first_part = part;
      if (!bad) continue;
      if (step_.sizes.count > 1) reader_.load_part(first_part);
      name(*bad);
      return bad;
    }
    return std::nullopt;
  }

 private:
  using Probe = ModelSteps::Probe;

  const StepPtr& compile(int64_t samples, Probe kind) {
    StepPtr& probe = probes_[{samples, kind == Probe::fast}];
    if (probe == nullptr) probe = steps_.compile_probe(fields_, samples, kind, arena_bytes_);
    return probe;
  }

  // True if the part is bad: `bad` is then what was found, with its records.
  bool look_at(int64_t part, Probe kind, std::optional<BadBatch>& bad) {
    const int64_t samples = step_.sizes.size(part), first = step_.sizes.first(part);
    reader_.load_part(part);
    arena_bytes_ = step_.parts.of(step_.sizes, part).memory().arena_bytes;
    CompiledStep& probe = *compile(samples, kind);
    place_ = {first, part == 0};
    for (size_t i = 0; i < fields_.specs.size(); ++i) bind_field(probe, i, field(i, 0));
    bind_place(probe);
    const std::optional<FirstBad> found = find_first_bad(probe, samples);
    if (!found) return false;
    if (!bad)
      bad = {.first = *found,
             .batch_records = step_.sizes.batch,
             .part_row = first,
             .part_records = samples};
    if (found->kind != FirstBad::Kind::weight)
      for (const int64_t row : bad_rows(*found, first, samples)) bad->rows.push_back(first + row);
    return true;
  }

  void name(BadBatch& bad) const {
    bad.is_every_record = bad.batch_records > 1 && std::ssize(bad.rows) == bad.batch_records;
    if (bad.is_every_record) bad.rows.clear();
    for (const int64_t row : bad.rows) bad.records.push_back(reader_.record_name(row));
  }

  const std::byte* field(size_t i, int64_t row) const {
    return reader_.field(static_cast<int>(i)) + row * fields_.specs[i].bytes();
  }

  static void bind_field(CompiledStep& step, size_t i, const std::byte* data) {
    step.bind_input(static_cast<int>(i), data);
  }

  void bind_place(CompiledStep& step) const {
    const auto count = static_cast<int>(fields_.specs.size());
    step.bind_input(count, reinterpret_cast<const std::byte*>(&place_.first));
    step.bind_input(count + 1, reinterpret_cast<const std::byte*>(&place_.is_first));
  }

  // The operation shows which rows are bad if nothing before it mixes them. Else records are run
  // alone, or left out of the batch if they have an influence on each other.
  std::vector<int64_t> bad_rows(const FirstBad& found, int64_t first, int64_t samples) {
    if (!found.rows.empty()) return found.rows;
    if (samples == 1 || (samples <= kMostProbes && !mixes_records()))
      return bad_alone(first, samples);
    const std::vector<int64_t> rows = left_out(samples);
    return rows.empty() && are_bad_apart(samples) ? all_rows(samples) : rows;
  }

  bool mixes_records() const {
    return steps_.bars_parts(StepKind::train, fields_, BatchStatistics::mix).has_value();
  }

  static std::vector<int64_t> all_rows(int64_t samples) {
    std::vector<int64_t> rows(static_cast<size_t>(samples));
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
  }

  std::vector<int64_t> bad_alone(int64_t first, int64_t samples) {
    std::vector<int64_t> rows;
    const StepPtr& probe = compile(1, Probe::fast);
    for (int64_t row = 0; row < samples; ++row) {
      place_ = {first + row, first + row == 0};
      for (size_t i = 0; i < fields_.specs.size(); ++i) bind_field(*probe, i, field(i, row));
      bind_place(*probe);
      if (!is_finite(*probe)) rows.push_back(row);
    }
    return rows;
  }

  static bool is_finite(CompiledStep& step) {
    try {
      step.compute();
    } catch (const NotFinite&) {
      return false;
    }
    return true;
  }

  // Fewer records are repeated until they are as many.
  bool is_finite(std::span<const int64_t> rows, int64_t samples, CompiledStep& probe) {
    copies_.resize(fields_.specs.size());
    for (size_t i = 0; i < fields_.specs.size(); ++i) {
      const auto bytes = static_cast<size_t>(fields_.specs[i].bytes());
      copies_[i].resize(bytes * static_cast<size_t>(samples));
      for (size_t row = 0; row < static_cast<size_t>(samples); ++row)
        std::memcpy(copies_[i].data() + row * bytes, field(i, rows[row % rows.size()]), bytes);
      bind_field(probe, i, copies_[i].data());
    }
    bind_place(probe);
    return is_finite(probe);
  }

  std::vector<int64_t> left_out(int64_t samples) {
    const StepPtr& probe = compile(samples, Probe::fast);
    return records_to_leave_out(
        samples, [&](std::span<const int64_t> rows) { return is_finite(rows, samples, *probe); });
  }

  // Both halves of the batch are bad, so that the cause is not in a few of its records.
  bool are_bad_apart(int64_t samples) {
    const std::vector<int64_t> rows = all_rows(samples);
    const StepPtr& probe = compile(samples, Probe::fast);
    const auto half = static_cast<size_t>(samples / 2);
    return !is_finite(std::span(rows).first(half), samples, *probe) &&
           !is_finite(std::span(rows).subspan(half), samples, *probe);
  }

  ModelSteps& steps_;
  BatchReader& reader_;
  const RecordFields& fields_;
  const BatchStep& step_;
  PartPlace place_;
  std::map<std::pair<int64_t, bool>, StepPtr> probes_;  // by samples, and whether it is fast
  int64_t arena_bytes_ = 0;                             // of the part that is looked at
  std::vector<std::vector<std::byte>> copies_;          // of records, by field
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
  if (bad.first.where.is_in_program()) text += fmt::format(" at {}", bad.first.where.to_string());
  if (bad.first.kind == FirstBad::Kind::weight || bad.first.kind == FirstBad::Kind::update)
    return text;
  if (bad.is_every_record) return text + ", for every record of the batch";
  if (bad.records.empty()) return text + ", though each record of the batch is finite alone";
  text += bad.records.size() == 1 ? ", for the record " : ", for the records ";
  for (size_t i = 0; i < std::min(bad.records.size(), kShown); ++i)
    text += fmt::format("{}'{}'", i > 0 ? ", " : "", bad.records[i]);
  if (bad.records.size() > kShown) text += fmt::format(" and {} more", bad.records.size() - kShown);
  return text;
}

}  // namespace plimsoll
