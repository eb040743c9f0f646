#include "plimsoll/formats/hdf5/hdf5_dataset.h"

#include <vector>

#include "plimsoll/base/error.h"

namespace plimsoll {

Hdf5Dataset::Hdf5Dataset(ByteSourcePtr source, std::string path, Hdf5Type type, Shape shape,
                         uint64_t offset, Hdf5Attributes attributes)
    : source_(std::move(source)),
      path_(std::move(path)),
      type_(type),
      shape_(shape),
      offset_(static_cast<int64_t>(offset)),
      attributes_(std::move(attributes)) {
  // Keras writes what NumPy calls bfloat16 as bytes, and says so beside.
  const auto note = attributes_.find("dtype");
  if (type_.kind == Hdf5Type::Kind::opaque && type_.size == 2 && note != attributes_.end() &&
      note->second.text == std::vector<std::string>{"bfloat16"})
    type_ = {Hdf5Type::Kind::number, 2, {StoredType::Kind::bfloat16, 2}};
}

void Hdf5Dataset::read(DType dtype, std::span<std::byte> into) const {
  if (!is_numeric())
    throw CorruptFile(source_->name() + ": " + path_ + " does not hold numbers, expected " +
                      std::string(name_of(dtype)));
  read_numbers(*source_, offset_, type_.number, dtype, into);
}

}  // namespace plimsoll
