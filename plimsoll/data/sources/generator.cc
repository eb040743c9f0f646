#include "plimsoll/data/sources/generator.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

class Generator final : public Source {
 public:
  Generator(Specs fields, int64_t size, RecordFunction make)
      : fields_(std::move(fields)), size_(size), make_(std::move(make)) {
    if (fields_.empty())
      throw InvalidArgument("generator: expected at least one field, found none");
    if (size < 1)
      throw InvalidArgument(fmt::format("generator: expected 1 record or more, found {}", size));
    if (!make_) throw InvalidArgument("generator: there is no function");
  }

  int64_t size() const override { return size_; }
  const Specs& fields() const override { return fields_; }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    make_(id.number, RecordWriter(fields_, into));
  }

 private:
  Specs fields_;
  int64_t size_;
  RecordFunction make_;
};

}  // namespace

SourcePtr from_generator(const Specs& fields, int64_t size, RecordFunction make) {
  return std::make_shared<Generator>(fields, size, std::move(make));
}

}  // namespace plimsoll
