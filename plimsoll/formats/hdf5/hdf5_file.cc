#include "plimsoll/formats/hdf5/hdf5_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/hdf5/hdf5_global_heap.h"
#include "plimsoll/formats/hdf5/hdf5_object_header.h"
#include "plimsoll/formats/hdf5/hdf5_symbol_table.h"

namespace plimsoll {

namespace {

class Hdf5Reader {
 public:
  explicit Hdf5Reader(ByteSourcePtr source) : space_(std::move(source)), heap_(space_) {}

  Hdf5File read() {
    Hdf5File file{.name = space_.source()->name(), .root = {.path = "/"}};
    const uint64_t root = read_superblock();
    auto messages = read_object_header(space_, root, file.root.path);
    read_group(messages, file.root, 0);
    return file;
  }

 private:
  static constexpr int kMaxDepth = 100;

  // Gives the address of the root's header.
  uint64_t read_superblock() {
    constexpr uint64_t kBytes = 96;
    if (space_.source()->size() < static_cast<int64_t>(kBytes))
      throw CorruptFile(space_.source()->name() +
                        ": is not an HDF5 file, which begins with 96 bytes");
    Hdf5Block block = space_.read(0, kBytes, "the beginning of the file");
    block.expect_signature("\x89HDF\r\n\x1a\n");
    if (const uint8_t version = block.byte(); version != 0)
      block.refuse(fmt::format(
          "has version {} of the format, expected 0 (h5py's default; convert it with h5repack)",
          version));
    block.expect(4, 0, "parts of another version:");
    block.expect(2, 0x0808, "addresses of other sizes:");
    block.skip(1);
    sizes_ = {.leaf = block.number(2), .internal = block.number(2)};
    if (sizes_.leaf == 0 || sizes_.internal == 0) block.refuse("has nodes of size 0");
    block.skip(4);
    block.expect(8, 0, "a base address of");
    block.skip(8);
    if (const uint64_t end = block.number(8); end > static_cast<uint64_t>(space_.source()->size()))
      block.refuse(fmt::format("says that the file has {} bytes, found {}; it was cut off", end,
                               space_.source()->size()));
    block.skip(8 + 8);
    return block.number(8);
  }

  void read_group(std::vector<Hdf5Message>& messages, Hdf5Group& group, int depth) {
    bool is_group = false;
    for (Hdf5Message& message : messages) {
      if (message.type == Hdf5MessageType::attribute)
        read_attribute(message.body, heap_, group.attributes);
      if (message.type != Hdf5MessageType::symbol_table) continue;
      if (std::exchange(is_group, true)) message.body.refuse("describes two groups");
      for (const Hdf5Member& member : read_symbol_table(space_, message.body, sizes_))
        read_member(member, group, depth);
    }
    if (!is_group) refuse(group.path, "is neither a group nor a dataset");
  }

  void read_member(const Hdf5Member& member, Hdf5Group& parent, int depth) {
    const std::string path = (parent.path == "/" ? "/" : parent.path + "/") + member.name;
    if (depth >= kMaxDepth) refuse(path, "is nested too deep");
    auto messages = read_object_header(space_, member.header_address, path);
    bool is_dataset = false;
    for (const Hdf5Message& message : messages)
      is_dataset = is_dataset || message.type == Hdf5MessageType::layout;
    if (is_dataset)
      parent.datasets.emplace(member.name, read_dataset(messages, path));
    else
      read_group(messages, parent.groups[member.name] = {.path = path}, depth + 1);
  }

  Hdf5Dataset read_dataset(std::vector<Hdf5Message>& messages, const std::string& path) {
    std::optional<Shape> shape;
    std::optional<Hdf5Type> type;
    std::vector<Hdf5Filter> filters;
    Hdf5Attributes attributes;
    for (Hdf5Message& message : messages) {
      if (message.type == Hdf5MessageType::filters) filters = read_filters(message.body);
      if (message.type == Hdf5MessageType::dataspace) shape = read_dataspace(message.body);
      if (message.type == Hdf5MessageType::datatype) type = read_datatype(message.body);
      if (message.type == Hdf5MessageType::attribute)
        read_attribute(message.body, heap_, attributes);
    }
    if (!shape || !type) refuse(path, "has no shape or no datatype");
    Hdf5Place place;
    for (Hdf5Message& message : messages)
      if (message.type == Hdf5MessageType::layout)
        place = find_elements(message.body, path, *shape, *type, filters);
    return {space_.source(), path, *type, *shape, std::move(place), std::move(attributes)};
  }

  Hdf5Place find_elements(Hdf5Block& layout, const std::string& path, const Shape& shape,
                          const Hdf5Type& type, std::vector<Hdf5Filter>& filters) {
    layout.expect(1, 3, "a layout of version");
    const uint8_t kind = layout.byte();
    if (kind == 2)
      return {0, std::make_shared<const Hdf5Chunks>(
                     read_chunks(space_, layout, shape, type.size, std::move(filters)))};
    if (kind > 2) layout.refuse(fmt::format("has a layout of class {}", kind));
    if (!filters.empty()) layout.refuse("has filters, but no chunks");
    return {find_piece(layout, path, kind, static_cast<uint64_t>(shape.elements()) * type.size)};
  }

  // Where the `expected` bytes of elements in one piece begin.
  int64_t find_piece(Hdf5Block& layout, const std::string& path, uint8_t kind, uint64_t expected) {
    const bool inside_message = kind == 0;
    const uint64_t address = inside_message ? layout.address() + 2 : layout.number(8);
    const uint64_t size = layout.number(inside_message ? 2 : 8);
    if (expected == 0) return 0;
    if (address == kHdf5Undefined) layout.refuse("has elements that were never written");
    if (size != expected)
      layout.refuse(
          fmt::format("says that its elements take {} bytes, expected {}", size, expected));
    if (inside_message)
      layout.skip(size);
    else
      space_.claim(address, size, path);
    return static_cast<int64_t>(address);
  }

  [[noreturn]] void refuse(const std::string& path, const std::string& why) const {
    throw CorruptFile(space_.source()->name() + ": " + path + " " + why);
  }

  Hdf5Space space_;
  Hdf5GlobalHeap heap_;
  Hdf5NodeSizes sizes_;
};

// Follows the names of a path; empty where one of them is no group.
const Hdf5Group* walk(const Hdf5Group* from, std::string_view path) {
  while (from != nullptr && !path.empty()) {
    const size_t end = std::min(path.find('/'), path.size());
    const auto found = from->groups.find(path.substr(0, end));
    from = found == from->groups.end() ? nullptr : &found->second;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return from;
}

}  // namespace

const Hdf5Group* Hdf5Group::find_group(std::string_view relative) const {
  return walk(this, relative);
}

const Hdf5Dataset* Hdf5Group::find_dataset(std::string_view relative) const {
  const size_t slash = relative.rfind('/');
  const Hdf5Group* group = slash == relative.npos ? this : find_group(relative.substr(0, slash));
  if (group == nullptr) return nullptr;
  const auto found = group->datasets.find(relative.substr(slash == relative.npos ? 0 : slash + 1));
  return found == group->datasets.end() ? nullptr : &found->second;
}

Hdf5File read_hdf5(ByteSourcePtr source) {
  return Hdf5Reader(std::move(source)).read();
}

}  // namespace plimsoll
