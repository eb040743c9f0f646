// The attributes of an object of an HDF5 file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plimsoll/formats/hdf5/hdf5_block.h"
#include "plimsoll/tensor/shape.h"

namespace plimsoll {

class Hdf5GlobalHeap;

// Text, row-major; an attribute of numbers has its shape alone.
struct Hdf5Attribute {
  Shape shape;
  bool is_text = false;
  std::vector<std::string> text = {};
};

using Hdf5Attributes = std::map<std::string, Hdf5Attribute, std::less<>>;

// Adds the attribute that an object header's message describes.
void read_attribute(Hdf5Block& message, Hdf5GlobalHeap& heap, Hdf5Attributes& attributes);

}  // namespace plimsoll
