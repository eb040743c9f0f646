// Names the layer that the ops recorded meanwhile belong to: paths such as "encoder/conv2d_1".
#pragma once

#include <string>
#include <string_view>

namespace plimsoll {

class Scope {
 public:
  explicit Scope(std::string_view name);
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  // The path of the open scopes; interned, so the pointer stays valid.
  static const std::string* current();

 private:
  const std::string* outer_;
};

}  // namespace plimsoll
