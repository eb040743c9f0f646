#include "plimsoll/graph/scope.h"

#include <unordered_set>

#include "plimsoll/graph/node.h"

namespace plimsoll {
namespace {

// Node-based, so that pointers to its elements survive growth.
const std::string* intern(std::string path) {
  // Never destroyed: a node may outlive the thread that recorded it.
  thread_local auto* paths = new std::unordered_set<std::string>;
  return &*paths->insert(std::move(path)).first;
}

struct Open {
  const std::string* path = intern("");
  const Node* node = nullptr;
  const std::source_location* call_site = nullptr;
};

Open& open() {
  thread_local Open open;
  return open;
}

}  // namespace

Scope::Scope(std::string_view name) : outer_path_(open().path), outer_node_(open().node) {
  std::string path = *outer_path_;
  if (!path.empty()) path += '/';
  open().path = intern(path.append(name));
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

std::source_location Scope::locate(std::source_location where) {
  if (open().node != nullptr) return open().node->where;
  return open().call_site != nullptr ? *open().call_site : where;
}

CallSite::CallSite(std::source_location where)
    : where_(where), outermost_(open().call_site == nullptr) {
  if (outermost_) open().call_site = &where_;
}

CallSite::~CallSite() {
  if (outermost_) open().call_site = nullptr;
}

}  // namespace plimsoll
