#include "plimsoll/graph/scope.h"

#include "plimsoll/graph/interned.h"
#include "plimsoll/graph/node.h"

namespace plimsoll {
namespace {

struct Open {
  const std::string* path = interned("");
  const Node* node = nullptr;
  const Place* call_site = nullptr;
};

Open& open() {
  thread_local Open open;
  return open;
}

}  // namespace

Scope::Scope(std::string_view name) : outer_path_(open().path), outer_node_(open().node) {
  std::string path = *outer_path_;
  if (!path.empty()) path += '/';
  open().path = interned(path.append(name));
}

Scope::Scope(const Node& node) : outer_path_(open().path), outer_node_(open().node) {
  open().path = node.scope;
  open().node = &node;
}

Scope::~Scope() {
  open().path = outer_path_;
  open().node = outer_node_;
}

const std::string* Scope::current() {
  return open().path;
}

Place Scope::locate(Place where) {
  if (open().node != nullptr) return open().node->where;
  return open().call_site != nullptr ? *open().call_site : where;
}

CallSite::CallSite(Place where) : where_(where), outermost_(open().call_site == nullptr) {
  if (outermost_) open().call_site = &where_;
}

CallSite::~CallSite() {
  if (outermost_) open().call_site = nullptr;
}

}  // namespace plimsoll
