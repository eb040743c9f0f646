#include "plimsoll/tensor/dtype.h"

namespace plimsoll {

std::string_view name_of(DType dtype) {
  switch (dtype) {
    case DType::int32:
      return "int32";
    case DType::int64:
      return "int64";
    case DType::uint8:
      return "uint8";
    case DType::boolean:
      return "bool";
    case DType::string:
      return "string";
    default:
      return "float32";
  }
}

}  // namespace plimsoll
