// A source whose whole numbers all have a place: a label among the classes, a word in the
// vocabulary. A record with another is an error that names it and the number.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <optional>
#include <span>
#include <vector>

#include "plimsoll/base/flaw.h"
#include "plimsoll/data/source.h"

namespace plimsoll {

// The rule that training and checks of data share.
struct WholeNumbers {
  int64_t limit = 0;                    // numbers are whole, from 0 to limit - 1
  std::optional<int64_t> ignored = {};  // but this is taken, too

  template <class T>
  bool has(T number) const {
    if constexpr (std::floating_point<T>) {
      const auto value = static_cast<double>(number);
      if (ignored && value == static_cast<double>(*ignored)) return true;
      return value >= 0 && value < static_cast<double>(limit) && value == std::trunc(value);
    } else {
      const auto value = static_cast<int64_t>(number);
      return (value >= 0 && value < limit) || value == ignored;
    }
  }

  // The place of the first number that is none of them; -1: all are.
  template <class T>
  int64_t first_other(std::span<const T> numbers) const {
    const auto found = std::ranges::find_if_not(numbers, [&](T number) { return has(number); });
    return found == numbers.end() ? -1 : found - numbers.begin();
  }
};

struct NumberRange {
  size_t field;
  WholeNumbers numbers;
  Flaw flaw = Flaw::out_of_range;
};

// `fields`: their names, for the message.
SourcePtr numbers_in_range(SourcePtr source, std::vector<NumberRange> ranges,
                           std::vector<std::string> fields = {});

}  // namespace plimsoll
