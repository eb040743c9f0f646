#include "plimsoll/data/sources/jsonl_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/flaw.h"
#include "plimsoll/data/element_place.h"
#include "plimsoll/data/encode/column_encoding.h"
#include "plimsoll/data/sources/json_lines.h"
#include "plimsoll/data/sources/jsonl_cells.h"
#include "plimsoll/data/sources/jsonl_survey.h"
#include "plimsoll/data/sources/shared_classes.h"
#include "plimsoll/formats/tables/csv_value.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

using Keys = JsonlOptions::Keys;

constexpr double kMostExact = 9007199254740992;  // 2^53; a double has no odd number above it

bool is_int32(double number) {
  return number >= std::numeric_limits<int32_t>::min() &&
         number <= std::numeric_limits<int32_t>::max() && number == std::trunc(number);
}

struct JsonField {
  Keys keys;
  std::vector<Shape> shapes;  // of each key's value
  Spec spec;
  bool is_classes = false;
  bool may_miss = false;                         // missing numbers are replaced
  std::vector<ColumnEncodingPtr> encoders = {};  // of each key, or none: values are numbers
  std::vector<std::string> number_names = {};    // of encoded keys
};

bool is_text_value(const JsonValue& value) {
  return value.kind == JsonValue::Kind::text || value.kind == JsonValue::Kind::missing;
}

class JsonlRecords final : public Source {
 public:
  JsonlRecords(const std::vector<std::string>& paths, const JsonlOptions& options)
      : lines_(paths, options.limits),
        missing_(options.missing),
        encoding_(options.encoding),
        class_names_(options.class_names) {
    const JsonLine first = typical_line(lines_);
    for (size_t i = 0; i < options.inputs.size(); ++i) {
      const DType wanted =
          i < options.input_dtypes.size() ? options.input_dtypes[i] : DType::float32;
      if (wanted == DType::string)
        add_text(first, options.inputs[i]);
      else if (wanted == DType::float32 && encoding_ != nullptr)
        add_encoded(first, options.inputs[i], Use::input);
      else if (add_field(first, options.inputs[i], Use::input); wanted == DType::int64)
        fields_.back().spec.dtype = DType::int64;
    }
    for (size_t i = 0; i < options.targets.size(); ++i)
      add_target(
          first, options.targets[i],
          options.take_classes.empty() ? std::nullopt : std::optional(options.take_classes.at(i)));
    for (const Keys& keys : options.weights) add_field(first, keys, Use::weight);
    if (fields_.empty()) throw InvalidArgument(lines_.path() + ": expected at least one field");
    for (const std::string& name : class_names_)
      classes_.emplace(name, static_cast<int32_t>(classes_.size()));
    for (const JsonField& field : fields_) specs_.push_back(field.spec);
  }

  int64_t size() const override { return lines_.size(); }
  const Specs& fields() const override { return specs_; }
  std::string name(RecordId id) const override { return lines_.name(id.number); }
  std::string element_name(size_t field, int64_t element) const override {
    const JsonField& of = fields_[field];
    if (!of.encoders.empty())
      return fmt::format("'{}'", of.number_names[static_cast<size_t>(element)]);
    if (holds_text(of.spec))
      return fmt::format("'{}'", of.keys[static_cast<size_t>(element / of.spec.shape.back())]);
    size_t key = 0;
    while (key + 1 < of.keys.size() && element >= of.shapes[key].elements())
      element -= of.shapes[key++].elements();
    return element_place(of.keys[key], {DType::float32, of.shapes[key]}, element);
  }
  std::span<const std::string> class_names() const override { return class_names_; }

  void read(RecordId id, std::span<std::byte* const> into) const override {
    const JsonLine line = lines_.parse(id.number);
    for (size_t i = 0; i < fields_.size(); ++i) write(fields_[i], line, id.number, into[i]);
  }

 private:
  // What a field is for.
  enum class Use { input, target, weight };

  // Slots are as long as the longest text of all lines.
  void add_text(const JsonLine& first, const Keys& keys) {
    JsonField field{.keys = keys, .shapes = {}, .spec = {DType::string, {std::ssize(keys)}}};
    for (const std::string& key : keys) refuse_unknown(first, key);
    int64_t longest = 0;
    for (int64_t record = 0; record < lines_.size(); ++record)
      if (const std::optional<JsonLine> line = lines_.parse_if_good(record))
        for (const std::string& key : keys)
          longest = std::max(longest, std::ssize((*line)[key].text));
    field.spec.shape.push_back(slot_for(longest));
    fields_.push_back(std::move(field));
  }

