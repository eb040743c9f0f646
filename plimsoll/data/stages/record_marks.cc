#include "plimsoll/data/stages/record_marks.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

class MarkedRecords final : public SourceStage {
 public:
  MarkedRecords(SourcePtr source, std::shared_ptr<RecordMarks> marks)
      : SourceStage(std::move(source)), marks_(std::move(marks)) {}

  void read(RecordId id, std::span<std::byte* const> into) const override {
    try {
      inner().read(id, into);
    } catch (const CorruptFile&) {
      blank(id, into);
    } catch (const IoError&) {
      blank(id, into);
    }
  }

  void read_run(RecordId first, int64_t count, std::span<std::byte*> into) const override {
    const std::vector<std::byte*> begin(into.begin(), into.end());
    try {
      inner().read_run(first, count, into);
    } catch (const Error&) {
      std::ranges::copy(begin, into.begin());
      Source::read_run(first, count, into);
    }
  }

 private:
  void blank(RecordId id, std::span<std::byte* const> into) const {
    for (size_t i = 0; i < into.size(); ++i)
      std::memset(into[i], 0, static_cast<size_t>(fields()[i].bytes()));
    marks_->add(id.number, std::current_exception());
  }

  std::shared_ptr<RecordMarks> marks_;
};

}  // namespace

void RecordMarks::add(int64_t record, std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  errors_[record] = std::move(error);
}

std::map<int64_t, std::exception_ptr> RecordMarks::take(int64_t first, int64_t count) {
  const std::lock_guard lock(mutex_);
  std::map<int64_t, std::exception_ptr> taken;
  const auto begin = errors_.lower_bound(first), end = errors_.lower_bound(first + count);
  taken.insert(begin, end);
  errors_.erase(begin, end);
  return taken;
}

SourcePtr with_marks(SourcePtr source, std::shared_ptr<RecordMarks> marks) {
  return std::make_shared<MarkedRecords>(std::move(source), std::move(marks));
}

}  // namespace plimsoll
