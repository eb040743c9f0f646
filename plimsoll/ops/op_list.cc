#include "plimsoll/ops/op_list.h"

namespace plimsoll {

std::span<const std::string_view> op_names() {
  static constexpr std::string_view kNames[] = {
      "reshape",
  };
  return kNames;
}

}  // namespace plimsoll
