#include "plimsoll/train/data/record_specs.h"

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/tensor/text.h"
#include "plimsoll/train/steps/per_output.h"

namespace plimsoll {
namespace {

constexpr int64_t kPlannedTextBytes = 256;  // of each text; data has its own

bool is_open(const Shape& shape) {
  return std::ranges::find(shape, kUnknown) != shape.end();
}

bool fits(const Shape& shape, const Shape& expected) {
  if (shape.rank() != expected.rank()) return false;
  for (int i = 0; i < shape.rank(); ++i)
    if (expected[i] != kUnknown && expected[i] != shape[i]) return false;
  return true;
}

Spec input_spec(const Port& port, const InputShapes& shapes, bool is_only) {
  const Shape expected = shape_of_elements(port.spec).without(0);
  auto given = shapes.find(port.name);
  if (given == shapes.end() && is_only) given = shapes.find("");
  if (given != shapes.end() && !fits(given->second, expected))
    throw InvalidArgument("input '" + port.name + "': expected a shape that fits " +
                          display(expected) + ", found " + given->second.to_string());
  Spec spec{port.spec.dtype, given != shapes.end() ? given->second : expected};
  if (is_open(spec.shape))
    throw InvalidArgument("input '" + port.name + "': its shape " + display(expected) +
                          " is open; choose one with --input-shape");
  if (spec.dtype == DType::string) spec.shape.push_back(kPlannedTextBytes);
  return spec;
}

Spec target_spec(const Loss& loss, const Spec& output) {
  const Shape row = output.shape.without(0);
  if (loss.targets().kind == LossTargets::Kind::class_numbers && row.rank() > 0)
    return {DType::int32, row.without(row.rank() - 1)};
  return {DType::float32, row};
}

}  // namespace

Specs record_specs(const Model& model, const InputShapes& shapes) {
  const Ports inputs = model.network().inputs();
  for (const auto& [name, shape] : shapes)
    if (!(name.empty() && inputs.size() == 1) &&
        std::ranges::find(inputs, name, &Port::name) == inputs.end())
      throw InvalidArgument(model.name() + ": has no input '" + name + "' for a shape");
  Specs specs;
  Tensors one_record;
  for (const Port& port : inputs) {
    specs.push_back(input_spec(port, shapes, inputs.size() == 1));
    one_record.push_back(placeholder({specs.back().dtype, specs.back().shape.with(0, 1)}));
  }
  std::vector<std::string> names;
  for (const Port& port : model.network().outputs()) names.push_back(port.name);
  const auto losses = model.compile_options().loss.spread(names, Loss(), "loss");
  const Tensors outputs = model(one_record);
  for (size_t i = 0; i < outputs.size(); ++i)
    if (losses[i].defined()) specs.push_back(target_spec(losses[i], outputs[i].spec()));
  return specs;
}

}  // namespace plimsoll
