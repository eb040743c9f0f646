#include "plimsoll/train/files/weight_load.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/tensor/storage.h"

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

void WeightLoad::add(WeightLoad other) {
  std::ranges::move(other.items_, std::back_inserter(items_));
}

void WeightLoad::read(Item& item) {
  item.variable.fill(
      [&](std::span<std::byte> into) { item.read(item.variable.spec().dtype, into); });
}

void WeightLoad::run() {
  for (Item& item : items_) read(item);
  items_.clear();
}

WeightValues WeightLoad::streamed() const {
  std::unordered_map<const VariableState*, const Item*> waiting;
  for (const Item& item : items_) waiting[item.variable.state().get()] = &item;
  return [waiting = std::move(waiting)](const Variable& variable, const UseValues& use) {
    const auto found = waiting.find(variable.state().get());
    if (found == waiting.end()) return values_in_place(variable, use);
    const Spec& spec = variable.spec();
    const Storage storage(spec.bytes(), Storage::Pages::own);
    const std::span values(storage.data(), static_cast<size_t>(spec.bytes()));
    found->second->read(spec.dtype, values);
    use(values);
  };
}

bool WeightLoad::holds(const Variables& variables) const {
  return std::ranges::all_of(variables, [&](const Variable& variable) {
    const auto is_its = [&](const Item& item) { return item.variable == variable; };
    return variable.shape().rank() == 0 || std::ranges::any_of(items_, is_its);
  });
}

int64_t WeightLoad::largest_bytes() const {
  int64_t largest = 0;
  for (const Item& item : items_)
    largest = std::max(largest, Storage::footprint(item.variable.spec().bytes()));
  return largest;
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
