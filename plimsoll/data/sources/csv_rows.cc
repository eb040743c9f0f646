#include "plimsoll/data/sources/csv_rows.h"

#include <fmt/format.h>

#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

class CsvRows final : public Source {
 public:
  CsvRows(ByteSourcePtr file, CsvSummary summary, std::vector<CsvSelection> selections,
          const CsvOptions& options)
      : file_(std::move(file)),
        summary_(std::move(summary)),
        selections_(std::move(selections)),
        options_(options) {
    for (const CsvSelection& selection : selections_) {
      readers_.emplace_back(summary_, selection);
      fields_.push_back(selection.spec());
    }
  }
  // The readers refer to what is beside them.
  CsvRows(const CsvRows&) = delete;
  CsvRows& operator=(const CsvRows&) = delete;

  int64_t size() const override { return summary_.records; }
  const Specs& fields() const override { return fields_; }
  std::string name(RecordId id) const override {
    return fmt::format("{}:{}", file_->name(), summary_.line_of(id.number));
  }

  void read(RecordId id, std::span<std::byte* const> into) const override {
    const auto [part, first] = summary_.part_with(id.number, file_->size());
    CsvReader reader(file_, summary_.delimiter, options_.limits, part);
    for (int64_t record = first; record < id.number; ++record) next(reader);
    read_next(reader, into);
  }

  void read_run(RecordId first, int64_t count, std::span<std::byte*> into) const override {
    if (count == 0) return;
    auto [part, before] = summary_.part_with(first.number, file_->size());
    part.end = summary_.part_with(first.number + count - 1, file_->size()).part.end;
    CsvReader reader(file_, summary_.delimiter, options_.limits, part);
    for (; before < first.number; ++before) next(reader);
    for (int64_t i = 0; i < count; ++i) {
      read_next(reader, into);
      for (size_t k = 0; k < into.size(); ++k) into[k] += fields_[k].bytes();
    }
  }

 private:
  void next(CsvReader& reader) const {
    if (!reader.next()) throw CorruptFile(file_->name() + ": became shorter while it was read");
  }

  void read_next(CsvReader& reader, std::span<std::byte* const> into) const {
    next(reader);
    for (size_t i = 0; i < readers_.size(); ++i) readers_[i].read(reader, into[i]);
  }

  ByteSourcePtr file_;
  CsvSummary summary_;
  std::vector<CsvSelection> selections_;
  CsvOptions options_;
  std::vector<CsvSelectionReader> readers_;  // one per selection
  Specs fields_;
};

}  // namespace

SourcePtr csv_rows(ByteSourcePtr file, CsvSummary summary, std::vector<CsvSelection> selections,
                   const CsvOptions& options) {
  return std::make_shared<CsvRows>(std::move(file), std::move(summary), std::move(selections),
                                   options);
}

}  // namespace plimsoll