  // A key that is not encoded is one number.
  void add_encoded(const JsonLine& first, const Keys& keys, Use use) {
    JsonField field{.keys = keys, .shapes = {}, .spec = {DType::float32, {}}};
    for (const std::string& key : keys) {
      refuse_unknown(first, key);
      field.shapes.emplace_back();
      field.encoders.push_back(encoding_->find(key));
    }
    if (use == Use::input || keys.size() > 1) field.spec.shape = {encoding_->width(keys)};
    field.number_names = encoding_->number_names(keys);
    fields_.push_back(std::move(field));
  }

  void refuse_unknown(const JsonLine& first, const std::string& key) const {
    if (!first.values.contains(key))
      throw InvalidArgument(fmt::format("{}: has no key '{}' (the first lines have {})",
                                        lines_.path(), key, fmt::join(first.keys, ", ")));
  }

  JsonField& add_field(const JsonLine& first, const Keys& keys, Use use) {
    JsonField field{.keys = keys, .shapes = {}, .spec = {DType::float32, {}}};
    field.may_miss = use == Use::input && missing_;
    for (const std::string& key : keys) {
      refuse_unknown(first, key);
      const JsonValue& value = first[key];
      if (value.kind == JsonValue::Kind::text && (use != Use::target || keys.size() > 1))
        throw InvalidArgument(fmt::format(
            "{}: '{}' holds text, expected numbers (leave it out with --ignore, or make "
            "numbers of it with --target COLUMN --encode auto)",
            lines_.path(), key));
      field.shapes.push_back(value.shape);
    }
    field.spec.shape = field.shapes[0];
    if (keys.size() > 1 || (use == Use::input && field.spec.shape.rank() == 0)) {
      int64_t numbers = 0;
      for (const Shape& shape : field.shapes) numbers += shape.elements();
      field.spec.shape = {numbers};
    }
    return fields_.emplace_back(std::move(field));
  }

  // Names of classes that are numbers, so that numbers may be names.
  bool has_numbers_for_names() const {
    return are_given_ && std::ranges::any_of(class_names_, [](const std::string& name) {
             return parse_csv_value(name).kind != CsvValue::Kind::text;
           });
  }

  // A target of integers may be classes, which losses know by their type.
  void add_target(const JsonLine& first, const Keys& keys, std::optional<bool> takes_classes) {
    if (encoding_ != nullptr && keys.size() == 1 && encoding_->find(keys[0]) != nullptr)
      return add_encoded(first, keys, Use::target);
    JsonField& field = add_field(first, keys, Use::target);
    if (keys.size() > 1 || field.spec.shape.rank() > 0) return;
    const TargetSurvey found = survey_target(lines_, keys[0], !takes_classes.value_or(false));
    const bool are_names = found.is_text() || has_numbers_for_names();
    field.is_classes = takes_classes.value_or(true) && are_names;
    if (found.is_text() && !field.is_classes)
      throw InvalidArgument(
          fmt::format("{}: '{}' holds text, expected numbers: the loss and the output of the model "
                      "take numbers, not classes",
                      lines_.path(), keys[0]));
    if (field.is_classes) add_classes(keys[0], found);
    if (field.is_classes || (found.are_whole && is_int32(found.least) && is_int32(found.largest)))
      field.spec.dtype = DType::int32;
  }

  void add_classes(const std::string& key, const TargetSurvey& found) {
    if (are_given_) return;
    if (found.texts.size() > kMostClasses)
      throw InvalidArgument(
          fmt::format("{}: '{}' has more than {} different texts, too many for "
                      "classes",
                      lines_.path(), key, kMostClasses));
    std::vector<std::string> names;
    for (const auto& [name, text] : found.texts) names.push_back(name);
    share_classes(lines_.path(), key, names, class_names_);
  }

  [[noreturn]] void refuse(Flaw flaw, int64_t record, const std::string& key,
                           const std::string& what) const {
    throw FlawedRecord(flaw, fmt::format("{}: '{}' {}", lines_.name(record), key, what));
  }

  void write(const JsonField& field, const JsonLine& line, int64_t record, std::byte* into) const {
    if (field.is_classes) return write_class(field, line, record, into);
    if (holds_text(field.spec)) return write_texts(field, line, record, into);
    if (!field.encoders.empty()) return write_encoded(field, line, record, into);
    JsonValue room;
    for (size_t i = 0; i < field.keys.size(); ++i) {
      const JsonValue& value = as_number(line[field.keys[i]], room);
      const int64_t count = field.shapes[i].elements();
      if (value.kind == JsonValue::Kind::missing && field.may_miss)
        for (int64_t k = 0; k < count; ++k) store(field, *missing_, record, i, into);
      else
        for (const double number : numbers(field, value, record, i))
          store(field, number, record, i, into);
    }
  }

