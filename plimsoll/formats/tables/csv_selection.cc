#include "plimsoll/formats/tables/csv_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "plimsoll/base/flaw.h"
#include "plimsoll/formats/tables/csv_value.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {

Spec CsvSelection::spec() const {
  Spec spec{dtype, {}};
  if (!is_scalar) {
    int64_t width = std::ssize(columns);
    for (const auto& encoder : encoders)
      if (encoder != nullptr) width += encoder->width() - 1;
    spec.shape.push_back(width);
  }
  if (dtype == DType::string) spec.shape.push_back(slot_for(text_bytes));
  return spec;
}

// One field of a record.
struct CsvSelectionReader::Field {
  const CsvSelectionReader& owner;
  const CsvReader& reader;
  int64_t column;

  [[noreturn]] void refuse(Flaw flaw, const std::string& what) const {
    throw FlawedRecord(flaw, reader.place(column) + ": column '" +
                                 owner.summary_.columns[static_cast<size_t>(column)].name + "' " +
                                 what);
  }

  // A text for a message; a long field is cut.
  std::string shown() const {
    constexpr size_t kShown = 40;
    const std::string_view text = reader.field(column);
    return std::string(text.substr(0, kShown)) + (text.size() > kShown ? "…" : "");
  }

  CsvValue number() const {
    const CsvValue value = parse_csv_value(reader.field(column));
    if (value.kind == CsvValue::Kind::text)
      refuse(Flaw::not_a_number, "expected a number, found '" + shown() + "'");
    if (value.kind != CsvValue::Kind::missing) return value;
    if (!owner.selection_.missing) refuse(Flaw::missing, "has no value");
    const double fill = *owner.selection_.missing;
    if (std::abs(fill) < 1e15 && fill == std::trunc(fill))
      return {CsvValue::Kind::integer, fill, static_cast<int64_t>(fill)};
    return {CsvValue::Kind::real, fill, 0};
  }

  CsvValue class_number() const {
    const auto found = find_class(owner.classes_, reader.field(column));
    if (found == owner.classes_.end()) {
      if (parse_csv_value(reader.field(column)).kind == CsvValue::Kind::missing)
        refuse(Flaw::missing, "has no value");
      refuse_class();
    }
    return {CsvValue::Kind::integer, static_cast<double>(found->second), found->second};
  }

  [[noreturn]] void refuse_class() const {
    constexpr size_t kShown = 10;
    const auto& names = owner.selection_.classes;
    std::string text;
    for (size_t i = 0; i < std::min(names.size(), kShown); ++i)
      text += (i > 0 ? ", " : "") + names[i];
    if (names.size() > kShown) text += ", …";
    refuse(Flaw::label, "expected a class among " + text + "; found '" + shown() + "'");
  }

  void store_text(std::byte* into) const {
    const std::string_view text = reader.field(column);
    const int64_t room = slot_bytes(owner.selection_.spec());
    if (std::ssize(text) > room)
      refuse(Flaw::invalid, "is longer than it was; the file has changed");
    write_text(text, into, room);
  }

  // Returns the place after its numbers.
  std::byte* encode(const CellEncoder& encoder, std::byte* into) const {
    const auto width = static_cast<size_t>(encoder.width());
    const std::span<float> numbers(reinterpret_cast<float*>(into), width);
    if (encoder.encode(reader.field(column), numbers) != CellState::bad)
      return into + width * sizeof(float);
    if (parse_csv_value(reader.field(column)).kind == CsvValue::Kind::missing)
      refuse(Flaw::missing, "has no value");
    refuse(Flaw::not_a_number, "expected " + encoder.expected() + ", found '" + shown() + "'");
  }

  void store(const CsvValue& value, std::byte* into) const {
    visit_dtype(owner.selection_.dtype, [&]<class T>(T) {
      T element{};
      if constexpr (std::is_same_v<T, float>) {
        element = static_cast<T>(value.number);
      } else {
        if (value.kind != CsvValue::Kind::integer ||
            value.integer < std::numeric_limits<T>::min() ||
            value.integer > std::numeric_limits<T>::max())
          refuse(Flaw::label, "expected an integer of type " +
                                  std::string(name_of(owner.selection_.dtype)) + ", found '" +
                                  shown() + "'");
        element = static_cast<T>(value.integer);
      }
      std::memcpy(into, &element, sizeof element);
    });
  }
};

CsvSelectionReader::CsvSelectionReader(const CsvSummary& summary, const CsvSelection& selection)
    : summary_(summary), selection_(selection) {
  for (const std::string& name : selection.classes)
    classes_.emplace(name, static_cast<int64_t>(classes_.size()));
}

void CsvSelectionReader::read(const CsvReader& reader, std::byte* into) const {
  const std::ptrdiff_t expected = std::ssize(summary_.columns);
  if (reader.fields() != expected)
    throw FlawedRecord(Flaw::shape,
                       fmt::format("{}: expected {} fields as in the header, found {}",
                                   reader.place(std::min<int64_t>(reader.fields(), expected)),
                                   expected, reader.fields()));
  for (size_t i = 0; i < selection_.columns.size(); ++i) {
    const Field field{*this, reader, selection_.columns[i]};
    if (selection_.dtype == DType::string) {
      field.store_text(into);
      into += slot_bytes(selection_.spec());
      continue;
    }
    if (!selection_.encoders.empty() && selection_.encoders[i] != nullptr) {
      into = field.encode(*selection_.encoders[i], into);
      continue;
    }
    field.store(classes_.empty() ? field.number() : field.class_number(), into);
    into += size_of(selection_.dtype);
  }
}

std::vector<HostTensor> load_csv(const ByteSourcePtr& file, const CsvSummary& summary,
                                 std::span<const CsvSelection> selections,
                                 const CsvOptions& options, std::vector<int64_t>* bad) {
  CsvReader reader(file, options.delimiter, options.limits);
  std::vector<CsvSelectionReader> readers;
  std::vector<HostTensor> tensors;
  for (const CsvSelection& selection : selections) {
    readers.emplace_back(summary, selection);
    Spec spec = selection.spec();
    spec.shape = spec.shape.with(0, summary.records);
    tensors.push_back({spec, std::make_shared<Storage>(spec.bytes())});
  }
  if (options.has_header) reader.next();
  for (int64_t record = 0; record < summary.records; ++record) {
    if (!reader.next()) throw CorruptFile(file->name() + ": became shorter while it was read");
    try {
      for (size_t i = 0; i < readers.size(); ++i)
        readers[i].read(reader, tensors[i].storage->data() + record * selections[i].spec().bytes());
    } catch (const FlawedRecord&) {
      if (!options.keeps_bad || bad == nullptr) throw;
      bad->push_back(record);
    }
  }
  return tensors;
}

}  // namespace plimsoll
