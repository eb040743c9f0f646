#include "plimsoll/guards/profile/profile_watch.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace plimsoll {
namespace {

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// "cnn/conv2d" is "conv2d" from the network 'cnn' on.
std::string layer_of(const Instruction& instruction, const std::string& network) {
  if (instruction.scope == nullptr) return "";
  const std::string& path = *instruction.scope;
  return path.starts_with(network + "/") ? path.substr(network.size() + 1) : path;
}

Specs specs_of(const Program& program, const std::vector<int>& values) {
  Specs specs;
  for (const int value : values) specs.push_back(program.spec(value));
  return specs;
}

OperationProfile describe(const ShownInstruction& shown, const std::string& network) {
  const Instruction& instruction = shown.instruction;
  const Specs in = specs_of(shown.program, instruction.inputs);
  const Specs out = specs_of(shown.program, instruction.outputs);
  OperationProfile row{.operation = std::string(instruction.op->name()),
                       .layer = layer_of(instruction, network),
                       .attributes = to_json(*instruction.op),
                       .gradient_of = std::string(instruction.gradient_of),
                       .operations = instruction.op->operations(in, out)};
  for (const Specs* specs : {&in, &out})
    for (const Spec& spec : *specs) row.bytes += static_cast<double>(spec.bytes());
  return row;
}

}  // namespace

double median(std::vector<double>& of) {
  if (of.empty()) return 0;
  const auto middle = of.begin() + static_cast<ptrdiff_t>(of.size() / 2);
  std::ranges::nth_element(of, middle);
  return *middle;
}

size_t ProfileWatch::row_of(const ShownInstruction& shown) {
  const auto [known, is_new] = rows_.try_emplace(&shown.instruction, operations_.size());
  if (is_new) {
    operations_.push_back(describe(shown, network_));
    seconds_.emplace_back();
  }
  return known->second;
}

void ProfileWatch::before(const ShownInstruction& shown) {
  row_ = row_of(shown);
  const std::string* layer = shown.instruction.scope;
  span_.emplace(shown.instruction.op->name(), layer == nullptr ? "" : std::string_view(*layer));
  begin_ = clock_seconds();
}

void ProfileWatch::after(const ShownInstruction&) {
  seconds_[row_].push_back(clock_seconds() - begin_);
  span_.reset();
}

std::vector<OperationProfile> ProfileWatch::take(int64_t steps) {
  for (size_t i = 0; i < operations_.size(); ++i) {
    OperationProfile& row = operations_[i];
    row.calls = static_cast<double>(seconds_[i].size()) / static_cast<double>(steps);
    row.seconds = row.calls * median(seconds_[i]);
    row.operations *= row.calls;
    row.bytes *= row.calls;
  }
  rows_.clear();
  seconds_.clear();
  return std::exchange(operations_, {});
}

}  // namespace plimsoll
