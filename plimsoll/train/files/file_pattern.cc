#include "plimsoll/train/files/file_pattern.h"

#include <cstdio>
#include <string_view>

#include "plimsoll/base/error.h"
#include "plimsoll/train/callbacks/number_text.h"

namespace plimsoll {
namespace {

// The value that replaces a placeholder.
struct Number {
  double value;
  bool is_whole;  // epoch and batch
};

// "08.3f" is printf's "08.3" and 'f'.
struct Format {
  std::string size;
  char kind = 0;  // 0: not given
};

size_t digits_at(std::string_view text, size_t at, size_t most) {
  size_t count = 0;
  while (count < most && at + count < text.size() && text[at + count] >= '0' &&
         text[at + count] <= '9')
    ++count;
  return count;
}

std::optional<Format> parse_format(std::string_view text) {
  size_t at = text.starts_with('+') || text.starts_with(' ') ? 1 : 0;
  at += digits_at(text, at, 2);
  if (at < text.size() && text[at] == '.') {
    const size_t precision = digits_at(text, at + 1, 2);
    if (precision == 0) return std::nullopt;
    at += 1 + precision;
  }
  Format format{std::string(text.substr(0, at))};
  if (at < text.size() && std::string_view("dfFeEgG%").find(text[at]) != text.npos)
    format.kind = text[at++];
  return at == text.size() ? std::optional(format) : std::nullopt;
}

class Filler {
 public:
  Filler(const std::string& pattern, int64_t epoch, std::optional<int64_t> batch, const Logs& logs)
      : pattern_(pattern), epoch_(epoch), batch_(batch), logs_(logs) {}

  std::string run() const {
    std::string text;
    for (size_t at = 0; at < pattern_.size(); ++at) {
      const char c = pattern_[at];
      const bool is_doubled = at + 1 < pattern_.size() && pattern_[at + 1] == c;
      if (c != '{' && c != '}') {
        text += c;
      } else if (is_doubled) {
        text += c;
        ++at;
      } else if (const size_t end = pattern_.find('}', at); c == '{' && end != pattern_.npos) {
        text += placeholder(pattern_.substr(at + 1, end - at - 1));
        at = end;
      } else {
        refuse(std::string("a brace '") + c + "' has no partner; double it to mean the character");
      }
    }
    return text;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw InvalidArgument("ModelCheckpoint: in the file name '" + pattern_ + "' " + what);
  }

  std::string placeholder(const std::string& inside) const {
    const size_t colon = inside.find(':');
    const Number number = find(inside.substr(0, colon));
    return colon == inside.npos ? plain(number) : formatted(number, inside.substr(colon + 1));
  }

  Number find(const std::string& name) const {
    const auto found = logs_.find(name);
    if (found != logs_.end()) return {found->second, false};
    if (name == "epoch") return {static_cast<double>(epoch_ + 1), true};
    if (name == "batch" && batch_) return {static_cast<double>(*batch_ + 1), true};
    std::string known = batch_ ? "epoch, batch" : "epoch";
    for (const auto& entry : logs_) known += ", " + entry.first;
    refuse("'" + name + "' is not known (known: " + known + ")");
  }

  static std::string plain(const Number& number) {
    return number.is_whole ? std::to_string(static_cast<int64_t>(number.value))
                           : number_text(number.value);
  }

  std::string formatted(const Number& number, const std::string& text) const {
    std::optional<Format> format = parse_format(text);
    const bool is_fraction = format && format->size.find('.') != std::string::npos;
    if (!format || (format->kind == 'd' && (!number.is_whole || is_fraction)))
      refuse("the format '" + text + "' does not fit its number");
    if (format->kind == 0) format->kind = number.is_whole && !is_fraction ? 'd' : 'g';
    return printed(*format, number.value);
  }

  static std::string printed(const Format& format, double value) {
    char text[512];  // the widest: 309 digits before the point, 99 after it
    const std::string start = "%" + format.size;
    if (format.kind == 'd')
      std::snprintf(text, sizeof text, (start + "lld").c_str(), static_cast<long long>(value));
    else if (format.kind == '%')
      std::snprintf(text, sizeof text, (start + "f%%").c_str(), value * 100);
    else
      std::snprintf(text, sizeof text, (start + format.kind).c_str(), value);
    return text;
  }

  const std::string& pattern_;
  int64_t epoch_;
  std::optional<int64_t> batch_;
  const Logs& logs_;
};

}  // namespace

std::string fill_file_pattern(const std::string& pattern, int64_t epoch,
                              std::optional<int64_t> batch, const Logs& logs) {
  return Filler(pattern, epoch, batch, logs).run();
}

}  // namespace plimsoll
