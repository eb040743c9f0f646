#include "plimsoll/formats/tables/idx.h"

#include <fmt/format.h>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <memory>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

class IdxReader {
 public:
  IdxReader(const ByteReader& reader, const std::string& name) : reader_(reader), name_(name) {}

  HostTensor read(int64_t max_bytes) {
    const Spec spec = read_header(max_bytes);
    HostTensor tensor{spec, std::make_shared<Storage>(spec.bytes())};
    read_exactly(tensor.storage->data(), spec.bytes(), "the elements");
    std::byte extra;
    if (reader_(&extra, 1) != 0)
      refuse("has more bytes than its header describes (" + spec.to_string() + ")");
    swap_idx_bytes(spec, {tensor.storage->data(), static_cast<size_t>(spec.bytes())});
    return tensor;
  }

  Spec read_header(int64_t max_bytes) {
    std::array<std::byte, 4> magic{};
    read_exactly(magic.data(), 4, "the magic number");
    if (magic[0] != std::byte{0} || magic[1] != std::byte{0}) refuse("is not an IDX file");
    Spec spec{element_type(magic[2]), {}};
    const int rank = std::to_integer<int>(magic[3]);
    if (rank > Shape::kMaxRank) refuse(fmt::format("has {} dimensions, at most 8", rank));
    for (int i = 0; i < rank; ++i) add_dimension(spec, max_bytes);
    return spec;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw CorruptFile(fmt::format("{}: {} (at byte {})", name_, what, position_));
  }

  void read_exactly(std::byte* into, int64_t size, const char* what) {
    const int64_t got = reader_(into, size);
    position_ += got;
    if (got != size)
      refuse(fmt::format("ends inside {}: expected {} bytes, found {}", what, size, got));
  }

  DType element_type(std::byte code) const {
    switch (std::to_integer<int>(code)) {
      case 0x08:
        return DType::uint8;
      case 0x0C:
        return DType::int32;
      case 0x0D:
        return DType::float32;
      default:
        refuse(fmt::format(
            "has element type {}; 8 (unsigned byte), 12 (int) and 13 (float) are understood",
            std::to_integer<int>(code)));
    }
  }

  void add_dimension(Spec& spec, int64_t max_bytes) {
    std::array<std::byte, 4> raw{};
    read_exactly(raw.data(), 4, "the dimensions");
    int64_t dim = 0;
    for (std::byte byte : raw) dim = dim * 256 + std::to_integer<int64_t>(byte);
    // The product so far is at most max_bytes, and a dimension below 2^32: no overflow.
    if (dim > 0 && spec.bytes() > max_bytes / dim)
      refuse("describes more than " + format_bytes(max_bytes));
    spec.shape.push_back(dim);
  }

  const ByteReader& reader_;
  const std::string& name_;
  int64_t position_ = 0;
};

// Throws unless the stream came to its proper end.
void refuse_damage(gzFile file, const std::string& path) {
  int code = Z_OK;
  const char* why = gzerror(file, &code);
  if (code == Z_ERRNO) throw IoError(path + ": cannot be read: " + std::strerror(errno));
  if (code != Z_OK && code != Z_STREAM_END)
    throw CorruptFile(path + ": the compressed data is damaged: " + why);
}

}  // namespace

HostTensor read_idx(const ByteReader& reader, const std::string& name, int64_t max_bytes) {
  return IdxReader(reader, name).read(max_bytes);
}

Spec read_idx_header(const ByteReader& reader, const std::string& name, int64_t max_bytes) {
  return IdxReader(reader, name).read_header(max_bytes);
}

void swap_idx_bytes(const Spec& spec, std::span<std::byte> elements) {
  if (std::endian::native == std::endian::big || size_of(spec.dtype) != 4) return;
  for (size_t at = 0; at < elements.size(); at += 4)
    std::reverse(elements.data() + at, elements.data() + at + 4);
}

ByteReader gzip_reader(const std::string& path) {
  errno = 0;
  // zlib reads a file that is not compressed as it is.
  const std::shared_ptr<gzFile_s> file(gzopen(path.c_str(), "rb"), [](gzFile opened) {
    if (opened != nullptr) gzclose_r(opened);
  });
  if (file == nullptr) throw IoError(path + ": cannot be opened: " + std::strerror(errno));
  return [file, path](std::byte* into, int64_t size) {
    int64_t got = 0;
    while (got < size) {
      const auto wanted = static_cast<unsigned>(std::min<int64_t>(size - got, 1 << 30));
      const int read = gzread(file.get(), into + got, wanted);
      if (read <= 0) {
        refuse_damage(file.get(), path);
        break;
      }
      got += read;
    }
    return got;
  };
}

HostTensor read_idx(const std::string& path, int64_t max_bytes) {
  return read_idx(gzip_reader(path), path, max_bytes);
}

}  // namespace plimsoll
