#include "plimsoll/formats/numpy/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/unnamed_file.h"

namespace plimsoll {
namespace {

constexpr int64_t kChunkBytes = 1 << 17;
constexpr int64_t kTransposeBytes = 4 << 20;

// The place of element `column` of a row in memory, when columns are counted
// with the first index moving fastest.
int64_t row_major_place(int64_t column, const Shape& shape) {
  int64_t place = 0, stride = shape.elements(1, shape.rank());
  for (int axis = 1; axis < shape.rank(); ++axis) {
    stride /= shape[axis];
    place += column % shape[axis] * stride;
    column /= shape[axis];
  }
  return place;
}

}  // namespace

NpyArray::NpyArray(ByteSourcePtr file)
    : file_(std::move(file)),
      header_(read_npy_header(*file_)),
      spec_{header_.type.dtype(), header_.shape} {
  if (!header_.type.is_text()) return;
  if (spec_.shape.rank() == Shape::kMaxRank)
    throw CorruptFile(
        fmt::format("{}: texts have at most {} dimensions", file_->name(), Shape::kMaxRank - 1));
  spec_.shape.push_back(header_.type.bytes_here() / size_of(spec_.dtype));
}

int64_t NpyArray::rows() const {
  return header_.shape.rank() == 0 ? 1 : header_.shape[0];
}

int64_t NpyArray::row_bytes() const {
  const int rank = header_.shape.rank();
  return (rank == 0 ? 1 : header_.shape.elements(1, rank)) * header_.type.bytes_here();
}

bool NpyArray::is_row_order() const {
  return !header_.is_fortran_order || header_.shape.rank() < 2;
}

void NpyArray::read_rows(int64_t first, int64_t count, std::byte* into) const {
  if (first < 0 || count < 0 || first + count > rows())
    throw InvalidArgument(fmt::format("{}: rows {} to {} do not all exist; it has {}", name(),
                                      first, first + count, rows()));
  const int64_t width = row_bytes() / header_.type.bytes_here();
  if (is_row_order())
    read_elements(first * width, count * width, into);
  else
    read_columns(first, count, into);
}

// Elements in the order of the file.
void NpyArray::read_elements(int64_t first, int64_t count, std::byte* into) const {
  const NpyType& type = header_.type;
  const int64_t begin = header_.data_offset + first * type.size;
  if (type.is_plain()) {
    file_->read_at(begin, {into, static_cast<size_t>(count * type.size)});
    return;
  }
  const int64_t most = std::max<int64_t>(kChunkBytes / type.size, 1);
  std::vector<std::byte> chunk(static_cast<size_t>(std::min(count, most) * type.size));
  for (int64_t done = 0; done < count;) {
    const int64_t now = std::min(count - done, most);
    file_->read_at(begin + done * type.size,
                   std::span(chunk).first(static_cast<size_t>(now * type.size)));
    if (!type.convert(chunk.data(), now, into + done * type.bytes_here()))
      throw CorruptFile(fmt::format("{}: has {} (near element {}); save it as {}", name(),
                                    type.is_text() ? "a character that is not valid Unicode"
                                                   : "an unsigned number that an int64 cannot hold",
                                    first + done, type.is_text() ? "UTF-8" : "int64 or float"));
    done += now;
  }
}

void NpyArray::read_columns(int64_t first, int64_t count, std::byte* into) const {
  const int64_t size = header_.type.bytes_here(), width = row_bytes() / size;
  std::vector<std::byte> column(static_cast<size_t>(count * size));
  for (int64_t c = 0; c < width; ++c) {
    read_elements(c * rows() + first, count, column.data());
    const int64_t place = row_major_place(c, header_.shape);
    for (int64_t row = 0; row < count; ++row)
      std::copy_n(column.data() + row * size, size, into + (row * width + place) * size);
  }
}

HostTensor NpyArray::read(int64_t max_bytes) const {
  if (spec_.bytes() > max_bytes)
    throw InvalidArgument(name() + ": takes " + format_bytes(spec_.bytes()) + ", at most " +
                          format_bytes(max_bytes) + " are read at once");
  HostTensor tensor{spec_, std::make_shared<Storage>(spec_.bytes())};
  read_rows(0, rows(), tensor.storage->data());
  return tensor;
}

NpyArray in_row_order(const NpyArray& array, const std::string& folder) {
  UnnamedFile file(folder, array.name());
  const std::string header = npy_header_text(array.spec());
  file.append(std::as_bytes(std::span(header)));
  const int64_t row_bytes = std::max<int64_t>(1, array.row_bytes());
  const int64_t chunk = std::clamp<int64_t>(kTransposeBytes / row_bytes, 1, 1 << 20);
  std::vector<std::byte> rows(static_cast<size_t>(std::min(chunk, array.rows()) * row_bytes));
  for (int64_t first = 0; first < array.rows(); first += chunk) {
    const int64_t count = std::min(chunk, array.rows() - first);
    array.read_rows(first, count, rows.data());
    file.append(std::span(rows).first(static_cast<size_t>(count * array.row_bytes())));
  }
  return NpyArray(std::move(file).source());
}

}  // namespace plimsoll
