#include "plimsoll/data/stages/repaired.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/data/element_place.h"
#include "plimsoll/data/loader/loader.h"

namespace plimsoll {
namespace {

constexpr int64_t kSampleBytes = 64 << 20;
constexpr int64_t kChunkBytes = 4 << 20;

// The columns of each field that is to be repaired; 0 for the others.
std::vector<size_t> columns_of(const Source& source, const std::vector<int>& chosen) {
  std::vector<size_t> columns(source.fields().size());
  for (const int field : chosen) {
    const Spec& spec = source.fields().at(static_cast<size_t>(field));
    if (spec.dtype == DType::float32 && spec.shape.rank() <= 1)
      columns[static_cast<size_t>(field)] = static_cast<size_t>(spec.shape.elements());
  }
  return columns;
}

int64_t record_bytes(const Source& source) {
  int64_t bytes = 1;
  for (const Spec& field : source.fields()) bytes += field.bytes();
  return bytes;
}

// Calls visit(record, field, numbers) for each row of each field with columns.
template <class Visit>
void visit_rows(const SourcePtr& source, const std::vector<size_t>& columns, const Visit& visit) {
  const int64_t chunk = std::clamp<int64_t>(kChunkBytes / record_bytes(*source), 1, 4096);
  const int workers = source->is_in_memory() ? 0 : thread_count();
  Loader loader(source, chunk, {.workers = workers, .windows = workers == 0 ? 1 : 2});
  loader.start_epoch(0);
  while (const int64_t rows = loader.begin_batch()) {
    loader.load();
    for (size_t f = 0; f < columns.size(); ++f) {
      if (columns[f] == 0) continue;
      const auto* numbers = reinterpret_cast<const float*>(loader.field(static_cast<int>(f)));
      for (int64_t row = 0; row < rows; ++row)
        visit(loader.record_at(row).number, f, numbers + row * static_cast<int64_t>(columns[f]));
    }
  }
}

template <class T>
std::vector<std::vector<T>> per_column(const std::vector<size_t>& columns) {
  std::vector<std::vector<T>> things;
  for (const size_t count : columns) things.emplace_back(count);
  return things;
}

[[noreturn]] void refuse_column(const Source& source, size_t field, size_t column) {
  throw InvalidArgument(element_place(source, {}, field, static_cast<int64_t>(column)) +
                        " has no finite number, so there is nothing to repair it with; leave it "
                        "out");
}

ColumnValues means(const SourcePtr& source, const std::vector<size_t>& columns) {
  struct Sum {
    double total = 0;
    int64_t count = 0;
  };
  auto sums = per_column<Sum>(columns);
  visit_rows(source, columns, [&](int64_t, size_t field, const float* row) {
    for (size_t c = 0; c < sums[field].size(); ++c)
      if (std::isfinite(row[c]))
        sums[field][c] = {sums[field][c].total + row[c], sums[field][c].count + 1};
  });
  auto values = per_column<float>(columns);
  for (size_t f = 0; f < sums.size(); ++f)
    for (size_t c = 0; c < sums[f].size(); ++c) {
      if (sums[f][c].count == 0) refuse_column(*source, f, c);
      values[f][c] = static_cast<float>(sums[f][c].total / static_cast<double>(sums[f][c].count));
    }
  return values;
}

// As NumPy: between the two in the middle.
float median_of(std::vector<float>& numbers) {
  const auto middle = numbers.begin() + std::ssize(numbers) / 2;
  std::nth_element(numbers.begin(), middle, numbers.end());
  if (numbers.size() % 2 == 1) return *middle;
  const float below = *std::max_element(numbers.begin(), middle);
  return static_cast<float>((static_cast<double>(below) + static_cast<double>(*middle)) / 2);
}

ColumnValues medians(const SourcePtr& source, const std::vector<size_t>& columns) {
  const int64_t step = std::max<int64_t>(
      1, (source->size() * record_bytes(*source) + kSampleBytes - 1) / kSampleBytes);
  auto found = per_column<std::vector<float>>(columns);
  visit_rows(source, columns, [&](int64_t record, size_t field, const float* row) {
    if (record % step != 0) return;
    for (size_t c = 0; c < found[field].size(); ++c)
      if (std::isfinite(row[c])) found[field][c].push_back(row[c]);
  });
  auto values = per_column<float>(columns);
  for (size_t f = 0; f < found.size(); ++f)
    for (size_t c = 0; c < found[f].size(); ++c) {
      if (found[f][c].empty()) refuse_column(*source, f, c);
      values[f][c] = median_of(found[f][c]);
    }
  return values;
}

class Repaired final : public SourceStage {
 public:
  Repaired(SourcePtr source, ColumnValues values)
      : SourceStage(std::move(source)), values_(std::move(values)) {}

  void read(RecordId id, std::span<std::byte* const> into) const override {
    inner().read(id, into);
    for (size_t f = 0; f < values_.size(); ++f) {
      auto* numbers = reinterpret_cast<float*>(into[f]);
      for (size_t c = 0; c < values_[f].size(); ++c)
        if (!std::isfinite(numbers[c])) numbers[c] = values_[f][c];
    }
  }

 private:
  ColumnValues values_;
};

}  // namespace

RepairWith repair_with(const std::string& name) {
  if (name == "mean") return RepairWith::mean;
  if (name == "median") return RepairWith::median;
  throw InvalidArgument("repair: expected mean or median, found '" + name + "'");
}

ColumnValues column_values(const SourcePtr& source, const std::vector<int>& fields,
                           RepairWith with) {
  const std::vector<size_t> columns = columns_of(*source, fields);
  return with == RepairWith::mean ? means(source, columns) : medians(source, columns);
}

SourcePtr repaired(SourcePtr source, ColumnValues values) {
  return std::make_shared<Repaired>(std::move(source), std::move(values));
}

}  // namespace plimsoll
