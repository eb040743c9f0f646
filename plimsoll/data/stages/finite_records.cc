#include "plimsoll/data/stages/finite_records.h"

#include <cmath>
#include <cstring>
#include <utility>

#include "plimsoll/base/flaw.h"
#include "plimsoll/data/element_place.h"

namespace plimsoll {
namespace {

// By their bits, so that the loop has nothing to wait for.
bool is_finite(const std::byte* bytes, int64_t count) {
  constexpr uint32_t kExponent = 0x7f800000;
  uint32_t found = 0;
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits;
    std::memcpy(&bits, bytes + i * 4, sizeof bits);
    found |= (bits & kExponent) == kExponent ? 1u : 0u;
  }
  return found == 0;
}

int64_t first_not_finite(const float* values) {
  int64_t i = 0;
  while (std::isfinite(values[i])) ++i;
  return i;
}

class FiniteRecords final : public SourceStage {
 public:
  FiniteRecords(SourcePtr source, std::vector<std::string> names)
      : SourceStage(std::move(source)), names_(std::move(names)) {
    for (size_t i = 0; i < fields().size(); ++i)
      if (fields()[i].dtype == DType::float32) floats_.push_back(i);
  }

  void read(RecordId id, std::span<std::byte* const> into) const override {
    inner().read(id, into);
    for (const size_t i : floats_) check(id, i, into[i]);
  }

  void read_run(RecordId first, int64_t count, std::span<std::byte*> into) const override {
    inner().read_run(first, count, into);
    for (const size_t i : floats_) {
      const std::byte* begin = into[i] - count * fields()[i].bytes();
      if (is_finite(begin, count * fields()[i].shape.elements())) continue;
      for (int64_t k = 0; k < count; ++k)
        check({first.number + k, first.epoch}, i, begin + k * fields()[i].bytes());
    }
  }

 private:
  void check(RecordId id, size_t field, const std::byte* bytes) const {
    const Spec& spec = fields()[field];
    if (is_finite(bytes, spec.shape.elements())) return;
    const auto* values = reinterpret_cast<const float*>(bytes);
    const int64_t at = first_not_finite(values);
    throw FlawedRecord(Flaw::not_finite, name(id) + ": " + element_place(*this, names_, field, at) +
                                             (std::isnan(values[at]) ? " is NaN" : " is infinite"));
  }

  std::vector<size_t> floats_;      // fields
  std::vector<std::string> names_;  // of the fields
};

}  // namespace

SourcePtr finite_records(SourcePtr source, std::vector<std::string> fields) {
  return std::make_shared<FiniteRecords>(std::move(source), std::move(fields));
}

}  // namespace plimsoll
