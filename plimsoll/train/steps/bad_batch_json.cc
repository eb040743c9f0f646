#include "plimsoll/train/steps/bad_batch_json.h"

#include <nlohmann/json.hpp>

namespace plimsoll {

using Json = nlohmann::ordered_json;

Json range_json(const FiniteRange& range) {
  return {{"shape", range.shape.to_string()},
          {"least", range.least},
          {"largest", range.largest},
          {"nan", range.nans},
          {"infinite", range.infinities}};
}

Json bad_batch_json(const BadBatch& bad) {
  Json inputs = Json::array();
  for (const FiniteRange& range : bad.first.inputs) inputs.push_back(range_json(range));
  return {{"op", bad.first.op},
          {"gradient_of", bad.first.gradient_of},
          {"layer", bad.first.layer},
          {"weight", bad.first.name},
          {"inputs", inputs},
          {"output", range_json(bad.first.output)},
          {"line", bad.first.where.is_in_program() ? bad.first.where.to_string() : ""},
          {"records", bad.records},
          {"every_record", bad.is_every_record}};
}

}  // namespace plimsoll
