#include "plimsoll/graph/scope.h"

#include "plimsoll/graph/context.h"
#include "plimsoll/graph/interned.h"

namespace plimsoll {
namespace {

Context::Open& open() {
  return Context::current().open;
}

}  // namespace

Scope::Scope(std::string_view name)
    : outer_path_(open().path), outer_place_(open().gradient_of), outer_op_(open().gradient_op) {
  std::string path = *outer_path_;
  if (!path.empty()) path += '/';
  open().path = interned(path.append(name));
}

Scope::Scope(const std::string* path, const Place& where, std::string_view op)
    : outer_path_(open().path), outer_place_(open().gradient_of), outer_op_(open().gradient_op) {
  open().path = path;
  open().gradient_of = &where;
  open().gradient_op = op;
}

Scope::~Scope() {
  open().path = outer_path_;
  open().gradient_of = outer_place_;
  open().gradient_op = outer_op_;
}

const std::string* Scope::current() {
  return open().path;
}

std::string_view Scope::gradient_of() {
  return open().gradient_op;
}

Place Scope::locate(Place where) {
  if (open().gradient_of != nullptr) return *open().gradient_of;
  return open().call_site != nullptr ? *open().call_site : where;
}

CallSite::CallSite(Place where) : where_(where), outermost_(open().call_site == nullptr) {
  if (outermost_) open().call_site = &where_;
}

CallSite::~CallSite() {
  if (outermost_) open().call_site = nullptr;
}

}  // namespace plimsoll
