// The elements that a slice chooses, of a tensor that has a value.
#pragma once

#include <span>

#include "plimsoll/tensor/spec.h"
#include "plimsoll/tensor/storage.h"

namespace plimsoll {

// Elements begin, begin + step, … of each axis, as many as `out` has. They share the bytes of
// `value` where they follow each other there; else they are copied if they are few (up to 1 MiB),
// and null is returned if they are many.
StoragePtr part_of_value(const StoragePtr& value, const Spec& in, const Spec& out,
                         std::span<const int64_t> begin, std::span<const int64_t> step);

}  // namespace plimsoll
