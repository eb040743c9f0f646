#include "plimsoll/cli/tensor_board_of_run.h"

#include <nlohmann/json.hpp>

#include "plimsoll/cli/run_options.h"
#include "plimsoll/train/callbacks/tensor_board.h"

namespace plimsoll::cli {
namespace {

// What was asked for, as far as it is one value each.
HyperParameters hyper_parameters(const TrainArguments& arguments) {
  HyperParameters found = {{"model", arguments.model.path}, {"data", arguments.data.path}};
  const nlohmann::ordered_json options = options_json(arguments);
  for (const auto& [name, value] : options.items()) {
    if (value.is_boolean()) found[name] = value.get<bool>();
    if (value.is_number()) found[name] = value.get<double>();
    if (value.is_string() && name != "tensorboard") found[name] = value.get<std::string>();
  }
  return found;
}

}  // namespace

std::optional<AnyCallback> tensor_board(const TrainArguments& arguments,
                                        const std::vector<Finding>& findings) {
  if (!arguments.tensorboard) return std::nullopt;
  TensorBoardOptions options{.statistics = !arguments.no_statistics,
                             .bad_records = arguments.reading.on_bad != "fail",
                             .hyper_parameters = hyper_parameters(arguments),
                             .findings = &findings};
  const std::string folder =
      arguments.tensorboard->empty() ? arguments.out + "/tensorboard" : *arguments.tensorboard;
  return AnyCallback(TensorBoard(folder, std::move(options)));
}

}  // namespace plimsoll::cli
