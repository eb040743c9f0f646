#include "plimsoll/train/data/field_roles.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/train/steps/per_output.h"

namespace plimsoll {
namespace {

using Names = std::vector<std::string>;

// Fields [begin, begin + count) of a record.
struct Range {
  const FieldMeaning& meaning;
  int begin, count;

  const std::string& name(int i) const { return meaning.names[static_cast<size_t>(begin + i)]; }
  // True if the fields have names: either all of them have, or none.
  bool named() const { return !meaning.names.empty() && count > 0 && !name(0).empty(); }
  Names names() const {
    Names all;
    for (int i = 0; i < count; ++i) all.push_back(name(i));
    return all;
  }
};

// The field of each of the names; -1 where there is none.
std::vector<int> match_names(const Range& range, const Names& known, const std::string& owner,
                             const char* what) {
  std::vector<int> roles(known.size(), -1);
  for (int i = 0; i < range.count; ++i) {
    const auto found = std::ranges::find(known, range.name(i));
    if (found == known.end())
      throw InvalidArgument(owner + ": the data has '" + range.name(i) + "', which is no " + what +
                            " of the model (it has " + listed(known) + ")");
    roles[static_cast<size_t>(found - known.begin())] = range.begin + i;
  }
  return roles;
}

void require_all(const std::vector<int>& roles, const std::vector<bool>& needed, const Names& known,
                 const Range& range, const std::string& owner, const char* what) {
  for (size_t i = 0; i < roles.size(); ++i)
    if (roles[i] < 0 && needed[i])
      throw InvalidArgument(owner + ": the data has no " + what + " '" + known[i] + "' (found " +
                            (range.count > 0 ? listed(range.names()) : "none") + ")");
}

std::vector<int> in_order(int begin, size_t count) {
  std::vector<int> roles;
  for (size_t i = 0; i < count; ++i) roles.push_back(begin + static_cast<int>(i));
  return roles;
}

// One field for each output that has a loss.
std::vector<int> for_trained(int begin, const std::vector<bool>& needed) {
  std::vector<int> roles;
  for (const bool wanted : needed) roles.push_back(wanted ? begin++ : -1);
  return roles;
}

Range input_range(int fields, const FieldMeaning& meaning, const ModelSides& sides) {
  const int wanted = static_cast<int>(sides.inputs.size());
  const int rest = fields - std::max(meaning.targets, 0) - meaning.sample_weights;
  const int count = meaning.targets < 0 ? std::min(wanted, rest) : rest;
  if (count != wanted)
    throw InvalidArgument(fmt::format("{}: expected {} input(s) ({}), found {}", sides.owner,
                                      wanted, listed(sides.inputs), std::max(count, 0)));
  return {meaning, 0, count};
}

std::vector<int> target_roles(const Range& range, const ModelSides& sides) {
  std::vector<int> roles;
  const auto trained = std::ranges::count(sides.needs_target, true);
  if (range.named())
    roles = match_names(range, sides.outputs, sides.owner, "output");
  else if (range.count == static_cast<int>(sides.outputs.size()))
    roles = in_order(range.begin, sides.outputs.size());
  else if (range.count == static_cast<int>(trained))
    roles = for_trained(range.begin, sides.needs_target);
  else
    throw InvalidArgument(
        fmt::format("{}: expected one target for each of the outputs {}, found {}", sides.owner,
                    listed(sides.outputs), range.count));
  require_all(roles, sides.needs_target, sides.outputs, range, sides.owner, "target");
  return roles;
}

// One weight per sample, which may serve every output.
bool is_samplewise(const Spec& field) {
  return field.shape.rank() == 0 || (field.shape.rank() == 1 && field.shape[0] == 1);
}

std::vector<int> weight_roles(const Range& range, const Specs& fields, const ModelSides& sides) {
  const size_t outputs = sides.outputs.size();
  if (range.count == 0) return std::vector<int>(outputs, -1);
  if (range.named()) return match_names(range, sides.outputs, sides.owner, "output");
  if (range.count == static_cast<int>(outputs)) return in_order(range.begin, outputs);
  const Spec& first = fields[static_cast<size_t>(range.begin)];
  if (range.count == 1 && is_samplewise(first)) return std::vector<int>(outputs, range.begin);
  if (range.count == static_cast<int>(std::ranges::count(sides.needs_target, true)))
    return for_trained(range.begin, sides.needs_target);
  throw InvalidArgument(fmt::format(
      "{}: expected a sample_weight of one number per sample, or one tensor for each of "
      "the outputs {}; found {}, the first of shape {} per sample",
      sides.owner, listed(sides.outputs), range.count, first.shape.to_string()));
}

}  // namespace

FieldRoles input_roles(const Specs& fields, const FieldMeaning& meaning, const ModelSides& sides) {
  const Range range = input_range(static_cast<int>(fields.size()), meaning, sides);
  FieldRoles roles;
  if (range.named()) {
    roles.inputs = match_names(range, sides.inputs, sides.owner, "input");
    require_all(roles.inputs, std::vector<bool>(sides.inputs.size(), true), sides.inputs, range,
                sides.owner, "input");
  } else {
    roles.inputs = in_order(0, sides.inputs.size());
  }
  return roles;
}

FieldRoles roles_of(const Specs& fields, const FieldMeaning& meaning, const ModelSides& sides) {
  FieldRoles roles = input_roles(fields, meaning, sides);
  const int inputs = static_cast<int>(sides.inputs.size());
  const int weights_begin = static_cast<int>(fields.size()) - meaning.sample_weights;
  roles.targets = target_roles({meaning, inputs, weights_begin - inputs}, sides);
  roles.weights = weight_roles({meaning, weights_begin, meaning.sample_weights}, fields, sides);
  return roles;
}

std::vector<std::string> field_names(size_t count, const FieldRoles& roles,
                                     const ModelSides& sides) {
  std::vector<std::string> names(count);
  const auto set = [&](const std::vector<int>& fields, const std::vector<std::string>& ports,
                       const char* only) {
    for (size_t i = 0; i < fields.size(); ++i)
      if (fields[i] >= 0 && static_cast<size_t>(fields[i]) < count)
        names[static_cast<size_t>(fields[i])] =
            fields.size() == 1 || i >= ports.size() ? only : ports[i];
  };
  set(roles.weights, {}, "sample_weight");
  set(roles.targets, sides.outputs, "y");
  set(roles.inputs, sides.inputs, "x");
  return names;
}

}  // namespace plimsoll
