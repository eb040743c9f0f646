#include "plimsoll/data/check/numbers_in_range.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "plimsoll/data/element_place.h"

namespace plimsoll {
namespace {

class NumbersInRange final : public SourceStage {
 public:
  NumbersInRange(SourcePtr source, std::vector<NumberRange> ranges, std::vector<std::string> names)
      : SourceStage(std::move(source)), ranges_(std::move(ranges)), names_(std::move(names)) {}

  void read(RecordId id, std::span<std::byte* const> into) const override {
    inner().read(id, into);
    for (const NumberRange& range : ranges_) check(id, 1, range, into[range.field]);
  }

  // The numbers of a run follow each other.
  void read_run(RecordId first, int64_t count, std::span<std::byte*> into) const override {
    inner().read_run(first, count, into);
    for (const NumberRange& range : ranges_)
      check(first, count, range, into[range.field] - count * fields()[range.field].bytes());
  }

 private:
  void check(RecordId first, int64_t count, const NumberRange& range,
             const std::byte* bytes) const {
    const Spec& spec = fields()[range.field];
    const int64_t each = spec.shape.elements();
    visit_dtype(spec.dtype, [&]<class T>(T) {
      const T* numbers = reinterpret_cast<const T*>(bytes);
      const int64_t at =
          range.numbers.first_other(std::span(numbers, static_cast<size_t>(count * each)));
      if (at >= 0)
        refuse({first.number + at / each, first.epoch}, range, at % each,
               static_cast<double>(numbers[at]));
    });
  }

  [[noreturn]] void refuse(RecordId id, const NumberRange& range, int64_t element,
                           double number) const {
    const bool is_whole = number == std::trunc(number) && std::abs(number) < 1e15;
    const std::string found =
        is_whole ? std::to_string(static_cast<int64_t>(number)) : fmt::format("{:.7g}", number);
    const std::string what = range.flaw == Flaw::label
                                 ? "the label"
                                 : element_place(*this, names_, range.field, element);
    throw FlawedRecord(range.flaw, fmt::format("{}: {} is {}, expected a whole number from 0 to {}",
                                               name(id), what, found, range.numbers.limit - 1));
  }

  std::vector<NumberRange> ranges_;
  std::vector<std::string> names_;  // of the fields
};

}  // namespace

SourcePtr numbers_in_range(SourcePtr source, std::vector<NumberRange> ranges,
                           std::vector<std::string> fields) {
  return std::make_shared<NumbersInRange>(std::move(source), std::move(ranges), std::move(fields));
}

}  // namespace plimsoll
