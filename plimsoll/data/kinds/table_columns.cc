#include "plimsoll/data/kinds/table_columns.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

void refuse_unknown_columns(const DataRequest& request, const Names& columns) {
  for (const Names* named : {&request.options.target, &request.options.ignored})
    for (const std::string& name : *named)
      if (!contains(columns, name))
        throw InvalidArgument(fmt::format("{}: has no column '{}' (the columns are {})",
                                          request.path, name, fmt::join(columns, ", ")));
}

std::vector<Names> target_columns(const DataRequest& request) {
  const Names& target = request.options.target;
  if (!request.is_for_model) return std::vector<Names>(target.empty() ? 0 : 1, target);
  if (!request.options.targets) return {};
  if (target.empty()) refuse_without_target(request);
  if (request.outputs.size() == 1) return {target};
  if (target.size() != request.outputs.size())
    throw InvalidArgument(fmt::format(
        "{}: name one column for each of the outputs {} with --target, found {}", request.path,
        fmt::join(names_of(request.outputs), ", "), fmt::join(target, ", ")));
  std::vector<Names> targets;
  for (const std::string& column : target) targets.push_back({column});
  return targets;
}

}  // namespace

void refuse_without_target(const DataRequest& request) {
  throw InvalidArgument(fmt::format("{}: name the column to learn with --target", request.path));
}

bool has_all_inputs(const DataRequest& request, const Names& columns) {
  return !request.inputs.empty() &&
         std::ranges::all_of(request.inputs, [&](const WantedField& input) {
           return contains(columns, input.name);
         });
}

Names rest_of(const DataRequest& request, const Names& columns) {
  Names rest;
  for (const std::string& column : columns)
    if (!column.empty() && !contains(request.options.ignored, column) &&
        (request.options.window || !contains(request.options.target, column)))
      rest.push_back(column);
  return rest;
}

TableColumns choose_columns(const DataRequest& request, const Names& columns) {
  TableColumns chosen{.inputs = {}, .targets = target_columns(request)};
  refuse_unknown_columns(request, columns);
  if (has_all_inputs(request, columns)) {
    for (const WantedField& input : request.inputs) chosen.inputs.push_back({input.name});
    return chosen;
  }
  if (request.inputs.size() > 1)
    throw InvalidArgument(fmt::format("{}: expected a column for each of the inputs {}, found {}",
                                      request.path, fmt::join(names_of(request.inputs), ", "),
                                      fmt::join(columns, ", ")));
  chosen.inputs = {rest_of(request, columns)};
  chosen.are_rest = !request.options.window;
  return chosen;
}

}  // namespace plimsoll
