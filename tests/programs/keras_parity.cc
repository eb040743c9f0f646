// Reads models that real Keras saved, predicts, trains and saves; tests/parity and
// tests/applications make the files and compare.
//
//   keras_parity models REFERENCE OURS [NAME…]         every folder of REFERENCE, or those named
//   keras_parity applications REFERENCE OURS [NAME…]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "plimsoll/data/sources/npz_source.h"
#include "plimsoll/formats/numpy/npy_writer.h"
#include "plimsoll/formats/numpy/npz.h"
#include "plimsoll/train/files/model_file.h"
#include "plimsoll/train/files/weight_file.h"

using namespace plimsoll;
namespace fs = std::filesystem;

namespace {

constexpr int64_t kBatch = 8;  // as in tests/parity/case.py
constexpr int64_t kApplicationBatch = 4;

// "x0", "x1", … of a .npz file, by their first letter.
std::vector<std::string> arrays_of(const std::string& path, char letter) {
  std::vector<std::string> names;
  for (const std::string& name : NpzFile(path).names())
    if (name.front() == letter) names.push_back(name);
  const auto number = [](const std::string& name) { return std::stoi(name.substr(1)); };
  std::ranges::sort(names, {}, number);
  return names;
}

Dataset dataset(const std::string& path) {
  return npz_source(path, arrays_of(path, 'x'), arrays_of(path, 'y'));
}

std::string json(const Logs& logs) {
  std::string text = "{";
  for (const auto& [name, value] : logs) {
    char number[64];
    std::snprintf(number, sizeof number, "%s\"%s\": %.9g", text.size() > 1 ? ", " : "",
                  name.c_str(), value);
    text += number;
  }
  return text + "}";
}

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

// One model: where its files are and where ours go.
class Case {
 public:
  Case(fs::path reference, fs::path ours)
      : reference_(std::move(reference)), ours_(std::move(ours)) {
    fs::create_directories(ours_);
    fs::remove(ours_ / "failures.txt");
  }

  // A part of the test, named as a column of its table. Where it fails the others go on.
  void attempt(const std::string& column, const std::function<void()>& part) {
    try {
      part();
    } catch (const std::exception& problem) {
      std::ofstream(ours_ / "failures.txt", std::ios::app)
          << column << ": " << problem.what() << "\n";
    }
  }

  bool has(const std::string& name) const { return fs::exists(reference_ / name); }
  std::string theirs(const std::string& name) const { return reference_ / name; }
  std::string ours(const std::string& name) const { return ours_ / name; }

  // Each output for the first batch, in a file of its own.
  void write_predictions(Model& model, const std::string& prefix, const std::string& data,
                         int64_t batch) const {
    const Tensors outputs =
        model.predict(dataset(theirs(data)), PredictOptions{.batch_size = batch, .steps = 1});
    for (size_t i = 0; i < outputs.size(); ++i) {
      const std::string number = (i < 10 ? "_0" : "_") + std::to_string(i);
      NpyWriter writer(ours(prefix + number + ".npy"), outputs[i].spec());
      writer.append({outputs[i].data(), static_cast<size_t>(outputs[i].spec().bytes())});
      writer.finish();
    }
  }

