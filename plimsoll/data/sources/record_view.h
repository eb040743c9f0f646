// A record that has been read, as the rules of a check see it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "plimsoll/base/flaw.h"
#include "plimsoll/tensor/spec.h"

namespace plimsoll {

struct RecordView {
  int64_t number;
  const Specs& specs;
  std::span<const std::byte* const> fields;  // one per spec

  std::span<const std::byte> bytes(size_t field) const {
    return {fields[field], static_cast<size_t>(specs[field].bytes())};
  }
  // Calls visitor(span of the field's numbers).
  template <class Visitor>
  decltype(auto) visit(size_t field, Visitor&& visitor) const {
    return visit_dtype(specs[field].dtype, [&]<class T>(T) {
      return visitor(std::span(reinterpret_cast<const T*>(fields[field]),
                               static_cast<size_t>(specs[field].shape.elements())));
    });
  }
};

// Why a rule refuses a record.
struct Problem {
  Flaw flaw;
  std::string detail;
};

}  // namespace plimsoll
