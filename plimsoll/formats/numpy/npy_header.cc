#include "plimsoll/formats/numpy/npy_header.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/byte_range.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr int64_t kMaxHeaderBytes = 1 << 16;

// One dictionary of strings, booleans and tuples of integers, as numpy.save
// writes it.
class DictionaryParser {
 public:
  DictionaryParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  NpyHeader parse() {
    expect('{');
    while (!accept('}')) {
      const std::string_view key = string();
      expect(':');
      value_of(key);
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (at_ != text_.size()) refuse("more text after the dictionary");
    if (!type_ || !is_fortran_order_ || !shape_)
      refuse("no 'descr', 'fortran_order' or 'shape' in the dictionary");
    return {*type_, *is_fortran_order_, *shape_, 0};
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw CorruptFile(
        fmt::format("{}: the header of the array has {} (at character {})", name_, what, at_));
  }

  void value_of(std::string_view key) {
    skip_space();
    if (key == "descr" && !type_)
      type_ = element_type();
    else if (key == "fortran_order" && !is_fortran_order_)
      is_fortran_order_ = boolean();
    else if (key == "shape" && !shape_)
      shape_ = shape();
    else
      refuse("the key '" + std::string(key) + "' that does not belong there");
  }

  NpyType element_type() {
    if (peek() == '[')
      throw CorruptFile(name_ +
                        ": has elements of several fields each (a "
                        "structured array); save one "
                        "array for each field");
    return parse_npy_type(string(), name_);
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) refuse(std::string("no '") + c + "' where one is expected");
  }

  std::string_view string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') refuse("no text in quotes where one is expected");
    const size_t begin = ++at_;
    const size_t end = text_.find(quote, begin);
    if (end == text_.npos) refuse("a text without an end");
    at_ = end + 1;
    return text_.substr(begin, end - begin);
  }

  bool boolean() {
    for (const std::string_view word : {"True", "False"})
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return word == "True";
      }
    refuse("no True or False where one is expected");
  }

  Shape shape() {
    Shape dims;
    expect('(');
    while (!accept(')')) {
      if (dims.rank() == Shape::kMaxRank)
        refuse(fmt::format("a shape of more than {} dimensions", Shape::kMaxRank));
      dims.push_back(integer());
      if (accept(',')) continue;
      expect(')');
      break;
    }
    return dims;
  }

  int64_t integer() {
    const auto is_digit = [&] {
      return at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9';
    };
    skip_space();
    if (!is_digit()) refuse("no number where a dimension is expected");
    int64_t value = 0;
    for (; is_digit(); ++at_) {
      if (value > (std::numeric_limits<int64_t>::max() - 9) / 10) refuse("a dimension too large");
      value = value * 10 + (text_[at_] - '0');
    }
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // as Python 2 wrote it
    return value;
  }

  std::string_view text_;
  const std::string& name_;
  size_t at_ = 0;
  std::optional<NpyType> type_;
  std::optional<bool> is_fortran_order_;
  std::optional<Shape> shape_;
};

// The bytes that the elements take; none if no file could hold them.
std::optional<int64_t> element_bytes(const NpyHeader& header) {
  int64_t bytes = header.type.size;
  bool is_empty = false;
  for (int64_t dim : header.shape) {
    is_empty = is_empty || dim == 0;
    if (dim == 0) continue;  // the other dimensions must make sense even so
    if (bytes > std::numeric_limits<int64_t>::max() / 16 / dim) return std::nullopt;
    bytes *= dim;
  }
  return is_empty ? 0 : bytes;
}

void check_size(const NpyHeader& header, ByteSource& file) {
  const auto expected = element_bytes(header);
  const int64_t found = file.size() - header.data_offset;
  if (expected != found)
    throw CorruptFile(
        fmt::format("{}: the header describes an array of shape {}, which takes {} bytes, found {}",
                    file.name(), header.shape.to_string(),
                    expected ? fmt::format("{}", *expected) : "too many", found));
}

int64_t little_endian(std::span<const std::byte> bytes) {
  int64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value * 256 + std::to_integer<int64_t>(bytes[i]);
  return value;
}

}  // namespace

NpyHeader parse_npy_dictionary(std::string_view text, const std::string& name) {
  return DictionaryParser(text, name).parse();
}

NpyHeader read_npy_header(ByteSource& file) {
  std::array<std::byte, 12> start{};
  read_range(file, 0, std::span(start).first(8), "the header of the array");
  const std::string_view magic(reinterpret_cast<const char*>(start.data()), kMagic.size());
  if (magic != kMagic) throw CorruptFile(file.name() + ": is not a .npy array (at byte 0)");
  const int version = std::to_integer<int>(start[6]);
  if (version < 1 || version > 3)
    throw CorruptFile(fmt::format("{}: is of .npy version {}; 1 to 3 are understood (at byte 6)",
                                  file.name(), version));
  const int64_t length_bytes = version == 1 ? 2 : 4;
  const auto length_field = std::span(start).subspan(8, static_cast<size_t>(length_bytes));
  read_range(file, 8, length_field, "the header of the array");
  const int64_t length = little_endian(length_field);
  if (length > kMaxHeaderBytes)
    throw CorruptFile(fmt::format("{}: the header is {} bytes long, at most {} (at byte 8)",
                                  file.name(), length, kMaxHeaderBytes));
  std::string text(static_cast<size_t>(length), '\0');
  read_range(file, 8 + length_bytes, std::as_writable_bytes(std::span(text)),
             "the header of the array");
  NpyHeader header = parse_npy_dictionary(text, file.name());
  header.data_offset = 8 + length_bytes + length;
  check_size(header, file);
  return header;
}

std::string npy_header_text(const Spec& spec) {
  const Shape dims = shape_of_elements(spec);
  std::string shape;
  for (int64_t dim : dims) shape += std::to_string(dim) + (dims.rank() > 1 ? ", " : ",");
  if (dims.rank() > 1) shape.resize(shape.size() - 2);
  const std::string type =
      holds_text(spec) ? fmt::format("|S{}", slot_bytes(spec)) : std::string(npy_name(spec.dtype));
  std::string text =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  const size_t fixed = kMagic.size() + 4;  // magic, version and length
  text.append(63 - (fixed + text.size()) % 64, ' ');
  text += '\n';
  const auto length = static_cast<unsigned>(text.size());
  std::string header(kMagic);
  header += {1, 0, static_cast<char>(length & 255), static_cast<char>(length >> 8)};
  return header + text;
}

}  // namespace plimsoll
