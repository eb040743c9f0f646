// The line of Python that an op, a layer or an error belongs to.
#include <string_view>
#include <unordered_map>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "python/bindings/bind.h"

namespace plimsoll::python {
namespace {

// Reading a line number means to walk a table of the function from its begin, so lines are kept by
// function and instruction. The functions are kept too, so that no other can take their address.
struct Line {
  nb::object code;
  Place place;
  bool is_ours = false;  // inside of the package
};

struct Key {
  PyObject* code;
  long instruction;
  bool operator==(const Key&) const = default;
};
struct KeyHash {
  size_t operator()(const Key& key) const {
    return std::hash<const void*>()(key.code) * 31 + static_cast<size_t>(key.instruction);
  }
};

// The folder of the package, which plimsoll/__init__.py sets.
std::string& package_folder() {
  static std::string folder;
  return folder;
}

// Why nothing may be done in this process; empty: everything may.
std::string& refusal() {
  static std::string why;
  return why;
}

std::unordered_map<Key, Line, KeyHash>& lines() {
  static auto* lines = new std::unordered_map<Key, Line, KeyHash>();  // Python may be gone at exit
  return *lines;
}

// Names of attributes, which are made once.
struct Names {
  nb::object f_back = nb::steal(PyUnicode_InternFromString("f_back"));
  nb::object f_lasti = nb::steal(PyUnicode_InternFromString("f_lasti"));
};

const Names& names() {
  static const auto* names = new Names();
  return *names;
}

// As users know it: a cell of a notebook by its number.
std::string shown_name(const std::string& file) {
  return nb::cast<std::string>(nb::module_::import_("plimsoll._notebook").attr("shown_name")(file));
}

const Line& line_of(nb::handle frame) {
  constexpr size_t kMostLines = 10000;
  const nb::object code = nb::steal(
      reinterpret_cast<PyObject*>(PyFrame_GetCode(reinterpret_cast<PyFrameObject*>(frame.ptr()))));
  const Key key{code.ptr(), nb::cast<long>(frame.attr(names().f_lasti))};
  const auto found = lines().find(key);
  if (found != lines().end()) return found->second;
  // What goes is freed at the end, for that may call Python.
  std::unordered_map<Key, Line, KeyHash> gone;
  if (lines().size() > kMostLines) lines().swap(gone);
  const auto file = nb::cast<std::string>(code.attr("co_filename"));
  const nb::object number = frame.attr("f_lineno");
  const unsigned line = number.is_none() ? 0 : nb::cast<unsigned>(number);
  const bool is_ours = !package_folder().empty() && file.starts_with(package_folder());
  const Place place = Place::at(is_ours ? file : shown_name(file), line);
  return lines().emplace(key, Line{code, place, is_ours}).first->second;
}

}  // namespace

void refuse_in_fork() {
  if (!refusal().empty()) throw Error(refusal());
}

Place caller() {
  refuse_in_fork();
  nb::object frame = nb::borrow(reinterpret_cast<PyObject*>(PyEval_GetFrame()));
  Place place{"", 0};
  while (frame.is_valid() && !frame.is_none()) {
    const Line& line = line_of(frame);
    place = line.place;
    if (!line.is_ours) return place;
    frame = frame.attr(names().f_back);
  }
  return place;
}

Results::Results() : last_number_(Context::current().last_number) {}

void Results::belong_to(Place where, const Tensors& tensors) const {
  for (const Tensor& tensor : tensors) {
    if (!tensor.defined()) continue;
    Node& node = *tensor.value().node;
    if (node.context->is_current() && node.number > last_number_) node.where = where;
  }
}

void bind_caller(nb::module_& module) {
  module.def("set_package_folder", [](const std::string& folder) { package_folder() = folder; });
  module.def("refuse", [](const std::string& why) { refusal() = why; });
  module.def("caller", [] {
    const Place place = caller();
    return std::make_pair(std::string(place.file), place.line);
  });
}

}  // namespace plimsoll::python
