// plimsoll convert: writes a model, weights or data in another format, and says what that format
// cannot hold.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/base/stop_signals.h"
#include "plimsoll/cli/carried_files.h"
#include "plimsoll/cli/command_list.h"
#include "plimsoll/cli/convert_data.h"
#include "plimsoll/cli/heap_guard.h"
#include "plimsoll/cli/model_arguments.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/protect_inputs.h"
#include "plimsoll/cli/wrong_usage.h"
#include "plimsoll/data/kinds/data_kind_list.h"
#include "plimsoll/data/kinds/find_data.h"
#include "plimsoll/graph/initial_values.h"
#include "plimsoll/tensor/storage.h"
#include "plimsoll/train/files/file_kind.h"
#include "plimsoll/train/files/model_file.h"
#include "plimsoll/train/files/weight_file.h"

namespace plimsoll::cli {
namespace {

struct ConvertArguments {
  DataArguments from;
  std::string to, model;
  bool json = false;
};

constexpr const char* kConvertHelp =
    "Models are .keras, .h5 and .json files. Weights without a model are .weights.h5 and\n"
    ".safetensors files. Data is written as .npy or .npz.\n\n"
    "Examples:\n\n"
    "  plimsoll convert old.h5 model.keras\n"
    "  plimsoll convert model.keras model.safetensors\n"
    "  plimsoll convert trained.weights.h5 model.keras --model architecture.json\n"
    "  plimsoll convert houses.csv houses.npz --target price\n";

bool read(Arguments arguments, ConvertArguments& into) {
  CLI::App app("Writes a model, weights or data in another format.", "plimsoll convert");
  app.add_option("FROM", into.from.path,
                 fmt::format("what is read: a model, weights, or data ({})", kinds_text("and")))
      ->required();
  app.add_option("TO", into.to, "the file to write; its suffix selects the format")->required();
  app.add_option("--model", into.model, "the model that the weights in FROM belong to")
      ->option_text("MODEL");
  app.add_option("--array", into.from.array, "the array of FROM to write, if TO is a .npy")
      ->option_text("NAME");
  add_data_options(app, into.from);
  app.add_flag("--json", into.json, "print what was written and what was lost, as JSON");
  app.footer(kConvertHelp);
  return parse(app, arguments);
}

bool is_data(const std::string& path) {
  try {
    return find_data(path).kind != nullptr;
  } catch (const InvalidArgument&) {
    return false;
  }
}

bool is_weights(const std::string& path) {
  return path.ends_with(".weights.h5") || path.ends_with(".safetensors");
}

bool is_model(const std::string& path) {
  return path.ends_with(".keras") || path.ends_with(".json") || path.ends_with(".hdf5") ||
         (path.ends_with(".h5") && !is_weights(path));
}

// The parts of FROM that TO cannot hold.
std::vector<std::string> lost(const ConvertArguments& arguments, const Model& model) {
  std::vector<std::string> what;
  const std::string& to = arguments.to;
  if (is_weights(to)) what.push_back("the architecture");
  if (is_weights(to) && model.compiled()) what.push_back("the compile settings");
  if (to.ends_with(".json")) what.push_back("the weights");
  const bool has_state = model.compiled() && model.optimizer()->built();
  if (has_state && (to.ends_with(".json") || to.ends_with(".safetensors")))
    what.push_back("the state of the optimizer");
  return what;
}

// A model, and the values that are read from a file while it is written.
struct OpenedModel {
  Model model;
  WeightLoad values;
};

// The system would kill a process that takes more than it gives.
void refuse_too_large(const ConvertArguments& arguments, const Model& model, int64_t value_bytes) {
  const int64_t needed = value_bytes + writing_bytes(model), available = memory_available();
  if (needed > available)
    throw DoesNotFit(fmt::format(
        "convert: writing {} takes {} more memory, {} of it for values, and {} are left; give the "
        "process {} more",
        arguments.to, format_bytes(needed), format_bytes(value_bytes), format_bytes(available),
        format_bytes(needed - available)));
}

bool has_no_weights(const std::string& path) {
  return !std::filesystem::is_directory(path) && kind_of_file(path) == FileKind::json;
}

// Values that are drawn are all in memory.
int64_t bytes_together(const Variables& weights) {
  int64_t bytes = 0;
  for (const Variable& weight : weights) bytes += Storage::footprint(weight.spec().bytes());
  return bytes;
}

OpenedModel open_model(const ConvertArguments& arguments, Findings& findings) {
  const bool has_only_weights = is_weights(arguments.from.path);
  if (has_only_weights && arguments.model.empty())
    throw WrongUsage(fmt::format(
        "convert: {} holds weights without a model; name the model they belong to with --model",
        arguments.from.path));
  ModelArguments model;
  model.path = has_only_weights ? arguments.model : arguments.from.path;
  const bool is_new =
      !has_only_weights && !arguments.to.ends_with(".json") && has_no_weights(model.path);
  LaterInitialValues initial;  // of what no file has a value for
  WeightLoad values;
  Model loaded = load(model, is_new ? Weights::read : Weights::replaced, values, findings);
  if (has_only_weights) {
    FoundWeights found = find_weights(loaded, arguments.from.path);
    for (const Finding& note : found.notes) findings.add(note);
    values.add(std::move(found.load));
  }
  if (is_new) refuse_too_large(arguments, loaded, bytes_together(loaded.weights()));
  if (is_new || (loaded.compiled() && !values.holds(loaded.optimizer()->variables())))
    initial.fill();
  return {loaded, std::move(values)};
}

// Options for data have no meaning for a model.
void refuse_data_options(const ConvertArguments& arguments) {
  const DataArguments& from = arguments.from;
  const std::pair<const char*, bool> given[] = {
      {"--target", !from.target.empty()},      {"--ignore", !from.ignored.empty()},
      {"--missing", from.missing.has_value()}, {"--image-size", !from.image_size.empty()},
      {"--features", !from.features.empty()},  {"--classes", !from.classes.empty()},
      {"--array", !from.array.empty()},        {"--window", from.window.has_value()}};
  for (const auto& [option, is_given] : given)
    if (is_given)
      throw WrongUsage(fmt::format("convert: {} is an option for data, but {} is a model", option,
                                   arguments.to));
}

// Data for the model is read with what lies beside it, which a copy in another folder needs too.
// Weights and architectures are no models that data is given to.
CarriedFiles carried_files(const ConvertArguments& arguments, Findings& findings) {
  const bool is_whole = is_model(arguments.to) && !arguments.to.ends_with(".json");
  return {is_whole ? arguments.from.path : arguments.to, arguments.to, findings};
}

void print(const ConvertArguments& arguments, const char* kind,
           const std::vector<std::string>& losses, const std::string& classes = {},
           const std::vector<std::string>& carried = {}) {
  if (arguments.json) {
    nlohmann::ordered_json json = {
        {"from", arguments.from.path}, {"to", arguments.to}, {"kind", kind}, {"lost", losses}};
    if (!classes.empty()) json["classes"] = classes;
    if (!carried.empty()) json["carried"] = carried;
    print_json(json);
    return;
  }
  std::string text = fmt::format("{}: {} written", arguments.to, kind);
  for (size_t i = 0; i < losses.size(); ++i)
    text += (i == 0 ? "; it does not hold " : i + 1 == losses.size() ? " and " : ", ") + losses[i];
  if (!classes.empty()) text += "; the names of the classes are in " + classes;
  if (!carried.empty()) text += fmt::format("; {} beside it, too", fmt::join(carried, " and "));
  print_text(text + "\n");
}

}  // namespace

int convert(Arguments arguments) {
  ConvertArguments parsed;
  if (!read(arguments, parsed)) return kDone;
  refuse_to_replace("convert", parsed.to, files_of_data("the file", parsed.from.path));
  refuse_to_replace("convert", parsed.to, {{"the model", parsed.model}});
  const StopSignals signals;
  Findings findings;
  if (parsed.to.ends_with(".npz") || parsed.to.ends_with(".npy")) {
    if (!is_data(parsed.from.path))
      throw WrongUsage(fmt::format(
          "convert: {} is a model; write it as .keras, .h5, .json, .weights.h5 or .safetensors",
          parsed.from.path));
    const std::string classes = convert_data(parsed.from, parsed.to, findings);
    print(parsed, "data", {}, classes);
    return kDone;
  }
  if (!is_model(parsed.to) && !is_weights(parsed.to))
    throw WrongUsage(fmt::format(
        "convert: the suffix of {} is not a known format; models are written as .keras, "
        ".h5 or .json, weights as .weights.h5 or .safetensors, data as .npy or .npz",
        parsed.to));
  refuse_data_options(parsed);
  const CarriedFiles beside = carried_files(parsed, findings);
  std::optional<HeapGuard> guard(std::in_place);
  const auto [model, values] = open_model(parsed, findings);
  guard.reset();
  refuse_too_large(parsed, model, values.largest_bytes());
  if (is_weights(parsed.to))
    save_weights(model, parsed.to, values.streamed());
  else
    save_model(model, parsed.to, values.streamed());
  print(parsed, is_weights(parsed.to) ? "weights" : "model", lost(parsed, model), {},
        beside.write());
  return kDone;
}

}  // namespace plimsoll::cli
