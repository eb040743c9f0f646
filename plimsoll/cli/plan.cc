// plimsoll plan: shows the memory that training takes, without training.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "plimsoll/base/process_memory.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/cli/command_list.h"
#include "plimsoll/cli/heap_guard.h"
#include "plimsoll/cli/model_arguments.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/plan_report.h"
#include "plimsoll/cli/saving_arguments.h"
#include "plimsoll/cli/wrong_usage.h"
#include "plimsoll/engine/machine_speed.h"
#include "plimsoll/graph/initial_values.h"
#include "plimsoll/train/data/record_specs.h"
#include "plimsoll/train/files/model_file.h"
#include "plimsoll/train/memory/largest_batch.h"
#include "plimsoll/train/memory/plan_json.h"
#include "plimsoll/train/memory/run_planner.h"

namespace plimsoll::cli {
namespace {

struct PlanArguments {
  ModelArguments model;
  int64_t batch_size = 32;
  SavingArguments saving;
  std::vector<std::string> input_shapes;
  int threads = 0;
  bool json = false;
};

constexpr const char* kPlanHelp =
    "Example: the memory of ResNet50 at a batch of 32, and whether it fits in 4 GiB\n\n"
    "  plimsoll plan resnet50.keras --batch-size 32 --memory 4GiB\n\n"
    "Nothing is trained and no weight is read. A model that was saved without compile is planned\n"
    "with the optimizer rmsprop, unless --optimizer names another.\n";

bool read(Arguments arguments, PlanArguments& into) {
  CLI::App app("Shows how much memory it takes to train a model, layer by layer.", "plimsoll plan");
  add_model(app, into.model);
  app.add_option("--batch-size,--batch", into.batch_size, "samples per batch (default: 32)")
      ->option_text("N")
      ->check(count());
  add_saving(app, into.saving, "the memory to plan for (default: what this machine has left)");
  app.add_option(
         "--input-shape", into.input_shapes,
         "the shape of an input that the model leaves open, without the batch: 224,224,3, or "
         "NAME=224,224,3 if there are several; may be repeated")
      ->option_text("SHAPE")
      ->expected(1)
      ->take_all();
  add_objective(app, into.model);
  add_training(app, into.model);
  app.add_option("--threads", into.threads, "threads that would compute (default: one per core)")
      ->option_text("N")
      ->check(count());
  app.add_flag("--json", into.json, "print the plan as JSON");
  app.footer(kPlanHelp);
  return parse(app, arguments);
}

InputShapes input_shapes(const std::vector<std::string>& texts) {
  InputShapes shapes;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    const std::string name = equals == text.npos ? "" : text.substr(0, equals);
    shapes[name] = Shape(parse_shape(equals == text.npos ? text : text.substr(equals + 1)));
  }
  return shapes;
}

void compile_for_plan(Model& model, ModelArguments arguments, Findings& findings) {
  if (!model.compiled() && arguments.loss.empty()) {
    arguments.loss = "mse";
    findings.add({.severity = Finding::Severity::note,
                  .where = arguments.path,
                  .what = "was saved without compile; it is planned with the loss mse and the "
                          "optimizer " +
                          (arguments.optimizer.empty() ? "rmsprop" : arguments.optimizer)});
  }
  compile(model, arguments);
}

Specs specs_of(const Model& model, const PlanArguments& arguments) {
  try {
    return record_specs(model, input_shapes(arguments.input_shapes));
  } catch (const InvalidArgument& error) {
    throw WrongUsage(arguments.model.path + ": " + error.what());
  }
}

struct Answer {
  MemoryPlan plan;
  LargestBatch largest = {};          // without saving memory
  std::optional<Advice> advice = {};  // if the plan does not fit
};

// A run also saves the model, and compiles a step for a last batch that is smaller.
int64_t reserve(const Model& model, const MemoryPlan& plan) {
  return saving_bytes(model) + plan.code_bytes;
}

bool fits_alone(Model& model, const Specs& specs, const PlanArguments& arguments,
                const MemoryBudget& budget) {
  const PlanOptions options{.budget_bytes = budget.bytes, .saving = arguments.saving.saving};
  return model.plan(specs, 1, {}, options).peak_bytes <= budget.bytes;
}

Answer answer(Model& model, const PlanArguments& arguments, const MemoryBudget& budget) {
  constexpr double kTolerance = 1.02;
  const Specs specs = specs_of(model, arguments);
  PlanOptions options{.budget_bytes = budget.bytes, .saving = arguments.saving.saving};
  Answer found{.plan = model.plan(specs, arguments.batch_size, {}, options)};
  const int64_t reserved = reserve(model, found.plan);
  options.budget_bytes = budget.bytes - reserved;
  // A plan that is over the whole budget is over what is left of it too.
  if (found.plan.peak_bytes > *options.budget_bytes && found.plan.peak_bytes <= budget.bytes)
    found.plan = model.plan(specs, arguments.batch_size, {}, options);
  if (found.plan.peak_bytes > *options.budget_bytes) {
    found.advice = model.advise(specs, arguments.batch_size, {}, options);
    found.advice->enough_bytes += reserved;
    // Batches of 1 have no smaller last one.
    if (found.advice->batch == 0 && fits_alone(model, specs, arguments, budget))
      found.advice->batch.reset();
  }
  if (found.advice && !arguments.json) return found;  // the advice says more
  const auto peak_of = [&](int64_t batch) { return model.plan(specs, batch).peak_bytes; };
  found.largest = largest_batch(peak_of, safe_bytes(*options.budget_bytes), arguments.batch_size,
                                1 << 16, kTolerance);
  return found;
}

std::string verdict(const Answer& found, const MemoryBudget& budget) {
  if (found.advice)
    return fmt::format("a batch of {} does not fit in {}; {}", found.plan.batch_size,
                       budget.to_string(), to_string(*found.advice, budget));
  const std::string unsaved = to_string(found.largest, budget);
  if (found.plan.saving_text().empty()) return unsaved;
  return fmt::format("a batch of {} fits in {}; {}", found.plan.batch_size, budget.to_string(),
                     unsaved);
}

void print(const PlanArguments& arguments, const Answer& found, const MemoryBudget& budget) {
  if (!arguments.json) {
    print_text(fmt::format("{}\n{}\n", plan_table(found.plan), verdict(found, budget)));
    return;
  }
  nlohmann::ordered_json json = {{"model", arguments.model.path}};
  json.update(plan_json(found.plan));
  json["memory"] = {{"budget_bytes", budget.bytes},
                    {"is_given", budget.is_given},
                    {"fits", !found.advice},
                    {"largest_batch", found.largest.size}};
  if (found.advice) {
    json["memory"]["enough_bytes"] = found.advice->enough_bytes;
    if (found.advice->batch) json["memory"]["batch_that_fits"] = *found.advice->batch;
  }
  print_json(json);
}

}  // namespace

int plan(Arguments arguments) {
  PlanArguments parsed;
  if (!read(arguments, parsed)) return kDone;
  if (parsed.threads > 0) set_thread_count(parsed.threads);
  const HeapGuard guard;
  const WithoutInitialValues only_planned;
  Findings findings;
  Model model = load(parsed.model, Weights::reserved, findings);
  compile_for_plan(model, parsed.model, findings);
  const MemoryBudget budget = memory_budget(parsed.saving.memory);
  // For the step time. The memory of this process is not the planned one.
  measure_machine_speed(budget.bytes - process_memory().resident_bytes);
  print(parsed, answer(model, parsed, budget), budget);
  return kDone;
}

}  // namespace plimsoll::cli
