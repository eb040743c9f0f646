#include "plimsoll/data/sources/name_list.h"

#include <algorithm>
#include <cstring>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

constexpr size_t kBlockBytes = 1 << 18;
constexpr size_t kMaxNameBytes = 1 << 16;

}  // namespace

void NameList::add(std::string_view name) {
  if (name.size() >= kMaxNameBytes || name.find('\0') != name.npos)
    throw InvalidArgument("a name is too long or has a zero byte: '" +
                          std::string(name.substr(0, 100)) + "'");
  if (blocks_.empty() || used_ + name.size() + 1 > kBlockBytes) {
    // Not set to zero, so that what is not used is not resident.
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(kBlockBytes));
    used_ = 0;
  }
  char* place = blocks_.back().get() + used_;
  std::memcpy(place, name.data(), name.size());
  place[name.size()] = '\0';
  places_.push_back((blocks_.size() - 1) * kBlockBytes + used_);
  used_ += name.size() + 1;
}

std::string_view NameList::operator[](int64_t i) const {
  const uint64_t place = places_[static_cast<size_t>(i)];
  return blocks_[place / kBlockBytes].get() + place % kBlockBytes;
}

void NameList::sort_from(int64_t first) {
  const auto text = [&](uint64_t place) {
    return std::string_view(blocks_[place / kBlockBytes].get() + place % kBlockBytes);
  };
  std::ranges::sort(places_.begin() + first, places_.end(), {}, text);
}

void NameList::shrink() {
  places_.shrink_to_fit();
}

int64_t NameList::bytes() const {
  return static_cast<int64_t>(blocks_.size() * kBlockBytes + places_.capacity() * sizeof(uint64_t));
}

}  // namespace plimsoll
