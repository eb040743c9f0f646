#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/csv_table.h"
#include "plimsoll/formats/csv_value.h"

namespace plimsoll {
namespace {

// Fills one tensor, record by record.
class SelectionLoader {
 public:
  SelectionLoader(const CsvReader& reader, const CsvSummary& summary, const CsvSelection& selection,
                  const CsvOptions& options)
      : reader_(reader), summary_(summary), selection_(selection), options_(options) {
    Spec spec{selection.dtype, {summary.records}};
    if (!selection.is_scalar) spec.shape.push_back(static_cast<int64_t>(selection.columns.size()));
    tensor_ = {spec, std::make_shared<Storage>(spec.bytes())};
    next_ = tensor_.storage->data();
    for (const std::string& name : selection.classes)
      classes_.emplace(name, static_cast<int64_t>(classes_.size()));
  }

  // Takes the reader's record.
  void load() {
    for (int64_t column : selection_.columns) {
      if (column >= reader_.fields()) refuse(column, "is gone; the file has changed");
      store(classes_.empty() ? number_of(column) : class_of(column), column);
      next_ += size_of(selection_.dtype);
    }
  }

  const HostTensor& tensor() const { return tensor_; }

 private:
  [[noreturn]] void refuse(int64_t column, const std::string& what) const {
    throw CorruptFile(reader_.place(column) + ": column '" +
                      summary_.columns[static_cast<size_t>(column)].name + "' " + what);
  }

  void store(const CsvValue& value, int64_t column) {
    visit_dtype(selection_.dtype, [&]<class T>(T) {
      T element{};
      if constexpr (std::is_same_v<T, float>) {
        element = static_cast<T>(value.number);
      } else {
        if (value.kind != CsvValue::Kind::integer ||
            value.integer < std::numeric_limits<T>::min() ||
            value.integer > std::numeric_limits<T>::max())
          refuse(column, "expected an integer of type " + std::string(name_of(selection_.dtype)) +
                             ", found '" + shown(column) + "'");
        element = static_cast<T>(value.integer);
      }
      std::memcpy(next_, &element, sizeof element);
    });
  }

  CsvValue number_of(int64_t column) const {
    const CsvValue value = parse_csv_value(reader_.field(column));
    if (value.kind == CsvValue::Kind::text)
      refuse(column, "expected a number, found '" + shown(column) +
                         "' (leave the column out, or make numbers of it)");
    if (value.kind != CsvValue::Kind::missing) return value;
    if (!options_.missing)
      refuse(column, "has no value (fill it in, or say what stands for missing values)");
    const double fill = *options_.missing;
    if (std::abs(fill) < 1e15 && fill == std::trunc(fill))
      return {CsvValue::Kind::integer, fill, static_cast<int64_t>(fill)};
    return {CsvValue::Kind::real, fill, 0};
  }

  CsvValue class_of(int64_t column) const {
    const auto found = classes_.find(reader_.field(column));
    if (found == classes_.end()) unknown_class(column);
    return {CsvValue::Kind::integer, static_cast<double>(found->second), found->second};
  }

  [[noreturn]] void unknown_class(int64_t column) const {
    constexpr size_t kShown = 10;
    const auto& names = selection_.classes;
    std::string text;
    for (size_t i = 0; i < std::min(names.size(), kShown); ++i)
      text += (i > 0 ? ", " : "") + names[i];
    if (names.size() > kShown) text += ", …";
    refuse(column, "expected a class among " + text + "; found '" + shown(column) + "'");
  }

  // A field that may be long, for a message.
  std::string shown(int64_t column) const {
    constexpr size_t kShown = 40;
    const std::string_view text = reader_.field(column);
    return std::string(text.substr(0, kShown)) + (text.size() > kShown ? "…" : "");
  }

  const CsvReader& reader_;
  const CsvSummary& summary_;
  const CsvSelection& selection_;
  const CsvOptions& options_;
  std::map<std::string_view, int64_t> classes_;  // empty: numbers
  HostTensor tensor_;
  std::byte* next_ = nullptr;
};

}  // namespace

std::vector<HostTensor> load_csv(const ByteSourcePtr& file, const CsvSummary& summary,
                                 std::span<const CsvSelection> selections,
                                 const CsvOptions& options) {
  CsvReader reader(file, options.delimiter, options.limits);
  std::vector<SelectionLoader> loaders;
  for (const CsvSelection& selection : selections)
    loaders.emplace_back(reader, summary, selection, options);
  reader.next();
  for (int64_t record = 0; record < summary.records; ++record) {
    if (!reader.next()) throw CorruptFile(file->name() + ": became shorter while it was read");
    for (SelectionLoader& loader : loaders) loader.load();
  }
  std::vector<HostTensor> tensors;
  for (const SelectionLoader& loader : loaders) tensors.push_back(loader.tensor());
  return tensors;
}

}  // namespace plimsoll
