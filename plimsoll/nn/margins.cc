#include "plimsoll/nn/margins.h"

#include <fmt/format.h>

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "plimsoll/nn/keras/fields.h"

namespace plimsoll {
namespace {

bool is_count(const Json& json) {
  return json.is_number_integer() && json.get<double>() >= 0 && json.get<double>() <= 1e9;
}

// A number or a pair of them; nothing else.
bool read_margins(const Json& json, Margins& value) {
  if (is_count(json)) {
    value = json.get<int64_t>();
    return true;
  }
  if (!json.is_array() || json.size() != 2 || !is_count(json[0]) || !is_count(json[1]))
    return false;
  value = {json[0].get<int64_t>(), json[1].get<int64_t>()};
  return true;
}

// One number for all axes, or a list with a number or a pair for each.
void tell_axes(Fields& fields, const char* key, std::initializer_list<Margins*> axes,
               const char* count) {
  if (!fields.reading()) {
    Json pairs = Json::array();
    for (const Margins* axis : axes) pairs.push_back(Json::array({axis->before, axis->after}));
    return fields.write(key, std::move(pairs));
  }
  const Json* found = fields.find(key);
  if (found == nullptr) return;
  const bool is_list = found->is_array() && found->size() == axes.size();
  bool is_read = is_list || is_count(*found);
  size_t number = 0;
  for (Margins* axis : axes)
    is_read = is_read && read_margins(is_list ? (*found)[number++] : *found, *axis);
  if (!is_read)
    fields.refuse(fmt::format("{} must be a number, or {} of them or pairs of them, not negative",
                              key, count));
}

}  // namespace

void tell(Fields& fields, const char* key, Margins& value) {
  if (!fields.reading()) return fields.write(key, Json::array({value.before, value.after}));
  const Json* found = fields.find(key);
  if (found != nullptr && !read_margins(*found, value))
    fields.refuse(std::string(key) + " must be a number or two of them, not negative");
}

void tell(Fields& fields, const char* key, Margins2D& value) {
  tell_axes(fields, key, {&value.height, &value.width}, "two");
}

void tell(Fields& fields, const char* key, Margins3D& value) {
  tell_axes(fields, key, {&value.depth, &value.height, &value.width}, "three");
}

}  // namespace plimsoll
