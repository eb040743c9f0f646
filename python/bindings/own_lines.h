// OwnLines: what is recorded meanwhile belongs to its own lines again, although the call of a layer
// or a loss is open: its code is part of the program.
#pragma once

#include <utility>

#include "plimsoll/graph/context.h"

namespace plimsoll::python {

class OwnLines {
 public:
  OwnLines() : outer_(std::exchange(Context::current().open.call_site, nullptr)) {}
  ~OwnLines() { Context::current().open.call_site = outer_; }
  OwnLines(const OwnLines&) = delete;
  OwnLines& operator=(const OwnLines&) = delete;

 private:
  const Place* outer_;
};

}  // namespace plimsoll::python