 private:
  fs::path reference_, ours_;
};

History train(Model& model, const std::string& data) {
  return model.fit(dataset(data), {.batch_size = kBatch, .shuffle = false, .verbose = 0});
}

Logs last_logs(const History& history) {
  Logs logs;
  for (const auto& [name, values] : history.epochs) logs[name] = values.back();
  return logs;
}

void predict_and_train(Case& one) {
  one.attempt("predict", [&] {
    Model model = load_model(one.theirs("sgd.keras")).model;
    one.write_predictions(model, "first", "train.npz", kBatch);
  });
  one.attempt("sgd", [&] {
    Model model = load_model(one.theirs("sgd.keras")).model;
    write_text(one.ours("logs.json"), json(last_logs(train(model, one.theirs("train.npz")))));
    save_model(model, one.ours("sgd_20.keras"));
  });
  one.attempt("optimizer", [&] {
    Model model = load_model(one.theirs("compiled.keras")).model;
    train(model, one.theirs("train.npz"));
    save_model(model, one.ours("compiled_20.keras"));
    model = load_model(one.ours("compiled_20.keras")).model;
    one.write_predictions(model, "trained", "train.npz", kBatch);
  });
  one.attempt("goes on", [&] {
    Model model = load_model(one.theirs("compiled_20.keras")).model;
    train(model, one.theirs("further.npz"));
    save_model(model, one.ours("compiled_25.keras"));
  });
}

void save_and_load(Case& one) {
  const auto save_all = [&](const std::string& from, const std::string& name) {
    const Model model = load_model(from).model;
    save_model(model, one.ours(name + ".keras"));
    save_weights(model, one.ours(name + ".weights.h5"));
    save_weights(model, one.ours(name + ".safetensors"));
  };
  one.attempt("stable", [&] {
    save_all(one.theirs("compiled.keras"), "saved");
    save_all(one.ours("saved.keras"), "saved_again");
  });
  if (!one.has("model.json")) return;  // a part of the model is in files of the archive
  one.attempt("stable", [&] {
    save_model(load_model(one.theirs("compiled.keras")).model, one.ours("saved.h5"));
    save_model(load_model(one.ours("saved.h5")).model, one.ours("saved_again.h5"));
  });
  const auto predict_from = [&](const std::string& weights, const std::string& prefix) {
    Model model = load_model(one.theirs("model.json")).model;
    load_weights(model, weights);
    one.write_predictions(model, prefix, "train.npz", kBatch);
  };
  one.attempt("formats", [&] { predict_from(one.theirs("model.weights.h5"), "from_json"); });
  one.attempt("formats", [&] { predict_from(one.ours("saved.safetensors"), "from_safetensors"); });
  if (one.has("compiled.h5"))
    one.attempt("formats", [&] {
      Model model = load_model(one.theirs("compiled.h5")).model;
      one.write_predictions(model, "from_h5", "train.npz", kBatch);
    });
}

int64_t planned_arena(const std::string& path, const Dataset& data, bool head_only) {
  Model model = load_model(path, {.weights = false}).model;
  Layers layers = model.layers();
  while (layers.back()->weights().empty()) layers.pop_back();
  layers.pop_back();  // the head
  if (head_only)
    for (const Layer& layer : layers) layer->set_trainable(false);
  return model.plan(data.source->fields(), kApplicationBatch).arena_bytes;
}

void run_application(Case& one) {
  one.attempt("application", [&] {
    const Dataset data = dataset(one.theirs("data.npz"));
    Model model = load_model(one.theirs("model.keras")).model;
    one.write_predictions(model, "prediction", "data.npz", kApplicationBatch);
    const History history =
        model.fit(data, {.batch_size = kApplicationBatch, .shuffle = false, .verbose = 0});
    save_model(model, one.ours("after.keras"));
    Logs facts = last_logs(history);
    facts["arena_bytes"] = static_cast<double>(history.memory.arena_bytes);
    facts["planned_arena_bytes"] =
        static_cast<double>(planned_arena(one.theirs("model.keras"), data, false));
    facts["head_arena_bytes"] =
        static_cast<double>(planned_arena(one.theirs("model.keras"), data, true));
    write_text(one.ours("facts.json"), json(facts));
  });
}

std::vector<std::string> folders_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_directory()) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() < 3 || (words[0] != "models" && words[0] != "applications")) {
    std::fprintf(stderr, "keras_parity: expected 'models' or 'applications', REFERENCE, OURS\n");
    return 2;
  }
  std::vector<std::string> names(words.begin() + 3, words.end());
  if (names.empty()) names = folders_in(words[1]);
  for (const std::string& name : names) {
    Case one(fs::path(words[1]) / name, fs::path(words[2]) / name);
    if (words[0] == "models") {
      predict_and_train(one);
      save_and_load(one);
    } else {
      run_application(one);
    }
  }
}
