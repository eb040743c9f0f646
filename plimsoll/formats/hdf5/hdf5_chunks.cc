#include "plimsoll/formats/hdf5/hdf5_chunks.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/scratch_bytes.h"

namespace plimsoll {
namespace {

constexpr const char* kRewrite =
    "write it without (h5py: create_dataset(name, data=array)), or with h5repack -f NONE -l CONTI "
    "FROM TO";
// Chunks of h5py take up to 1 MiB unless a program chooses them.
constexpr uint64_t kMostSlabBytes = uint64_t{256} << 20;
// Deflate makes at most 1032 bytes from one.
constexpr uint64_t kMostExpansion = 1033;

std::string filter_name(uint64_t id) {
  switch (id) {
    case 3:
      return "fletcher32";
    case 4:
      return "szip";
    case 5:
      return "nbit";
    case 6:
      return "scaleoffset";
    case 32000:
      return "lzf";
    default:
      return fmt::format("filter {}", id);
  }
}

Hdf5Filter known_filter(Hdf5Block& block, uint64_t id) {
  if (id == 1) return Hdf5Filter::deflate;
  if (id == 2) return Hdf5Filter::shuffle;
  block.refuse(
      fmt::format("is stored with {}; gzip and shuffle are read, {}", filter_name(id), kRewrite));
}

int64_t chunks_along(const Shape& shape, const Shape& chunk, int axis) {
  return (shape[axis] + chunk[axis] - 1) / chunk[axis];
}

int64_t count_chunks(const Shape& shape, const Shape& chunk) {
  int64_t count = 1;
  for (int axis = 0; axis < shape.rank(); ++axis) count *= chunks_along(shape, chunk, axis);
  return count;
}

// Walks the B-tree of the chunks.
class ChunkTreeReader {
 public:
  ChunkTreeReader(Hdf5Space& space, std::string what, Hdf5Chunks& chunks)
      : space_(space), what_(std::move(what)), chunks_(chunks) {}

  void read_node(uint64_t address, int levels_left, int expected_level) {
    const auto rank = static_cast<uint64_t>(chunks_.shape.rank());
    const uint64_t key_bytes = 8 + 8 * (rank + 1);
    Hdf5Block head = space_.read(address, 24, what_);
    head.expect_signature("TREE");
    head.expect(1, 1, "a tree of type");
    const int level = head.byte();
    if (levels_left == 0 || (expected_level >= 0 && level != expected_level))
      head.refuse(fmt::format("has a tree of level {}", level));
    const uint64_t used = head.number(2);
    Hdf5Block node = space_.read(address + 24, used * (key_bytes + 8), what_);
    for (uint64_t i = 0; i < used; ++i) {
      const uint64_t bytes = node.number(4), skipped = node.number(4);
      const int64_t place = read_place(node);
      const uint64_t child = node.number(8);
      if (level > 0)
        read_node(child, levels_left - 1, level - 1);
      else
        add(node, place, {child, static_cast<uint32_t>(bytes), static_cast<uint32_t>(skipped)});
    }
  }

 private:
  // The number of the chunk, counted with the last axis fastest.
  int64_t read_place(Hdf5Block& node) const {
    int64_t place = 0;
    for (int axis = 0; axis < chunks_.shape.rank(); ++axis) {
      const uint64_t offset = node.number(8);
      const auto size = static_cast<uint64_t>(chunks_.chunk[axis]);
      const auto count = chunks_along(chunks_.shape, chunks_.chunk, axis);
      if (offset % size != 0 || offset / size >= static_cast<uint64_t>(count))
        node.refuse(
            fmt::format("has a chunk that begins at {} of {}", offset, chunks_.shape[axis]));
      place = place * count + static_cast<int64_t>(offset / size);
    }
    node.skip(8);
    return place;
  }

  void add(Hdf5Block& node, int64_t place, const Hdf5Chunks::Piece& piece) {
    if (place != std::ssize(chunks_.pieces))
      node.refuse("has chunks that were never written, or not in their order; write all of them");
    space_.claim(piece.address, piece.bytes, what_);
    if (piece.skipped >> chunks_.filters.size() != 0)
      node.refuse("skips a filter that is not there");
    const bool is_deflated = is_used(piece, Hdf5Filter::deflate);
    const uint64_t most = is_deflated ? piece.bytes * kMostExpansion : piece.bytes;
    if (most < chunks_.chunk_bytes() || (!is_deflated && piece.bytes != chunks_.chunk_bytes()))
      node.refuse(
          fmt::format("has a chunk of {} bytes, expected {}", piece.bytes, chunks_.chunk_bytes()));
    chunks_.pieces.push_back(piece);
  }

