// A tensor with its bytes, outside any graph: what files hold and pipelines carry. Row-major.
#pragma once

#include "plimsoll/tensor/spec.h"
#include "plimsoll/tensor/storage.h"

namespace plimsoll {

struct HostTensor {
  Spec spec;
  StoragePtr storage;
};

}  // namespace plimsoll
