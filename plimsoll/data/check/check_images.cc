#include "plimsoll/data/check/check_images.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/formats/images/image_header.h"

namespace plimsoll {
namespace {

// None where the decoder will refuse it.
std::optional<ImageHeader> header_of(std::span<const std::byte> bytes, const std::string& path) {
  try {
    return find_image_header(bytes, path);
  } catch (const CorruptFile&) {
    return std::nullopt;
  }
}

template <class T>
bool is_one_colour(std::span<const T> pixels, size_t channels) {
  for (size_t i = channels; i < pixels.size(); ++i)
    if (pixels[i] != pixels[i - channels]) return false;
  return true;
}

void warn_of(const NotedRecords& records, const RecordName& name, CheckWarning warning,
             std::vector<CheckWarning>& warnings) {
  if (records.count() == 0) return;
  warning.count = records.count();
  warning.examples = records.names(name);
  warnings.push_back(std::move(warning));
}

class ImageCheck final : public RecordCheck {
 public:
  explicit ImageCheck(const RecordsInCheck& records) : records_(records) {}

  void look_at_file(int64_t record, const std::string& path,
                    std::span<const std::byte> bytes) override {
    images_.add_file(record, path, bytes);
  }
  std::optional<Problem> look_at(const RecordView& record) override {
    for (size_t i = 0; i < records_.fields.size(); ++i)
      if (records_.fields[i].role == FieldRole::input) images_.add_pixels(record, i);
    return std::nullopt;
  }
  void merge(const RecordCheck& later) override {
    images_.merge(static_cast<const ImageCheck&>(later).images_);
  }
  void report(const RecordName& name, CheckReport& report) override {
    images_.warn(name, report.warnings);
  }

 private:
  const RecordsInCheck& records_;
  ImageStatistics images_;
};

}  // namespace

std::unique_ptr<RecordCheck> check_images(const RecordsInCheck& records) {
  return std::make_unique<ImageCheck>(records);
}

void ImageStatistics::add_file(int64_t record, const std::string& path,
                               std::span<const std::byte> bytes) {
  const std::optional<ImageHeader> header = header_of(bytes, path);
  if (!header) return;
  const auto channels = static_cast<size_t>(std::clamp<int64_t>(header->channels, 0, 4));
  by_channels_[channels].add(record);
  const std::optional<ImageKind> named = kind_by_name(path);
  if (named && *named != header->kind) wrong_names_.add(record);
}

void ImageStatistics::add_pixels(const RecordView& record, size_t field) {
  const Shape& shape = record.specs[field].shape;
  if (shape.rank() != 3 || shape[0] * shape[1] < 2 || shape[2] > 4) return;
  const auto channels = static_cast<size_t>(shape[2]);
  if (record.visit(field, [&](auto pixels) { return is_one_colour(pixels, channels); }))
    one_colour_.add(record.number);
}

void ImageStatistics::merge(const ImageStatistics& later) {
  for (size_t i = 0; i < by_channels_.size(); ++i) by_channels_[i].merge(later.by_channels_[i]);
  wrong_names_.merge(later.wrong_names_);
  one_colour_.merge(later.one_colour_);
}

void ImageStatistics::warn(const RecordName& name, std::vector<CheckWarning>& warnings) const {
  warn_of(wrong_names_, name,
          {.reason = "wrong_name",
           .what = "images of another format than their names say",
           .remedy = "they are read by their bytes; rename them for other programs"},
          warnings);
  const auto most = std::ranges::max_element(by_channels_, {}, &NotedRecords::count);
  for (size_t i = 0; i < by_channels_.size(); ++i)
    if (&by_channels_[i] != &*most)
      warn_of(by_channels_[i], name,
              {.reason = "channels",
               .what = fmt::format("images of {} channel(s), where most have {}", i,
                                   most - by_channels_.begin()),
               .remedy = "all are read with as many as the model takes"},
              warnings);
  warn_of(one_colour_, name,
          {.reason = "one_colour",
           .what = "images that are all of one colour",
           .remedy = "look at them, and remove those that show nothing"},
          warnings);
}

}  // namespace plimsoll