  bool is_used(const Hdf5Chunks::Piece& piece, Hdf5Filter filter) const {
    for (size_t i = 0; i < chunks_.filters.size(); ++i)
      if (chunks_.filters[i] == filter && (piece.skipped >> i & 1u) == 0) return true;
    return false;
  }

  Hdf5Space& space_;
  std::string what_;
  Hdf5Chunks& chunks_;
};

// The first bytes of all elements come first, then the second ones; what is left over stays.
void undo_shuffle(std::span<const std::byte> from, size_t size, std::span<std::byte> into) {
  const size_t count = from.size() / size;
  for (size_t byte = 0; byte < size; ++byte)
    for (size_t i = 0; i < count; ++i) into[i * size + byte] = from[byte * count + i];
  std::copy(from.begin() + static_cast<ptrdiff_t>(count * size), from.end(),
            into.begin() + static_cast<ptrdiff_t>(count * size));
}

void undo_deflate(std::span<const std::byte> from, std::span<std::byte> into,
                  const std::string& name) {
  uLongf size = static_cast<uLongf>(into.size());
  const int result =
      uncompress(reinterpret_cast<Bytef*>(into.data()), &size,
                 reinterpret_cast<const Bytef*>(from.data()), static_cast<uLong>(from.size()));
  if (result != Z_OK || size != into.size())
    throw CorruptFile(name + ": a compressed chunk is damaged");
}

void read_chunk(ByteSource& source, const Hdf5Chunks& chunks, const Hdf5Chunks::Piece& piece,
                std::span<std::byte> into) {
  ScratchBytes stored(std::max<size_t>(piece.bytes, into.size()));
  std::span<std::byte> now = stored.bytes().first(piece.bytes);
  source.read_at(static_cast<int64_t>(piece.address), now);
  for (size_t i = chunks.filters.size(); i-- > 0;) {
    if ((piece.skipped >> i & 1u) != 0) continue;
    if (chunks.filters[i] == Hdf5Filter::deflate)
      undo_deflate(now, into, source.name());
    else if (now.size() == into.size())
      undo_shuffle(now, chunks.element_bytes, into);
    else
      throw CorruptFile(source.name() + ": a chunk that is compressed, then shuffled, is not read");
    now = stored.bytes().first(into.size());
    std::copy(into.begin(), into.end(), now.begin());
  }
  std::copy(now.begin(), now.end(), into.begin());
}

// Copies the part of a chunk that is in the dataset to its place in a slab of some rows.
class ChunkCopy {
 public:
  ChunkCopy(const Hdf5Chunks& chunks, std::vector<int64_t> origin, int64_t rows)
      : chunks_(chunks), origin_(std::move(origin)) {
    for (int axis = 0; axis < chunks.shape.rank(); ++axis)
      counts_.push_back(std::min(chunks.chunk[axis], (axis == 0 ? rows : chunks.shape[axis]) -
                                                         origin_[static_cast<size_t>(axis)]));
  }

  void run(std::span<const std::byte> from, std::span<std::byte> into) const {
    copy(0, from.data(), into.data());
  }

 private:
  // Both are at the place of the axes before.
  void copy(int axis, const std::byte* from, std::byte* into) const {
    const auto size = static_cast<int64_t>(chunks_.element_bytes);
    const int rank = chunks_.shape.rank();
    const auto at = static_cast<size_t>(axis);
    const int64_t from_stride = chunks_.chunk.elements(axis + 1, rank) * size,
                  into_stride = chunks_.shape.elements(axis + 1, rank) * size;
    into += origin_[at] * into_stride;
    if (axis + 1 == rank) {
      std::memcpy(into, from, static_cast<size_t>(counts_[at] * size));
      return;
    }
    for (int64_t i = 0; i < counts_[at]; ++i)
      copy(axis + 1, from + i * from_stride, into + i * into_stride);
  }

