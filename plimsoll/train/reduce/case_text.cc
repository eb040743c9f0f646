// What the files of a case say.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plimsoll/base/printable.h"
#include "plimsoll/formats/archives/json.h"
#include "plimsoll/train/reduce/case_folder.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

Json size_json(const CaseSize& size) {
  return {{"records", size.records}, {"layers", size.layers}, {"parameters", size.parameters}};
}

std::string counted(int64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string size_text(const CaseSize& size) {
  return fmt::format("{}, {} and {}", counted(size.records, "record"),
                     counted(size.layers, "layer"), counted(size.parameters, "parameter"));
}

std::string same_text(const Failure& failure) {
  switch (failure.kind) {
    case Failure::Kind::bad_record:
      return fmt::format("a record is refused for the same reason (`{}`)", failure.cause);
    case Failure::Kind::not_finite:
      return fmt::format("the first number that is not finite comes from the same operation (`{}`)",
                         failure.cause);
    case Failure::Kind::diagnosis:
      break;
  }
  return fmt::format(
      "the doctor names the same first cause (`{}`), above a note. The cause is kept, not the "
      "score: "
      "few records are learnt easily, or not at all",
      failure.cause);
}

std::string title_of(const Failure& failure) {
  switch (failure.kind) {
    case Failure::Kind::bad_record:
      return "A record that cannot be used";
    case Failure::Kind::not_finite:
      return "A number that is not finite";
    case Failure::Kind::diagnosis:
      break;
  }
  return "A training that learns badly";
}

std::string step_text(const ReducedCase& found) {
  std::string text;
  if (found.failure.kind == Failure::Kind::not_finite)
    text +=
        fmt::format("It happens in epoch {}, batch {}. ", found.failure.epoch, found.failure.batch);
  if (found.failure.kind == Failure::Kind::diagnosis && !found.is_trained)
    text += "It shows before any training. ";
  if (found.begins_before_bad_step)
    text +=
        "model.keras has the weights of right before the step that failed: with the weights that "
        "the "
        "training began with, these records do not fail. ";
  if (!found.is_minimal) text += "The search was ended early: a smaller case may exist. ";
  if (!text.empty()) text.pop_back();
  return text;
}

// A dict where the model has several inputs or outputs.
std::string arrays(const std::vector<std::string>& names) {
  if (names.size() == 1) return fmt::format("data[{}]", Json(names[0]).dump());
  std::string text = "{";
  for (const std::string& name : names)
    text += fmt::format("{}{}: data[{}]", text.size() > 1 ? ", " : "", Json(name).dump(),
                        Json(name).dump());
  return text + "}";
}

}  // namespace

std::string case_json(const ReducedCase& found) {
  const Json failure = {{"kind", to_string(found.failure.kind)},
                        {"cause", found.failure.cause},
                        {"what", found.failure.what},
                        {"layer", found.failure.layer},
                        {"epoch", found.failure.epoch},
                        {"batch", found.failure.batch}};
  Json json = {{"failure", failure},
               {"original", found.original.what},
               {"from", size_json(found.from)},
               {"size", size_json(found.size)},
               {"records", found.record_names},
               {"commands", commands_of(found)},
               {"begins_before_bad_step", found.begins_before_bad_step},
               {"is_minimal", found.is_minimal},
               {"trials", found.trials}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string case_keras_script(const ReducedCase& found) {
  const Ports inputs = found.model.network().inputs();
  std::vector<std::string> x, y;
  std::string weight;
  for (size_t i = 0; i < found.field_names.size(); ++i) {
    if (found.field_names[i] == "sample_weight")
      weight = ", sample_weight=data[\"sample_weight\"]";
    else
      (i < inputs.size() ? x : y).push_back(found.field_names[i]);
  }
  std::string text =
      "\"\"\"Trains the case with Keras, which shows its losses; it does not say where they come "
      "from.\"\"\"\n"
      "import os\n\nimport keras\nimport numpy as np\n\n"
      "folder = os.path.dirname(os.path.abspath(__file__))\n"
      "model = keras.saving.load_model(os.path.join(folder, \"model.keras\"))\n"
      "data = np.load(os.path.join(folder, \"data.npz\"))\n";
  text += fmt::format(
      "history = model.fit({}, {}{}, epochs={}, batch_size={}, shuffle={}, verbose=0)\n", arrays(x),
      arrays(y), weight, found.epochs, found.batch_size, found.is_shuffled ? "True" : "False");
  return text + "print(\"losses:\", history.history[\"loss\"])\n";
}

std::string case_readme(const ReducedCase& found) {
  constexpr size_t kShown = 20;
  std::string text =
      fmt::format("# {}\n\n{}.\n\n", title_of(found.failure), printable(found.failure.what));
  if (const std::string step = step_text(found); !step.empty()) text += step + "\n\n";
  text += "With plimsoll (`sh run_plimsoll.sh`), in this folder:\n\n```sh\n";
  for (const auto& command : commands_of(found))
    text += fmt::format("plimsoll {}\n", fmt::join(command, " "));
  text += fmt::format(
      "```\n\nWith Keras: `python run_keras.py`.\n\n## From what it was reduced\n\n"
      "{} were left of {}, in {}. In this case {}. It was:\n\n> {}\n\nThe records are:\n\n",
      size_text(found.size), size_text(found.from), counted(found.trials, "trial"),
      same_text(found.failure), printable(found.original.what));
  for (size_t i = 0; i < std::min(kShown, found.record_names.size()); ++i)
    text += fmt::format("{}. `{}`\n", i + 1, printable(found.record_names[i]));
  if (found.record_names.size() > kShown)
    text +=
        fmt::format("\nand {} more, which case.json lists.\n", found.record_names.size() - kShown);
  return text;
}

}  // namespace plimsoll
