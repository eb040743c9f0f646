#include "plimsoll/formats/bytes/byte_source.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string name, std::vector<std::byte> bytes)
      : name_(std::move(name)), bytes_(std::move(bytes)) {}

  const std::string& name() const override { return name_; }
  int64_t size() const override { return static_cast<int64_t>(bytes_.size()); }
  void read_at(int64_t offset, std::span<std::byte> into) override {
    if (!into.empty()) std::memcpy(into.data(), bytes_.data() + offset, into.size());
  }

 private:
  std::string name_;
  std::vector<std::byte> bytes_;
};

}  // namespace

ByteSourcePtr memory_source(std::string name, std::vector<std::byte> bytes) {
  return std::make_shared<MemorySource>(std::move(name), std::move(bytes));
}

void check_range(const ByteSource& source, uint64_t offset, uint64_t size,
                 const std::string& what) {
  const auto end = static_cast<uint64_t>(source.size());
  if (offset > end || size > end - offset)
    throw CorruptFile(
        fmt::format("{}: {} is said to take {} bytes at byte {}, the file ends at byte {}",
                    source.name(), what, size, offset, end));
}

}  // namespace plimsoll
