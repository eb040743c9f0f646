// A setting that may be one number or a list of them: 0.2 or {-0.2, 0.3}. It is written as it was
// given.
#pragma once

#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

namespace plimsoll {

class Fields;

struct NumberOrList {
  NumberOrList(double number) : values{number} {}
  NumberOrList(std::initializer_list<double> list) : values(list), is_list(true) {}

  bool operator==(const NumberOrList&) const = default;

  std::vector<double> values;
  bool is_list = false;
};

// As Fields::with; a NumPy array, as Keras writes it, is read as a list.
void tell(Fields& fields, const char* key, NumberOrList& value);
void tell(Fields& fields, const char* key, std::optional<NumberOrList>& value);  // none is null

}  // namespace plimsoll