  // A text that is missing is empty.
  void write_texts(const JsonField& field, const JsonLine& line, int64_t record,
                   std::byte* into) const {
    const int64_t slot = slot_bytes(field.spec);
    for (const std::string& key : field.keys) {
      const JsonValue& value = line[key];
      if (!is_text_value(value))
        refuse(Flaw::shape, record, key, "is a number, expected a text (put it in quotes)");
      if (std::ssize(value.text) > slot)
        refuse(Flaw::too_large, record, key, "is longer than it was; the file has changed");
      write_text(value.text, into, slot);
      into += slot;
    }
  }

  void write_encoded(const JsonField& field, const JsonLine& line, int64_t record,
                     std::byte* into) const {
    for (size_t i = 0; i < field.keys.size(); ++i) {
      const JsonValue& value = line[field.keys[i]];
      const ColumnEncodingPtr& encoder = field.encoders[i];
      if (encoder == nullptr) {
        JsonValue room;
        for (const double number : numbers(field, as_number(value, room), record, i))
          store(field, number, record, i, into);
        continue;
      }
      if (value.shape.rank() > 0)
        refuse(Flaw::shape, record, field.keys[i], "is a list, expected a single value");
      const auto width = static_cast<size_t>(encoder->width());
      const std::string cell = cell_of(value, encoder.get());
      if (encoder->encode(cell, {reinterpret_cast<float*>(into), width}) == CellState::bad)
        refuse(cell.empty() ? Flaw::missing : Flaw::not_a_number, record, field.keys[i],
               cell.empty()
                   ? "has no value"
                   : fmt::format("expected {}, found '{:.40}'", encoder->expected(), cell));
      into += width * sizeof(float);
    }
  }

  const std::vector<double>& numbers(const JsonField& field, const JsonValue& value, int64_t record,
                                     size_t key) const {
    const std::string& name = field.keys[key];
    if (value.kind == JsonValue::Kind::missing) refuse(Flaw::missing, record, name, "has no value");
    if (value.kind == JsonValue::Kind::text)
      refuse(Flaw::not_a_number, record, name,
             fmt::format("expected a number, found '{:.40}'", value.text));
    if (value.shape != field.shapes[key])
      refuse(Flaw::shape, record, name,
             fmt::format("expected the shape {} as in the first line that has it, found {}",
                         field.shapes[key].to_string(), value.shape.to_string()));
    return value.numbers;
  }

  void store(const JsonField& field, double number, int64_t record, size_t key,
             std::byte*& into) const {
    if (field.spec.dtype == DType::int64) {
      if (number != std::trunc(number) || std::abs(number) > kMostExact)
        refuse(Flaw::not_a_number, record, field.keys[key],
               fmt::format("is {}, expected an integer", number));
      *reinterpret_cast<int64_t*>(into) = static_cast<int64_t>(number);
      into += sizeof(int64_t);
      return;
    }
    const bool is_whole = field.spec.dtype == DType::int32;
    if (is_whole && !is_int32(number))
      refuse(std::isnan(number) ? Flaw::missing : Flaw::label, record, field.keys[key],
             fmt::format("is {}, expected an integer", number));
    if (is_whole)
      *reinterpret_cast<int32_t*>(into) = static_cast<int32_t>(number);
    else
      *reinterpret_cast<float*>(into) = static_cast<float>(number);
    into += sizeof(float);
  }

  void write_class(const JsonField& field, const JsonLine& line, int64_t record,
                   std::byte* into) const {
    const JsonValue& value = line[field.keys[0]];
    const std::string name = cell_of(value, nullptr);
    const auto found = classes_.find(name);
    JsonValue room;
    if (found == classes_.end() && as_number(value, room).kind == JsonValue::Kind::missing)
      refuse(Flaw::missing, record, field.keys[0], "has no value");
    if (found == classes_.end())
      refuse(Flaw::label, record, field.keys[0],
             value.kind == JsonValue::Kind::text
                 ? fmt::format("is '{:.40}', which is no class", value.text)
                 : "is a number, expected the name of a class");
    *reinterpret_cast<int32_t*>(into) = found->second;
  }

  JsonLines lines_;
  std::optional<double> missing_;
  TableEncodingPtr encoding_;
  std::vector<std::string> class_names_;
  bool are_given_ = !class_names_.empty();  // and not found in the lines
  std::map<std::string, int32_t, std::less<>> classes_;
  std::vector<JsonField> fields_;
  Specs specs_;
};

}  // namespace

SourcePtr jsonl_source(const std::vector<std::string>& paths, const JsonlOptions& options) {
  return std::make_shared<JsonlRecords>(paths, options);
}

std::vector<std::string> jsonl_keys(const std::vector<std::string>& paths,
                                    const JsonLineLimits& limits) {
  return typical_line(JsonLines(paths, limits)).keys;
}

}  // namespace plimsoll
