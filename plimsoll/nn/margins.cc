#include "plimsoll/nn/margins.h"

#include <nlohmann/json.hpp>
#include <string>

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

}  // namespace

void tell(Fields& fields, const char* key, Margins& value) {
  if (!fields.reading()) return fields.write(key, Json::array({value.before, value.after}));
  const Json* found = fields.find(key);
  if (found != nullptr && !read_margins(*found, value))
    fields.refuse(std::string(key) + " must be a number or two of them, not negative");
}

void tell(Fields& fields, const char* key, Margins2D& value) {
  const auto pair = [](const Margins& m) { return Json::array({m.before, m.after}); };
  if (!fields.reading())
    return fields.write(key, Json::array({pair(value.height), pair(value.width)}));
  const Json* found = fields.find(key);
  if (found == nullptr) return;
  const bool two = found->is_array() && found->size() == 2;
  const bool read =
      two ? read_margins((*found)[0], value.height) && read_margins((*found)[1], value.width)
          : is_count(*found);
  if (!read)
    fields.refuse(std::string(key) +
                  " must be a number, or two of them or pairs of them, not negative");
  if (!two) value = found->get<int64_t>();
}

}  // namespace plimsoll
