#include "plimsoll/train/files/weight_load.h"

#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {

void WeightLoad::add(const Variable& variable, const Shape& found, const std::string& where,
                     Read read) {
  if (found != variable.shape())
    refuse(where, "expected a weight of shape " + variable.shape().to_string() + ", found " +
                      found.to_string());
  items_.push_back({variable, std::move(read)});
}

void WeightLoad::add(const Variable& variable, const Hdf5Dataset& dataset,
                     const std::string& where) {
  add(variable, dataset.shape(), where,
      [dataset](DType dtype, std::span<std::byte> into) { dataset.read(dtype, into); });
}

void WeightLoad::read(Item& item) {
  item.variable.fill(
      [&](std::span<std::byte> into) { item.read(item.variable.spec().dtype, into); });
}

void WeightLoad::run() {
  for (Item& item : items_) read(item);
  items_.clear();
}

void WeightLoad::run_numbers() {
  const auto is_number = [](const Item& item) { return item.variable.shape().rank() == 0; };
  for (Item& item : items_)
    if (is_number(item)) read(item);
  std::erase_if(items_, is_number);
}

void WeightLoad::refuse(const std::string& where, const std::string& why) const {
  throw InvalidArgument(file_ + ": " + where + ": " + why);
}

}  // namespace plimsoll
