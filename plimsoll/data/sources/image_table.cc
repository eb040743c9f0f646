#include "plimsoll/data/sources/image_table.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/base/flaw.h"
#include "plimsoll/data/sources/labelled_images.h"
#include "plimsoll/formats/images/image_header.h"
#include "plimsoll/formats/tables/csv_reader.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

// The path of a file that a table names.
std::string beside(const std::string& table, std::string_view file) {
  return (fs::path(table).parent_path() / fs::path(file)).string();
}

bool names_an_image(const std::string& table, std::string_view field) {
  std::error_code error;
  return kind_by_name(field) && fs::is_regular_file(beside(table, field), error);
}

int64_t column_number(const CsvReader& header, const std::string& column) {
  for (int64_t i = 0; i < header.fields(); ++i)
    if (header.field(i) == column) return i;
  throw InvalidArgument(fmt::format("{}: has no column '{}'", header.name(), column));
}

ImageIndex index_table(const std::string& table, const std::string& column) {
  CsvReader reader(file_source(table));
  ImageIndex index;
  if (!reader.next()) throw CorruptFile(table + ": is empty, expected a line of names");
  if (names_an_image(table, column))
    throw InvalidArgument(fmt::format(
        "{}: the first line names an image, '{}', expected the names of the columns (write a line "
        "of names above it)",
        table, column));
  const int64_t number = column_number(reader, column);
  while (reader.next())
    index.files.add(number < reader.fields() ? beside(table, reader.field(number)) : "");
  index.files.shrink();
  if (index.files.size() == 0) throw CorruptFile(table + ": has a header but no record");
  return index;
}

// An image, and the targets of its row.
class ImageTable final : public ImageSource {
 public:
  ImageTable(SourcePtr images, SourcePtr rows)
      : images_(std::move(images)), rows_(std::move(rows)) {
    fields_ = images_->fields();
    if (rows_ == nullptr) return;
    if (rows_->size() != images_->size())
      throw CorruptFile("an image table changed while it was read");
    fields_.insert(fields_.end(), rows_->fields().begin() + 1, rows_->fields().end());
  }

  int64_t size() const override { return images_->size(); }
  const Specs& fields() const override { return fields_; }
  std::string name(RecordId id) const override { return images_->name(id); }
  std::string element_name(size_t field, int64_t element) const override {
    return field == 0 || rows_ == nullptr ? images_->element_name(field, element)
                                          : rows_->element_name(field, element);
  }
  std::span<const std::string> class_names() const override {
    return rows_ == nullptr ? std::span<const std::string>() : rows_->class_names();
  }
  std::string files_hash() const override { return images_->files_hash(); }
  void with_file(int64_t record, const UseBytes& use) const override {
    with_image_file(*images_, record, use);
  }

  void read(RecordId id, std::span<std::byte* const> into) const override {
    images_->read(id, into.first(1));
    if (rows_ == nullptr) return;
    // The input of a row has no columns, so nothing is written to its place.
    rows_->read(id, into);
  }

 private:
  SourcePtr images_, rows_;
  Specs fields_;
};

}  // namespace

std::optional<std::string> image_column(const std::string& table) {
  constexpr int kLookedAt = 10;
  CsvReader reader(file_source(table));
  std::vector<std::string> columns;
  if (!reader.next()) return std::nullopt;
  for (int64_t i = 0; i < reader.fields(); ++i) columns.emplace_back(reader.field(i));
  for (int record = 0; record < kLookedAt && reader.next(); ++record)
    for (int64_t i = 0; i < std::min(reader.fields(), std::ssize(columns)); ++i)
      if (names_an_image(table, reader.field(i))) return columns[static_cast<size_t>(i)];
  return std::nullopt;
}

SourcePtr image_table(const std::string& table, const std::string& column,
                      const ImageFolderOptions& images, CsvSourceOptions targets) {
  ImageFolderOptions images_alone = images;
  images_alone.label_mode = LabelMode::none;
  SourcePtr files =
      labelled_images({.path = "", .index = index_table(table, column)}, images_alone);
  const bool has_targets = !targets.target.empty() || !targets.targets.empty();
  targets.inputs = {{}};
  return std::make_shared<ImageTable>(std::move(files),
                                      has_targets ? csv_source(table, targets) : nullptr);
}

}  // namespace plimsoll
