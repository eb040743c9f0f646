// What a person calls one number of a record.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/data/source.h"

namespace plimsoll {

// "'x'" where the field is one number, "column 3 of 'x'" of a row, else "'x' at (3, 0)".
std::string element_place(const std::string& field, const Spec& spec, int64_t element);

// As the source calls it, or as above; `fields` are the names of its fields, which may be fewer
// than these: "field 1" is then the second.
std::string element_place(const Source& source, const std::vector<std::string>& fields,
                          size_t field, int64_t element);

}  // namespace plimsoll
