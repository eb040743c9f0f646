// Names the layer that the ops recorded meanwhile belong to: paths such as "encoder/conv2d_1".
#pragma once

#include <string>
#include <string_view>

#include "plimsoll/graph/place.h"

namespace plimsoll {

class Scope {
 public:
  explicit Scope(std::string_view name);
  // What is recorded meanwhile is the gradient of a node with this operation, in this layer and
  // source line. The path is interned, the rest outlives the scope.
  Scope(const std::string* path, const Place& where, std::string_view op);
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  // The path of the open scopes; interned, so the pointer stays valid.
  static const std::string* current();
  // The name of the operation whose gradient is being recorded; empty if none is.
  static std::string_view gradient_of();
  // The line of the node whose gradient is being recorded, if any, else that of the open CallSite,
  // else `where`.
  static Place locate(Place where);

 private:
  const std::string* outer_path_;
  const Place* outer_place_;
  std::string_view outer_op_;
};

// What is recorded meanwhile belongs to the source line that called a layer or a loss, not to a
// line inside of it. The outermost counts.
class CallSite {
 public:
  explicit CallSite(Place where);
  ~CallSite();
  CallSite(const CallSite&) = delete;
  CallSite& operator=(const CallSite&) = delete;

 private:
  Place where_;
  bool outermost_;
};

}  // namespace plimsoll
