#include "plimsoll/engine/passes/passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

#include "plimsoll/base/error.h"

namespace plimsoll {

std::span<const Pass> passes() {
  static constexpr std::array kPasses = {
      Pass{"prune", prune},
      Pass{"split_normalization", split_normalization, false, true},
      Pass{"fuse_epilogues", fuse_epilogues, false, true},
      Pass{"fuse_convolution_pooling", fuse_convolution_pooling, false, true},
      Pass{"fuse_elementwise", fuse_elementwise, false, true},
      Pass{"assign_layouts", assign_layouts, true},
      Pass{"keep_signs", keep_signs, false, true},
      Pass{"split_gates", split_gates},
      Pass{"place_results", place_results, true},
  };
  return kPasses;
}

namespace {

void check_names(std::span<const std::string> disabled) {
  for (const std::string& name : disabled) {
    const auto known = std::find_if(passes().begin(), passes().end(),
                                    [&](const Pass& pass) { return pass.name == name; });
    if (known != passes().end() && !known->required) continue;
    std::string names;
    for (const Pass& pass : passes())
      if (!pass.required) names.append(names.empty() ? "" : ", ").append(pass.name);
    throw InvalidArgument(
        fmt::format("passes: cannot switch off '{}'; these can be: {}", name, names));
  }
}

}  // namespace

std::vector<PassTime> run_passes(Program& program, std::span<const std::string> disabled) {
  check_names(disabled);
  std::vector<PassTime> times;
  for (const Pass& pass : passes()) {
    if (std::find(disabled.begin(), disabled.end(), pass.name) != disabled.end()) continue;
    const auto start = std::chrono::steady_clock::now();
    pass.run(program);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    times.push_back({pass.name, spent.count()});
  }
  return times;
}

std::vector<std::string> replacing_passes() {
  std::vector<std::string> names;
  for (const Pass& pass : passes())
    if (pass.replaces) names.emplace_back(pass.name);
  return names;
}

std::vector<std::string> disabled_passes() {
  std::vector<std::string> names;
  const char* text = std::getenv("PLIMSOLL_DISABLE_PASSES");
  for (std::string_view rest = text == nullptr ? "" : text; !rest.empty();) {
    const size_t comma = std::min(rest.find(','), rest.size());
    if (comma > 0) names.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return names;
}

}  // namespace plimsoll
