#include "plimsoll/data/element_place.h"

#include <fmt/format.h>

namespace plimsoll {

std::string element_place(const std::string& field, const Spec& spec, int64_t element) {
  const Shape& shape = spec.shape;
  if (shape.elements() == 1) return fmt::format("'{}'", field);
  if (shape.rank() == 1) return fmt::format("column {} of '{}'", element, field);
  std::string places;
  for (int axis = shape.rank() - 1; axis >= 0; element /= shape[axis--])
    places = fmt::format("{}{}{}", element % shape[axis], places.empty() ? "" : ", ", places);
  return fmt::format("'{}' at ({})", field, places);
}

std::string element_place(const Source& source, const std::vector<std::string>& fields,
                          size_t field, int64_t element) {
  std::string name = source.element_name(field, element);
  if (!name.empty()) return name;
  return element_place(field < fields.size() ? fields[field] : fmt::format("field {}", field),
                       source.fields()[field], element);
}

}  // namespace plimsoll
