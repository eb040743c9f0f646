// Very many short texts in little memory: they follow each other in large blocks, and each takes
// eight bytes more.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace plimsoll {

class NameList {
 public:
  // InvalidArgument for texts with a zero byte, or of 64 KiB and more.
  void add(std::string_view name);
  int64_t size() const { return static_cast<int64_t>(places_.size()); }
  std::string_view operator[](int64_t i) const;
  // Sorts names [first, size()) by their bytes.
  void sort_from(int64_t first);
  // Call after the last add(): gives back memory that was taken in advance.
  void shrink();
  // The memory that it takes.
  int64_t bytes() const;

 private:
  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t used_ = 0;               // of the last block
  std::vector<uint64_t> places_;  // block and offset of each
};

}  // namespace plimsoll