  const Hdf5Chunks& chunks_;
  std::vector<int64_t> origin_, counts_;
};

}  // namespace

std::vector<Hdf5Filter> read_filters(Hdf5Block& block) {
  const uint8_t version = block.byte();
  if (version != 1 && version != 2) block.refuse(fmt::format("has filters of version {}", version));
  const int count = block.byte();
  if (version == 1) block.skip(6);
  std::vector<Hdf5Filter> filters;
  for (int i = 0; i < count; ++i) {
    const uint64_t id = block.number(2);
    const uint64_t name_bytes = version == 1 || id >= 256 ? block.number(2) : 0;
    block.skip(2);  // flags
    const uint64_t values = block.number(2);
    const Hdf5Filter filter = known_filter(block, id);
    if (std::ranges::find(filters, filter) != filters.end()) block.refuse("has a filter twice");
    filters.push_back(filter);
    block.skip(version == 1 ? (name_bytes + 7) / 8 * 8 : name_bytes);
    block.skip(4 * values + (version == 1 && values % 2 == 1 ? 4 : 0));
  }
  return filters;
}

uint64_t Hdf5Chunks::chunk_bytes() const {
  return static_cast<uint64_t>(chunk.elements()) * element_bytes;
}

int64_t Hdf5Chunks::row_bytes() const {
  return shape.elements(1, shape.rank()) * static_cast<int64_t>(element_bytes);
}

void Hdf5Chunks::read_slab(ByteSource& source, int64_t slab, std::span<std::byte> into) const {
  const int64_t per_slab = std::ssize(pieces) / chunks_along(shape, chunk, 0);
  const int64_t rows = std::ssize(into) / std::max<int64_t>(1, row_bytes());
  ScratchBytes expanded(chunk_bytes());
  for (int64_t k = 0; k < per_slab; ++k) {
    read_chunk(source, *this, pieces[static_cast<size_t>(slab * per_slab + k)], expanded.bytes());
    std::vector<int64_t> origin(static_cast<size_t>(shape.rank()));
    int64_t left = k;
    for (int axis = shape.rank(); axis-- > 1;) {
      const int64_t along = chunks_along(shape, chunk, axis);
      origin[static_cast<size_t>(axis)] = left % along * chunk[axis];
      left /= along;
    }
    ChunkCopy(*this, std::move(origin), rows).run(expanded.bytes(), into);
  }
}

Hdf5Chunks read_chunks(Hdf5Space& space, Hdf5Block& layout, const Shape& shape,
                       uint64_t element_bytes, std::vector<Hdf5Filter> filters) {
  Hdf5Chunks chunks;
  chunks.shape = shape;
  chunks.element_bytes = element_bytes;
  chunks.filters = std::move(filters);
  const auto rank = static_cast<uint64_t>(shape.rank());
  layout.expect(1, rank + 1, "chunks of other dimensions:");
  const uint64_t tree = layout.number(8);
  if (rank == 0) layout.refuse("has chunks of a single number");
  uint64_t slab_bytes = element_bytes;
  for (uint64_t i = 0; i < rank; ++i) {
    const uint64_t size = layout.number(4);
    if (size == 0) layout.refuse("has chunks of no elements");
    const auto dim = static_cast<uint64_t>(shape[static_cast<int>(i)]);
    if (slab_bytes > kMostSlabBytes / std::max(size, i == 0 ? uint64_t{1} : dim))
      layout.refuse(fmt::format("has chunks that take over {} to read; {}",
                                format_bytes(static_cast<int64_t>(kMostSlabBytes)), kRewrite));
    slab_bytes *= std::max(size, i == 0 ? uint64_t{1} : dim);
    chunks.chunk.push_back(static_cast<int64_t>(size));
  }
  layout.expect(4, element_bytes, "elements of other sizes:");
  if (shape.elements() == 0) return chunks;
  if (tree == kHdf5Undefined) layout.refuse("has elements that were never written");
  constexpr int kMostLevels = 8;
  ChunkTreeReader(space, "list of chunks in the " + layout.what(), chunks)
      .read_node(tree, kMostLevels, -1);
  if (std::ssize(chunks.pieces) != count_chunks(shape, chunks.chunk))
    layout.refuse("has chunks that were never written; write all of them");
  return chunks;
}

}  // namespace plimsoll
