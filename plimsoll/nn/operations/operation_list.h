// Every operation of keras.src.ops that is known, once. Tests go through all of them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "plimsoll/nn/operations/operation_call.h"

namespace plimsoll {

struct OperationKind {
  std::string_view class_name;         // Keras's: "ExpandDims"
  std::vector<const char*> arguments;  // of Keras's call(), in order
  Tensors (*run)(OperationCall& call);
  RangeEffect range_effect = {};
};

std::span<const OperationKind> operation_list();

// Null if there is no such operation.
const OperationKind* find_operation(std::string_view class_name);

}  // namespace plimsoll
