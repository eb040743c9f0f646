#include "plimsoll/data/sources/text_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/flaw.h"
#include "plimsoll/data/sources/class_label.h"
#include "plimsoll/data/sources/file_sizes.h"
#include "plimsoll/data/sources/image_index.h"
#include "plimsoll/formats/bytes/byte_source.h"
#include "plimsoll/formats/bytes/scratch_bytes.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

bool is_listed_text(std::string_view name) {
  return name.ends_with(".txt");
}

class TextFolder final : public Source {
 public:
  TextFolder(std::string path, const TextFolderOptions& options)
      : path_(std::move(path)), options_(options) {
    const bool has_labels = options.label_mode != LabelMode::none;
    index_ = has_labels ? index_classes(path_, options.class_names, is_listed_text)
                        : index_images(path_, is_listed_text);
    const int64_t slot = slot_for(longest());
    fields_ = {{DType::string, options.has_axis ? Shape{1, slot} : Shape{slot}}};
    if (has_labels) fields_.push_back(class_label_field(options.label_mode, classes(), path_));
  }

  int64_t size() const override { return index_.files.size(); }
  const Specs& fields() const override { return fields_; }
  std::string name(RecordId id) const override {
    return path_ + "/" + std::string(index_.files[id.number]);
  }
  std::span<const std::string> class_names() const override { return index_.classes; }
  std::string files_hash() const override {
    return hash_of_file_sizes(size(), [this](int64_t record) { return name(record); });
  }
  std::optional<int64_t> class_of(RecordId id) const override {
    if (fields_.size() < 2) return std::nullopt;
    return index_.class_of(id.number);
  }

  void read(RecordId id, std::span<std::byte* const> into) const override {
    const std::string file = name(id);
    const ByteSourcePtr bytes = file_source(file);
    const int64_t room = slot_bytes(fields_[0]);
    if (bytes->size() > std::min(room, options_.most_bytes))
      throw FlawedRecord(Flaw::too_large, fmt::format("{}: the text has {}, at most {} are read",
                                                      file, format_bytes(bytes->size()),
                                                      format_bytes(options_.most_bytes)));
    ScratchBytes text(static_cast<size_t>(bytes->size()));
    bytes->read_at(0, text.bytes());
    const std::string_view letters(reinterpret_cast<const char*>(text.data()), text.size());
    if (letters.find('\0') != letters.npos)
      throw FlawedRecord(Flaw::invalid, file + ": has a zero byte, so it is not a text file");
    write_text(letters, into[0], room);
    if (fields_.size() > 1)
      write_class_label(options_.label_mode, index_.class_of(id.number), classes(), into[1]);
  }

 private:
  int64_t classes() const { return std::ssize(index_.classes); }

  // A file that cannot be looked at is found when it is read.
  int64_t longest() const {
    int64_t most = 0;
    for (int64_t i = 0; i < index_.files.size(); ++i) {
      std::error_code error;
      const auto bytes = std::filesystem::file_size(name(i), error);
      if (!error) most = std::max(most, static_cast<int64_t>(bytes));
    }
    return std::min(most, options_.most_bytes);
  }

  std::string path_;
  TextFolderOptions options_;
  ImageIndex index_;
  Specs fields_;
};

}  // namespace

SourcePtr text_folder(const std::string& path, const TextFolderOptions& options) {
  std::string root = path;
  while (root.size() > 1 && root.ends_with('/')) root.pop_back();
  return std::make_shared<TextFolder>(std::move(root), options);
}

}  // namespace plimsoll
