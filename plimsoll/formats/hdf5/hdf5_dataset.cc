#include "plimsoll/formats/hdf5/hdf5_dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/unnamed_file.h"

namespace plimsoll {

Hdf5Dataset::Hdf5Dataset(ByteSourcePtr source, std::string path, Hdf5Type type, Shape shape,
                         Hdf5Place place, Hdf5Attributes attributes)
    : source_(std::move(source)),
      path_(std::move(path)),
      type_(type),
      shape_(shape),
      place_(std::move(place)),
      attributes_(std::move(attributes)) {
  // Keras writes what NumPy calls bfloat16 as bytes, and says so beside.
  const auto note = attributes_.find("dtype");
  if (type_.kind == Hdf5Type::Kind::opaque && type_.size == 2 && note != attributes_.end() &&
      note->second.text == std::vector<std::string>{"bfloat16"})
    type_ = {Hdf5Type::Kind::number, 2, {StoredType::Kind::bfloat16, 2}};
}

// Calls use(the number of the first row, the bytes of some rows as they are stored).
template <class Use>
void Hdf5Dataset::for_each_slab(const Use& use) const {
  if (shape_.elements() == 0) return;
  const Hdf5Chunks& chunks = *place_.chunks;
  const int64_t most = chunks.slab_rows();
  std::vector<std::byte> rows(static_cast<size_t>(most * chunks.row_bytes()));
  for (int64_t first = 0; first < shape_[0]; first += most) {
    const int64_t count = std::min(most, shape_[0] - first);
    const auto now = std::span(rows).first(static_cast<size_t>(count * chunks.row_bytes()));
    chunks.read_slab(*source_, first / most, now);
    use(first, now);
  }
}

void Hdf5Dataset::expect_numbers(DType dtype) const {
  if (!is_numeric())
    throw CorruptFile(source_->name() + ": " + path_ + " does not hold numbers, expected " +
                      std::string(name_of(dtype)));
}

void Hdf5Dataset::read(DType dtype, std::span<std::byte> into) const {
  expect_numbers(dtype);
  if (is_in_one_piece()) return read_numbers(*source_, place_.offset, type_.number, dtype, into);
  std::byte* at = into.data();
  for_each_slab([&](int64_t, std::span<const std::byte> rows) {
    const int64_t count = std::ssize(rows) / type_.number.size;
    convert_numbers(rows.data(), count, type_.number, dtype, at);
    at += count * size_of(dtype);
  });
}

void Hdf5Dataset::read_rows(int64_t first, int64_t count, std::byte* into) const {
  expect_numbers(dtype());
  if (!is_in_one_piece() || shape_.rank() == 0 || first < 0 || count < 0 ||
      first + count > shape_[0])
    throw InvalidArgument(fmt::format("{}: rows {} to {} of {} cannot be read", source_->name(),
                                      first, first + count, path_));
  const int64_t width = shape_.elements(1, shape_.rank());
  read_numbers(*source_, place_.offset + first * width * type_.number.size, type_.number, dtype(),
               {into, static_cast<size_t>(count * width * size_of(dtype()))});
}

Hdf5Dataset Hdf5Dataset::in_one_piece(const std::string& folder) const {
  if (is_in_one_piece()) return *this;
  UnnamedFile file(folder, source_->name());
  for_each_slab([&](int64_t, std::span<const std::byte> rows) { file.append(rows); });
  return {std::move(file).source(), path_, type_, shape_, {}, attributes_};
}

}  // namespace plimsoll
