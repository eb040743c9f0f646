// PerOutput: a setting for each output of a model: one value for all, a list in the order
// of the outputs, or values by the outputs' names.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/base/error.h"

namespace plimsoll {

template <class T>
struct PerOutput {
  PerOutput() = default;
  PerOutput(const T& one) : values{one}, is_shared(true) {}
  // What a value can be made of: "mse" for a loss.
  template <class Name>
  requires(std::constructible_from<T, const Name&> && !std::derived_from<Name, PerOutput>)
      PerOutput(const Name& one)
      : PerOutput(T(one)) {}
  PerOutput(std::initializer_list<T> list) : values(list) {}
  PerOutput(std::vector<T> list) : values(std::move(list)) {}
  PerOutput(std::initializer_list<std::pair<std::string, T>> named) {
    for (const auto& [name, value] : named) add(name, value);
  }
  PerOutput(const std::map<std::string, T>& named) {
    for (const auto& [name, value] : named) add(name, value);
  }

  bool empty() const { return values.empty(); }
  void add(const std::string& name, const T& value) {
    names.push_back(name);
    values.push_back(value);
  }

  // One value per output, `missing` for a name that is not given. InvalidArgument where a list has
  // another length or a name is no output's; it begins with `what`.
  std::vector<T> spread(const std::vector<std::string>& outputs, const T& missing,
                        const std::string& what) const;

  std::vector<T> values;
  std::vector<std::string> names;  // of outputs, one per value; empty: in the outputs' order
  bool is_shared = false;          // the only value is every output's
};

// "kind, size"
std::string listed(const std::vector<std::string>& names);

template <class T>
std::vector<T> PerOutput<T>::spread(const std::vector<std::string>& outputs, const T& missing,
                                    const std::string& what) const {
  if (values.empty()) return std::vector<T>(outputs.size(), missing);
  if (is_shared) return std::vector<T>(outputs.size(), values[0]);
  if (names.empty()) {
    if (values.size() == outputs.size()) return values;
    throw InvalidArgument(fmt::format("{}: expected one for each of the outputs {}, found {}", what,
                                      listed(outputs), values.size()));
  }
  std::vector<T> spread(outputs.size(), missing);
  for (size_t i = 0; i < names.size(); ++i) {
    const auto found = std::ranges::find(outputs, names[i]);
    if (found == outputs.end())
      throw InvalidArgument(what + ": '" + names[i] + "' is no output (the outputs are " +
                            listed(outputs) + ")");
    spread[static_cast<size_t>(found - outputs.begin())] = values[i];
  }
  return spread;
}

}  // namespace plimsoll
