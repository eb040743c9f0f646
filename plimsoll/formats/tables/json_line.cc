#include "plimsoll/formats/tables/json_line.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/flaw.h"

namespace plimsoll {
namespace {

// Takes the events of the library's parser, which does not recurse. Nothing but the values is kept.
class LineHandler {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  LineHandler(const std::string& name, const JsonLineLimits& limits)
      : name_(name), limits_(limits) {}

  JsonLine take() { return std::move(line_); }

  bool null() {
    if (depth_ > 0) refuse(Flaw::missing, fmt::format("has null in the list '{}'", key_));
    return value().kind == JsonValue::Kind::missing;
  }
  bool boolean(bool is_true) {
    value().is_boolean = depth_ == 0;
    return add_number(is_true ? 1 : 0, true);
  }
  bool number_integer(number_integer_t value) { return add_integer(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) { return add_integer(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) { return add_number(value, false); }

  bool string(string_t& text) {
    if (depth_ > 0) refuse(Flaw::not_a_number, fmt::format("has text in the list '{}'", key_));
    check_text(text);
    value() = {.kind = JsonValue::Kind::text, .text = std::move(text)};
    return true;
  }
  bool binary(binary_t&) { return false; }

  bool start_object(size_t) {
    if (is_inside_) refuse(Flaw::not_a_number, fmt::format("has an object in '{}'", key_));
    return is_inside_ = true;
  }
  bool key(string_t& key) {
    check_text(key);
    if (line_.values.contains(key)) refuse(Flaw::damaged, fmt::format("has '{}' twice", key));
    if (std::ssize(line_.keys) >= limits_.keys)
      refuse(Flaw::too_large, fmt::format("has more than {} keys", limits_.keys));
    key_ = key;
    line_.keys.push_back(key);
    line_.values.emplace(key, JsonValue());
    return true;
  }
  bool end_object() { return true; }

  bool start_array(size_t) {
    if (!is_inside_) refuse(Flaw::damaged, "is a list, expected an object");
    if (depth_ == kMostAxes)
      refuse(Flaw::shape, fmt::format("'{}' has lists in more than {} levels", key_, kMostAxes));
    if (depth_ > 0) ++counts_[depth_ - 1];
    if (depth_ == 0) {
      sizes_.fill(-1);
      number_depth_ = 0;
      value().kind = JsonValue::Kind::numbers;
    }
    counts_[depth_++] = 0;
    return true;
  }
  bool end_array() {
    const size_t axis = --depth_;
    if (sizes_[axis] < 0) sizes_[axis] = counts_[axis];
    if (sizes_[axis] != counts_[axis])
      refuse(Flaw::shape, fmt::format("'{}' has lists of {} and of {} elements", key_, sizes_[axis],
                                      counts_[axis]));
    if (axis == 0) end_value();
    return true;
  }

  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception&) {
    refuse(Flaw::damaged, fmt::format("is not JSON at column {}", position));
  }

  [[noreturn]] void refuse(Flaw flaw, const std::string& what) const {
    throw FlawedRecord(flaw, fmt::format("{}: the line {}", name_, what));
  }

 private:
  static constexpr size_t kMostAxes = 6;

  JsonValue& value() {
    if (!is_inside_) refuse(Flaw::damaged, "is a single value, expected an object");
    return line_.values.find(key_)->second;
  }

  void check_text(const std::string& text) const {
    if (std::ssize(text) > limits_.text_bytes)
      refuse(Flaw::too_large,
             fmt::format("has a text of {}, at most {} are read", format_bytes(std::ssize(text)),
                         format_bytes(limits_.text_bytes)));
  }

  bool add_integer(double number) {
    constexpr double kMostExact = 9007199254740992.0;
    return add_number(number, std::abs(number) <= kMostExact);
  }

  bool add_number(double number, bool is_whole) {
    JsonValue& into = value();
    into.kind = JsonValue::Kind::numbers;
    into.are_whole = into.are_whole && is_whole;
    if (depth_ > 0) {
      ++counts_[depth_ - 1];
      if (number_depth_ == 0) number_depth_ = depth_;
      if (number_depth_ != depth_)
        refuse(Flaw::shape, fmt::format("'{}' has numbers beside lists", key_));
    }
    into.numbers.push_back(number);
    return true;
  }

  // A list beside numbers has been counted as one of them.
  void end_value() {
    JsonValue& done = value();
    for (const int64_t size : sizes_)
      if (size >= 0) done.shape.push_back(size);
    if (done.shape.elements() != std::ssize(done.numbers))
      refuse(Flaw::shape, fmt::format("'{}' has numbers beside lists", key_));
  }

  const std::string& name_;
  const JsonLineLimits& limits_;
  JsonLine line_;
  bool is_inside_ = false;  // of the object
  std::string key_;
  size_t depth_ = 0;         // of lists
  size_t number_depth_ = 0;  // at which the first number was; 0: there is none yet
  std::array<int64_t, kMostAxes> counts_{},
      sizes_{};  // of the open lists; of each axis, -1: unknown
};

}  // namespace

const JsonValue& JsonLine::operator[](std::string_view key) const {
  static const JsonValue kMissing;
  const auto found = values.find(key);
  return found == values.end() ? kMissing : found->second;
}

JsonLine parse_json_line(std::string_view line, const std::string& name,
                         const JsonLineLimits& limits) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  LineHandler handler(name, limits);
  if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  if (std::ssize(line) > limits.line_bytes)
    handler.refuse(Flaw::too_large,
                   fmt::format("has more than {}", format_bytes(limits.line_bytes)));
  if (line.find_first_not_of(" \t\r") == line.npos) handler.refuse(Flaw::empty, "is empty");
  nlohmann::json::sax_parse(line.begin(), line.end(), &handler);
  return handler.take();
}

}  // namespace plimsoll
