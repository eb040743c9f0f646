#include "plimsoll/nn/losses/loss_of.h"

#include <nlohmann/json.hpp>

namespace plimsoll {

void with_reduction(Fields& fields, std::string& reduction) {
  std::optional<std::string> text;
  if (reduction != "none") text = reduction;
  fields.with("reduction", text);
  if (fields.reading()) reduction = text.value_or("none");
  if (reduction == "auto") reduction = "sum_over_batch_size";
}

void describe(Fields& fields, LossOptions& options) {
  describe_loss(fields, options);
}

}  // namespace plimsoll
