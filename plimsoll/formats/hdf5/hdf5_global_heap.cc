#include "plimsoll/formats/hdf5/hdf5_global_heap.h"

#include <fmt/format.h>

#include <utility>

namespace plimsoll {
namespace {

constexpr const char* kWhat = "global heap";
constexpr uint64_t kMaxTextBytes = uint64_t{256} << 20;

}  // namespace

std::string Hdf5GlobalHeap::read_text(Hdf5Block& block) {
  const uint64_t length = block.number(4), address = block.number(8), index = block.number(4);
  if (length == 0) return {};
  const Collection& objects = collection(address);
  const auto found = objects.find(index);
  if (found == objects.end() || length > found->second.size())
    block.refuse("refers to a string that is not there");
  text_bytes_ += length;
  if (text_bytes_ > kMaxTextBytes) block.refuse("brings the text of attributes above 256 MiB");
  return found->second.substr(0, length);
}

const Hdf5GlobalHeap::Collection& Hdf5GlobalHeap::collection(uint64_t address) {
  if (const auto found = collections_.find(address); found != collections_.end())
    return found->second;
  constexpr uint64_t kHeadBytes = 16;
  Hdf5Block head = space_.read(address, kHeadBytes, kWhat);
  head.expect_signature("GCOL");
  head.expect(1, 1, "version");
  head.skip(3);
  const uint64_t size = head.number(8);
  if (size < kHeadBytes) head.refuse(fmt::format("has a size of {}", size));
  Hdf5Block body = space_.read(address + kHeadBytes, size - kHeadBytes, kWhat);
  Collection& objects = collections_[address];
  while (body.left() >= 16) {
    const uint64_t index = body.number(2);
    body.skip(2 + 4);  // count of references, reserved
    const uint64_t bytes = body.number(8);
    if (index == 0) break;  // what is left is free
    if (!objects.emplace(index, body.text(bytes)).second) body.refuse("has an object twice");
    body.skip_padding();
  }
  return objects;
}

}  // namespace plimsoll
