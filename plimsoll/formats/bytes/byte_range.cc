#include "plimsoll/formats/bytes/byte_range.h"

#include <utility>

namespace plimsoll {
namespace {

class Part final : public ByteSource {
 public:
  Part(ByteSourcePtr source, int64_t begin, int64_t size, std::string name)
      : source_(std::move(source)), begin_(begin), size_(size), name_(std::move(name)) {}

  const std::string& name() const override { return name_; }
  int64_t size() const override { return size_; }
  void read_at(int64_t offset, std::span<std::byte> into) override {
    source_->read_at(begin_ + offset, into);
  }

 private:
  ByteSourcePtr source_;
  int64_t begin_, size_;
  std::string name_;
};

}  // namespace

void read_range(ByteSource& source, int64_t offset, std::span<std::byte> into,
                const std::string& what) {
  check_range(source, static_cast<uint64_t>(offset), into.size(), what);
  source.read_at(offset, into);
}

ByteSourcePtr part_of(ByteSourcePtr source, int64_t begin, int64_t size, std::string name) {
  check_range(*source, static_cast<uint64_t>(begin), static_cast<uint64_t>(size), name);
  return std::make_shared<Part>(std::move(source), begin, size, std::move(name));
}

}  // namespace plimsoll
