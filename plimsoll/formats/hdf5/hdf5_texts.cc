#include "plimsoll/formats/hdf5/hdf5_texts.h"

#include <algorithm>
#include <utility>

namespace plimsoll::hdf5 {
namespace {

constexpr int64_t kReferenceBytes = 16, kCollectionHeadBytes = 16, kObjectHeadBytes = 16,
                  kLeastBytes = 4096, kManyBytes = 1 << 16;

}  // namespace

int64_t bytes_of_message(const std::string& name, const TextAttribute& attribute) {
  constexpr int64_t kMostOtherBytes = 64;
  return kMostOtherBytes + std::ssize(name) + kReferenceBytes * std::ssize(attribute.texts);
}

Message Texts::append(const std::string& name, const TextAttribute& attribute) {
  std::string elements;
  for (const std::string& text : attribute.texts) elements += append(text);
  const Shape shape = attribute.is_list ? Shape{std::ssize(attribute.texts)} : Shape{};
  // NumPy knows no type for an empty list and takes this one.
  const std::string type = attribute.texts.empty() ? double_type() : text_type();
  return hdf5::attribute(name, type, shape, elements);
}

std::string Texts::append(const std::string& text) {
  ByteBuilder reference;
  if (text.empty()) return reference.u64(0).u64(0).bytes();
  if (objects_.size() > kManyBytes) finish();
  reference.u32(std::ssize(text)).u64(metadata_.end()).u32(++count_);
  objects_.u16(count_).u16(0).u32(0).u64(std::ssize(text)).text(text).pad();
  return reference.bytes();
}

// The last object of a collection is the room that is left.
void Texts::finish() {
  if (count_ == 0) return;
  const int64_t bytes =
      std::max(kLeastBytes, kCollectionHeadBytes + objects_.size() + kObjectHeadBytes);
  const int64_t left = bytes - kCollectionHeadBytes - objects_.size();
  ByteBuilder collection;
  collection.text("GCOL").u32(1).u64(bytes).text(objects_.bytes());
  collection.u64(0).u64(left).pad_to(static_cast<size_t>(bytes));
  metadata_.append(collection.bytes());
  objects_ = {};
  count_ = 0;
}

}  // namespace plimsoll::hdf5
