#include "plimsoll/formats/hdf5/hdf5_members.h"

#include <algorithm>
#include <vector>

#include "plimsoll/formats/bytes/byte_builder.h"
#include "plimsoll/formats/hdf5/hdf5_encoding.h"

namespace plimsoll::hdf5 {
namespace {

// A node, and the place in the heap of the last name below it.
struct Child {
  int64_t address, last_name;
};

struct Named {
  int64_t name, header;
};

int64_t append_heap(Metadata& metadata, const std::string& names) {
  constexpr int kHeadBytes = 32, kNoFreePlace = 1;
  const int64_t address = metadata.end();
  ByteBuilder heap;
  heap.text("HEAP").u32(0).u64(std::ssize(names)).u64(kNoFreePlace).u64(address + kHeadBytes);
  return metadata.append(heap.text(names).bytes());
}

Child append_names(Metadata& metadata, const Named* begin, const Named* end) {
  constexpr int kHeadBytes = 8, kEntryBytes = 40;
  ByteBuilder node;
  node.text("SNOD").u8(1).u8(0).u16(end - begin);
  for (const Named* at = begin; at != end; ++at)
    node.u64(at->name).u64(at->header).u64(0).u64(0).u64(0);
  node.pad_to(kHeadBytes + kMostNamesOfNode * kEntryBytes);
  return {metadata.append(node.bytes()), (end - 1)->name};
}

// The names below child i are after key i, up to key i + 1. The first key of a tree is the empty
// name.
int64_t tree_node_bytes() {
  constexpr int kHeadBytes = 24;
  return kHeadBytes + 8 * (2 * kMostChildrenOfNode + 1);
}

std::string tree_node(int level, const Child* begin, const Child* end, int64_t first_key,
                      int64_t before, int64_t after) {
  ByteBuilder node;
  node.text("TREE").u8(0).u8(level).u16(end - begin).u64(before).u64(after).u64(first_key);
  for (const Child* at = begin; at != end; ++at) node.u64(at->address).u64(at->last_name);
  return node.pad_to(static_cast<size_t>(tree_node_bytes())).bytes();
}

// One level of the tree over `children`; a level has at least one node.
std::vector<Child> append_level(Metadata& metadata, int level, const std::vector<Child>& children) {
  std::vector<Child> nodes;
  const size_t count = children.size();
  for (size_t at = 0; at == 0 || at < count; at += kMostChildrenOfNode) {
    const size_t end = std::min(count, at + kMostChildrenOfNode);
    const int64_t address = metadata.end();
    const int64_t before = at == 0 ? kNowhere : address - tree_node_bytes();
    const int64_t after = end == count ? kNowhere : address + tree_node_bytes();
    const int64_t first_key = at == 0 ? 0 : children[at - 1].last_name;
    metadata.append(
        tree_node(level, children.data() + at, children.data() + end, first_key, before, after));
    nodes.push_back({address, count == 0 ? 0 : children[end - 1].last_name});
  }
  return nodes;
}

}  // namespace

int64_t Metadata::append(const std::string& bytes) {
  const int64_t address = end();
  bytes_ += bytes;
  bytes_.resize((bytes_.size() + 7) / 8 * 8);
  return address;
}

MembersPlace append_members(Metadata& metadata, const std::map<std::string, int64_t>& headers) {
  ByteBuilder names;
  names.u64(0);  // the empty name
  std::vector<Named> members;
  for (const auto& [name, header] : headers) {
    members.push_back({names.size(), header});
    names.text(name).u8(0).pad();
  }
  const int64_t heap = append_heap(metadata, names.bytes());
  std::vector<Child> nodes;
  for (size_t at = 0; at < members.size(); at += kMostNamesOfNode)
    nodes.push_back(append_names(metadata, members.data() + at,
                                 members.data() + std::min(members.size(), at + kMostNamesOfNode)));
  int level = 0;
  do nodes = append_level(metadata, level++, nodes);
  while (nodes.size() > 1);
  return {nodes[0].address, heap};
}

}  // namespace plimsoll::hdf5
