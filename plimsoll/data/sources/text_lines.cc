#include "plimsoll/data/sources/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/file_set.h"
#include "plimsoll/data/sources/line_index.h"

namespace plimsoll {
namespace {

using Unit = TextLinesOptions::Unit;

// Takes a character from the front of UTF-8 text; none if there is no valid one.
std::optional<int32_t> take_code_point(std::string_view& text) {
  constexpr int32_t kLeast[] = {0, 0x80, 0x800, 0x10000};  // of one that needs so many more bytes
  const auto first = static_cast<unsigned char>(text[0]);
  const size_t more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
  if ((first >= 0x80 && first < 0xc0) || first >= 0xf8 || text.size() <= more) return std::nullopt;
  int32_t point = more == 0 ? first : first & (0x3f >> more);
  for (size_t i = 1; i <= more; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80) return std::nullopt;
    point = point << 6 | (byte & 0x3f);
  }
  const bool is_surrogate = point >= 0xd800 && point < 0xe000;
  if (point < kLeast[more] || point > 0x10ffff || is_surrogate) return std::nullopt;
  text.remove_prefix(more + 1);
  return point;
}

class TextLines final : public Source {
 public:
  TextLines(const std::vector<std::string>& paths, const TextLinesOptions& options)
      : files_(paths, "text_lines"), options_(options) {
    check_options();
    for (size_t i = 0; i < files_.size(); ++i)
      index_.add_file(*files_.open(i), options.skipped_lines);
    fields_ = {{options.dtype, {options.max_length}}};
    if (options.has_length) fields_.push_back({DType::int32, {}});
  }

  int64_t size() const override { return index_.size(); }
  const Specs& fields() const override { return fields_; }
  std::string name(RecordId id) const override { return name(index_[id.number]); }

  void read(RecordId id, std::span<std::byte* const> into) const override {
    const LineIndex::LinePosition place = index_[id.number];
    // One unit more, to know that there is one.
    const int64_t most = (options_.max_length + 1) * (options_.unit == Unit::bytes ? 1 : 4);
    const std::string line = read_line(*files_.open(place.file), place.offset, place.passed, most);
    const int32_t length = options_.dtype == DType::uint8 ? write<uint8_t>(line, place, into[0])
                                                          : write<int32_t>(line, place, into[0]);
    if (options_.has_length) std::memcpy(into[1], &length, sizeof length);
  }

 private:
  void check_options() const {
    constexpr int64_t kMost = int64_t{1} << 30;
    if (options_.max_length < 1 || options_.max_length > kMost)
      throw InvalidArgument(fmt::format("text_lines: expected a max_length of 1 or more, found {}",
                                        options_.max_length));
    if (options_.dtype != DType::int32 &&
        (options_.dtype != DType::uint8 || options_.unit != Unit::bytes))
      throw InvalidArgument("text_lines: units are int32, bytes may be uint8; found " +
                            std::string(name_of(options_.dtype)));
  }

  std::string name(const LineIndex::LinePosition& place) const {
    return fmt::format("{}:{}", files_.path(place.file), place.line);
  }

  // Returns the number of units.
  template <class T>
  int32_t write(std::string_view line, const LineIndex::LinePosition& place,
                std::byte* into) const {
    auto* units = reinterpret_cast<T*>(into);
    int64_t count = 0;
    for (; !line.empty() && count < options_.max_length; ++count)
      units[count] = static_cast<T>(take_unit(line, place));
    if (!line.empty() && !options_.is_cut)
      throw CorruptFile(fmt::format("{}: the line is longer than {}{}", name(place),
                                    options_.max_length,
                                    (options_.unit == Unit::bytes ? " bytes" : " characters")));
    std::fill_n(units + count, options_.max_length - count, T{0});
    return static_cast<int32_t>(count);
  }

  int32_t take_unit(std::string_view& line, const LineIndex::LinePosition& place) const {
    if (options_.unit == Unit::code_points) {
      const std::optional<int32_t> point = take_code_point(line);
      if (!point)
        throw CorruptFile(name(place) + ": the line is not UTF-8; convert the file, or read bytes");
      return *point;
    }
    const auto byte = static_cast<unsigned char>(line[0]);
    line.remove_prefix(1);
    return byte;
  }

  FileSet files_;
  TextLinesOptions options_;
  LineIndex index_;
  Specs fields_;
};

}  // namespace

SourcePtr text_lines(const std::vector<std::string>& paths, const TextLinesOptions& options) {
  return std::make_shared<TextLines>(paths, options);
}

}  // namespace plimsoll
