#include "plimsoll/formats/hdf5/hdf5_object_header.h"

#include <fmt/format.h>

#include <utility>

namespace plimsoll {
namespace {

struct Chunk {
  uint64_t address, size;
};

// The error text for a message that is not understood.
std::string meaning_of(uint64_t type) {
  switch (type) {
    case 0x02:
    case 0x06:
    case 0x0A:
    case 0x15:
      return "is in the newer format of HDF5, which h5py writes when asked for libver='latest' or "
             "track_order; save it without, or convert it with h5repack";
    case 0x07:
      return "keeps its data in another file";
    default:
      return fmt::format("has a message of type {}, which is not understood", type);
  }
}

bool is_understood(uint64_t type) {
  using enum Hdf5MessageType;
  switch (static_cast<Hdf5MessageType>(type)) {
    case nil:
    case dataspace:
    case datatype:
    case old_fill_value:
    case fill_value:
    case layout:
    case filters:
    case attribute:
    case continuation:
    case symbol_table:
    case modification_time:
      return true;
  }
  return false;
}

class HeaderReader {
 public:
  HeaderReader(Hdf5Space& space, const std::string& path)
      : space_(space), what_("object header of " + path) {}

  std::vector<Hdf5Message> read(uint64_t address) {
    Hdf5Block prefix = space_.read(address, 16, what_);
    if (const uint8_t version = prefix.byte(); version == 'O')
      prefix.refuse(meaning_of(0x02));
    else if (version != 1)
      prefix.refuse(fmt::format("has version {}, expected 1", version));
    prefix.skip(1 + 2 + 4);  // reserved, number of messages, number of links to it
    chunks_.push_back({address + 16, prefix.number(4)});
    for (size_t i = 0; i < chunks_.size(); ++i) read_chunk(chunks_[i]);
    return std::move(messages_);
  }

 private:
  void read_chunk(Chunk chunk) {
    Hdf5Block block = space_.read(chunk.address, chunk.size, what_);
    while (block.left() >= 8) read_message(block);
  }

  void read_message(Hdf5Block& block) {
    const uint64_t type = block.number(2), size = block.number(2);
    const uint8_t flags = block.byte();
    block.skip(3);
    if (!is_understood(type)) block.refuse(meaning_of(type));
    if ((flags & ~0x05) != 0) block.refuse("has a message that is stored elsewhere");
    Hdf5Block body = block.part(size, what_);
    const auto known = static_cast<Hdf5MessageType>(type);
    if (known == Hdf5MessageType::continuation)
      chunks_.push_back({body.number(8), body.number(8)});
    else if (known != Hdf5MessageType::nil)
      messages_.push_back({known, std::move(body)});
  }

  Hdf5Space& space_;
  std::string what_;
  std::vector<Chunk> chunks_;
  std::vector<Hdf5Message> messages_;
};

}  // namespace

std::vector<Hdf5Message> read_object_header(Hdf5Space& space, uint64_t address,
                                            const std::string& path) {
  return HeaderReader(space, path).read(address);
}

}  // namespace plimsoll
