#include "python/bindings/array_source.h"

#include <fmt/format.h>

#include <cstring>

#include "plimsoll/base/error.h"
#include "plimsoll/data/stages/stages.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/tensor/half.h"
#include "python/bindings/arrays.h"

namespace plimsoll::python {
namespace {

// How the elements of an array are stored: NumPy's kind and size, "f8".
enum class Stored { f2, f4, f8, i1, i2, i4, i8, u1, u2, u4, u8, b1 };

Stored stored_as(nb::handle array) {
  static constexpr std::pair<const char*, Stored> kNames[] = {
      {"f2", Stored::f2}, {"f4", Stored::f4}, {"f8", Stored::f8}, {"i1", Stored::i1},
      {"i2", Stored::i2}, {"i4", Stored::i4}, {"i8", Stored::i8}, {"u1", Stored::u1},
      {"u2", Stored::u2}, {"u4", Stored::u4}, {"u8", Stored::u8}, {"b1", Stored::b1}};
  const nb::object dtype = array.attr("dtype");
  const auto code = nb::cast<std::string>(dtype.attr("str")).substr(1);
  const bool is_native = nb::cast<bool>(dtype.attr("isnative"));
  for (const auto& [name, stored] : kNames)
    if (code == name && is_native) return stored;
  throw InvalidArgument("arrays of the type " + nb::cast<std::string>(nb::str(dtype)) +
                        " cannot be used; expected numbers in the byte order of this machine");
}

template <class To>
To element(const std::byte* at, Stored stored) {
  const auto value = [at]<class From>(From) {
    From from;
    std::memcpy(&from, at, sizeof from);
    return static_cast<To>(from);
  };
  switch (stored) {
    case Stored::f2: {
      uint16_t bits;
      std::memcpy(&bits, at, sizeof bits);
      return static_cast<To>(half_to_float(bits));
    }
    case Stored::f4:
      return value(float{});
    case Stored::f8:
      return value(double{});
    case Stored::i1:
      return value(int8_t{});
    case Stored::i2:
      return value(int16_t{});
    case Stored::i4:
      return value(int32_t{});
    case Stored::i8:
      return value(int64_t{});
    case Stored::u2:
      return value(uint16_t{});
    case Stored::u4:
      return value(uint32_t{});
    case Stored::u8:
      return value(uint64_t{});
    default:
      return value(uint8_t{});
  }
}

struct Column {
  ReferencePtr array;
  const std::byte* data = nullptr;
  Stored stored = Stored::f4;
  Spec record;                   // of one record
  std::vector<int64_t> strides;  // bytes, of all axes
  bool is_plain = false;         // a record is copied as it is
  bool is_dense = false;         // a record's elements follow each other
};

int64_t size_of(Stored stored) {
  switch (stored) {
    case Stored::f8:
    case Stored::i8:
    case Stored::u8:
      return 8;
    case Stored::f4:
    case Stored::i4:
    case Stored::u4:
      return 4;
    case Stored::f2:
    case Stored::i2:
    case Stored::u2:
      return 2;
    default:
      return 1;
  }
}

Column column_of(nb::handle given) {
  const nb::object array = nb::borrow(given);
  Column column;
  column.array = std::make_shared<const Reference>(array);
  column.stored = stored_as(array);
  column.data = reinterpret_cast<const std::byte*>(
      nb::cast<uintptr_t>(array.attr("__array_interface__")["data"][0]));
  Shape shape = to_shape(array.attr("shape"));
  column.record = {dtype_of_array(array), shape.without(0)};
  column.strides = nb::cast<std::vector<int64_t>>(nb::list(array.attr("strides")));
  int64_t dense = size_of(column.stored);
  column.is_dense = true;
  for (int axis = shape.rank() - 1; axis > 0; --axis) {
    column.is_dense &= shape[axis] == 1 || column.strides[static_cast<size_t>(axis)] == dense;
    dense *= shape[axis];
  }
  const bool same_type = size_of(column.record.dtype) == size_of(column.stored) &&
                         (column.record.dtype == DType::float32) == (column.stored == Stored::f4);
  column.is_plain = column.is_dense && same_type;
  return column;
}

// Calls `use` with the place of each element of a record, in order.
template <class Use>
void for_each_element(const Column& column, const std::byte* at, int axis, const Use& use) {
  const Shape& shape = column.record.shape;
  if (axis == shape.rank()) return use(at);
  for (int64_t i = 0; i < shape[axis]; ++i)
    for_each_element(column, at + i * column.strides[static_cast<size_t>(axis) + 1], axis + 1, use);
}

template <class To>
void cast_record(const Column& column, const std::byte* from, To* to) {
  if (column.is_dense) {
    const int64_t size = size_of(column.stored), count = column.record.shape.elements();
    for (int64_t i = 0; i < count; ++i) to[i] = element<To>(from + i * size, column.stored);
  } else {
    for_each_element(column, from, 0,
                     [&](const std::byte* at) { *to++ = element<To>(at, column.stored); });
  }
}

class ArraySource final : public Source {
 public:
  explicit ArraySource(std::vector<Column> columns, int64_t size)
      : columns_(std::move(columns)), size_(size) {
    for (const Column& column : columns_) fields_.push_back(column.record);
  }

  int64_t size() const override { return size_; }
  const Specs& fields() const override { return fields_; }
  bool is_in_memory() const override { return true; }
  std::string name(RecordId id) const override { return fmt::format("record {}", id.number); }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    for (size_t i = 0; i < columns_.size(); ++i) read_field(columns_[i], id.number, into[i]);
  }

 private:
  static void read_field(const Column& column, int64_t record, std::byte* into) {
    const std::byte* from = column.data + record * column.strides[0];
    if (column.is_plain)
      std::memcpy(into, from, static_cast<size_t>(column.record.bytes()));
    else
      visit_dtype(column.record.dtype,
                  [&]<class To>(To) { cast_record(column, from, reinterpret_cast<To*>(into)); });
  }

  std::vector<Column> columns_;
  int64_t size_;
  Specs fields_;
};

// Texts get slots as long as the longest of them.
HostTensor host_tensor(const Tensor& tensor) {
  tensor.data();
  return {tensor.spec(), tensor.value().node->values[static_cast<size_t>(tensor.value().output)]};
}

}  // namespace

SourcePtr array_source(nb::handle arrays) {
  std::vector<SourcePtr> sources;
  std::vector<Column> columns;  // that follow each other and are in no source yet
  int64_t size = -1;
  const auto end_columns = [&] {
    if (!columns.empty())
      sources.push_back(std::make_shared<ArraySource>(std::exchange(columns, {}), size));
  };
  for (const nb::handle given : arrays) {
    const bool is_tensor = nb::isinstance<Tensor>(given);
    const nb::object array = is_tensor ? nb::borrow(given) : numpy().attr("asarray")(given);
    const Shape shape = to_shape(array.attr("shape"));
    if (shape.rank() < 1)
      throw InvalidArgument("an array of data has no axis; its first axis must count the records");
    if (size >= 0 && shape[0] != size)
      throw InvalidArgument(
          fmt::format("the arrays of data have {} and {} records; they must have the same number",
                      size, shape[0]));
    size = shape[0];
    if (is_tensor || dtype_of_array(array) == DType::string) {
      end_columns();
      sources.push_back(from_tensor_slices({host_tensor(to_tensor(array))}));
    } else {
      columns.push_back(column_of(array));
    }
  }
  end_columns();
  if (sources.empty()) throw InvalidArgument("there is no data");
  return sources.size() == 1 ? sources[0] : zipped(std::move(sources));
}

}  // namespace plimsoll::python
