#include "plimsoll/formats/tables/csv_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

constexpr int64_t kChunkBytes = 256 << 10;
constexpr int kEnd = -1;

}  // namespace

CsvReader::CsvReader(ByteSourcePtr file, char delimiter, const CsvLimits& limits,
                     const CsvPart& part)
    : file_(std::move(file)),
      limits_(limits),
      delimiter_(delimiter),
      chunk_(static_cast<size_t>(std::min(kChunkBytes, part.end - part.begin))),
      offset_(part.begin),
      end_(part.end),
      line_(part.line) {}

CsvReader::CsvReader(const ByteSourcePtr& file, char delimiter, const CsvLimits& limits)
    : CsvReader(file, delimiter, limits, {.begin = 0, .end = file->size()}) {
  skip_byte_order_mark();
  if (delimiter_ == 0) choose_delimiter();
}

std::string_view CsvReader::field(int64_t i) const {
  const auto at = static_cast<size_t>(i);
  const size_t begin = at == 0 ? 0 : ends_[at - 1];
  return std::string_view(text_).substr(begin, ends_[at] - begin);
}

std::string CsvReader::place(int64_t i) const {
  return fmt::format("{}:{}:{}", name(), record_line_, i + 1);
}

void CsvReader::refuse(const std::string& what) const {
  throw CorruptFile(place(fields()) + ": " + what);
}

int CsvReader::peek() {
  if (chunk_at_ == chunk_end_) {
    const int64_t now = std::min<int64_t>(static_cast<int64_t>(chunk_.size()), end_ - offset_);
    if (now == 0) return kEnd;
    chunk_end_ = static_cast<size_t>(now);
    chunk_at_ = 0;
    file_->read_at(offset_, std::as_writable_bytes(std::span(chunk_).first(chunk_end_)));
    offset_ += now;
  }
  return static_cast<unsigned char>(chunk_[chunk_at_]);
}

int CsvReader::take() {
  const int c = peek();
  if (c != kEnd) ++chunk_at_;
  return c;
}

void CsvReader::skip_byte_order_mark() {
  peek();
  const std::string_view start(chunk_.data(), chunk_end_);
  if (start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff"))
    throw CorruptFile(name() + ": is written in UTF-16; save it as UTF-8");
  if (start.starts_with("\xef\xbb\xbf")) chunk_at_ = 3;
}

void CsvReader::choose_delimiter() {
  delimiter_ = ',';
  char other = 0;
  bool is_quoted = false;
  for (size_t i = chunk_at_; i < chunk_end_; ++i) {
    const char c = chunk_[i];
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (c == ',') return;
    if (c == '\n' || c == '\r') break;
    if (other == 0 && (c == ';' || c == '\t')) other = c;
  }
  if (other != 0) delimiter_ = other;
}

void CsvReader::append(std::string_view more) {
  const size_t begin = ends_.empty() ? 0 : ends_.back();
  text_ += more;
  if (static_cast<int64_t>(text_.size() - begin) > limits_.field_bytes)
    refuse(fmt::format("the field is longer than {} bytes; a quote may be missing",
                       limits_.field_bytes));
  if (static_cast<int64_t>(text_.size()) > limits_.record_bytes)
    refuse(fmt::format("the record is longer than {} bytes", limits_.record_bytes));
}

void CsvReader::end_field() {
  if (fields() >= limits_.columns)
    refuse(fmt::format("the record has more than {} columns", limits_.columns));
  ends_.push_back(text_.size());
}

// Appends what the chunk holds before the next of `stops`; true if one of them
// follows.
bool CsvReader::append_until(std::string_view stops) {
  if (peek() == kEnd) return true;
  const std::string_view rest(chunk_.data() + chunk_at_, chunk_end_ - chunk_at_);
  const size_t length = std::min(rest.find_first_of(stops), rest.size());
  append(rest.substr(0, length));
  chunk_at_ += length;
  if (length == rest.size()) return false;
  if (rest[length] == '\0') refuse("has a zero byte, so it is not a text file");
  return true;
}

// The opening quote has been taken.
void CsvReader::read_quoted() {
  constexpr std::string_view kStops("\"\n\0", 3);
  while (true) {
    while (!append_until(kStops)) continue;
    const int c = take();
    if (c == kEnd) refuse("the quote that opens this field is never closed");
    if (c == '"' && peek() != '"') break;
    if (c == '"') take();
    if (c == '\n') ++line_;
    append(c == '"' ? "\"" : "\n");
  }
  if (const int c = peek(); c != delimiter_ && c != '\n' && c != '\r' && c != kEnd)
    refuse("there is text after the closing quote");
}

void CsvReader::read_plain() {
  const char stops[] = {delimiter_, '\n', '\r', '\0'};
  while (!append_until({stops, sizeof stops})) continue;
}

void CsvReader::take_line_end() {
  if (take() == '\r' && peek() == '\n') take();
  ++line_;
}

bool CsvReader::next() {
  text_.clear();
  ends_.clear();
  while (peek() == '\n' || peek() == '\r') take_line_end();
  record_line_ = line_;
  if (peek() == kEnd) return false;
  record_offset_ = offset_ - static_cast<int64_t>(chunk_end_ - chunk_at_);
  while (true) {
    if (peek() == '"') {
      take();
      read_quoted();
    } else {
      read_plain();
    }
    end_field();
    if (peek() != delimiter_) break;
    take();
  }
  take_line_end();
  return true;
}

}  // namespace plimsoll
