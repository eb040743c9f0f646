#include "plimsoll/formats/hdf5/hdf5_symbol_table.h"

#include <fmt/format.h>

#include <utility>

namespace plimsoll {
namespace {

class TableReader {
 public:
  TableReader(Hdf5Space& space, const Hdf5NodeSizes& sizes, std::string what, Hdf5Block names)
      : space_(space), sizes_(sizes), what_(std::move(what)), names_(std::move(names)) {}

  void read_tree(uint64_t address, int levels_left, int expected_level) {
    Hdf5Block node = space_.read(address, 24 + 8 * (4 * sizes_.internal + 1), what_);
    node.expect_signature("TREE");
    node.expect(1, 0, "a tree of type");
    const int level = node.byte();
    if (levels_left == 0 || (expected_level >= 0 && level != expected_level))
      node.refuse(fmt::format("has a tree of level {}", level));
    const uint64_t used = node.number(2);
    if (used > 2 * sizes_.internal) node.refuse(fmt::format("has {} entries in a node", used));
    node.skip(8 + 8 + 8);  // siblings, the first key
    for (uint64_t i = 0; i < used; ++i) {
      const uint64_t child = node.number(8);
      node.skip(8);
      if (level > 0)
        read_tree(child, levels_left - 1, level - 1);
      else
        read_names(child);
    }
  }

  std::vector<Hdf5Member> members() { return std::move(members_); }

 private:
  void read_names(uint64_t address) {
    Hdf5Block node = space_.read(address, 8 + 2 * sizes_.leaf * 40, what_);
    node.expect_signature("SNOD");
    node.expect(1, 1, "version");
    node.skip(1);
    const uint64_t used = node.number(2);
    if (used > 2 * sizes_.leaf) node.refuse(fmt::format("has {} names in a node", used));
    for (uint64_t i = 0; i < used; ++i) read_name(node);
  }

  void read_name(Hdf5Block& node) {
    const uint64_t name_at = node.number(8), header = node.number(8), cached = node.number(4);
    if (cached > 1) node.refuse("has a soft link");
    node.skip(4 + 16);
    std::string name = names_.text_at(name_at);
    if (name.empty() || name.find('/') != name.npos || name == "." || name == "..")
      node.refuse("has a member without a proper name");
    if (!members_.empty() && name <= members_.back().name)
      node.refuse("has its names out of order");
    members_.push_back({std::move(name), header});
  }

  Hdf5Space& space_;
  const Hdf5NodeSizes& sizes_;
  std::string what_;
  Hdf5Block names_;
  std::vector<Hdf5Member> members_;
};

Hdf5Block read_local_heap(Hdf5Space& space, uint64_t address, const std::string& what) {
  Hdf5Block head = space.read(address, 32, what);
  head.expect_signature("HEAP");
  head.expect(1, 0, "version");
  head.skip(3);
  const uint64_t size = head.number(8);
  head.skip(8);  // the first free place
  return space.read(head.number(8), size, what);
}

}  // namespace

std::vector<Hdf5Member> read_symbol_table(Hdf5Space& space, Hdf5Block& message,
                                          const Hdf5NodeSizes& sizes) {
  constexpr int kMaxLevels = 8;  // of at least two entries a node, usually 32
  const uint64_t tree = message.number(8), heap = message.number(8);
  const std::string what = "list of members in the " + message.what();
  TableReader reader(space, sizes, what, read_local_heap(space, heap, what));
  reader.read_tree(tree, kMaxLevels, -1);
  return reader.members();
}

}  // namespace plimsoll
