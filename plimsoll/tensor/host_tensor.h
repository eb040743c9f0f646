// A tensor with its bytes, outside any graph, as files and pipelines hold it. Row-major.
#pragma once

#include "plimsoll/tensor/spec.h"
#include "plimsoll/tensor/storage.h"

namespace plimsoll {

struct HostTensor {
  Spec spec;
  StoragePtr storage;
};

}  // namespace plimsoll
