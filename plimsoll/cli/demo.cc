// plimsoll demo: plans the memory of a small CNN, trains it on Fashion-MNIST, and compares the two.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/base/stop_signals.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/cli/command_list.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/progress.h"
#include "plimsoll/cli/stop_after_batch.h"
#include "plimsoll/data/source.h"
#include "plimsoll/formats/tables/idx.h"
#include "plimsoll/nn/nn.h"
#include "plimsoll/record/run_log.h"
#include "plimsoll/train/memory/plan_json.h"
#include "plimsoll/train/model.h"

namespace plimsoll::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kBatchSize = 64;

struct DemoArguments {
  std::string data = "/usr/share/datasets/fashion-mnist";
  int64_t epochs = 8;
  int64_t samples = 60000;
  bool json = false;
};

bool read(Arguments arguments, DemoArguments& into) {
  CLI::App app("Plans and trains a small CNN on Fashion-MNIST.", "plimsoll demo");
  app.add_option("--data", into.data,
                 "the folder of the four Fashion-MNIST files (default: " + into.data + ")")
      ->option_text("FOLDER");
  app.add_option("--epochs", into.epochs,
                 fmt::format("passes over the data (default: {})", into.epochs))
      ->option_text("N")
      ->check(count());
  app.add_option("--samples", into.samples, "train on the first N images only")
      ->option_text("N")
      ->check(count());
  app.add_flag("--json", into.json, "print the plan and the result as JSON");
  app.footer("Example:\n\n  plimsoll demo --epochs 2\n");
  return parse(app, arguments);
}

Dataset fashion_mnist(const std::string& folder, const std::string& part, int64_t samples) {
  HostTensor images = read_idx(folder + "/" + part + "-images-idx3-ubyte.gz");
  HostTensor labels = read_idx(folder + "/" + part + "-labels-idx1-ubyte.gz");
  const auto image_shape = images.spec.shape;
  if (image_shape.rank() != 3 || labels.spec.shape.rank() != 1)
    throw CorruptFile(folder +
                      ": expected images (count, height, width) and labels (count), found " +
                      image_shape.to_string() + " and " + labels.spec.shape.to_string());
  images.spec.shape.push_back(1);
  const SourcePtr source = from_tensor_slices({images, labels});
  return subset(source, 0, std::min(samples, source->size()));
}

Sequential small_cnn() {
  Sequential model({
      InputLayer({.shape = {28, 28, 1}, .dtype = DType::uint8}),
      Rescaling({.scale = 1.0 / 255}),
      Conv2D({.filters = 32, .kernel_size = {3, 3}, .activation = "relu"}),
      MaxPooling2D(),
      Conv2D({.filters = 64, .kernel_size = {3, 3}, .activation = "relu"}),
      MaxPooling2D(),
      Flatten(),
      Dropout({.rate = 0.3}),
      Dense({.units = 128, .activation = "relu"}),
      Dense({.units = 10, .activation = "softmax"}),
  });
  model.compile(
      {.optimizer = Adam(), .loss = "sparse_categorical_crossentropy", .metrics = {"accuracy"}});
  return model;
}

void print_result(const DemoArguments& arguments, const Dataset& train, const History& history,
                  const Logs& test) {
  const Json json = {{"records", train.source->size()},
                     {"threads", thread_count()},
                     {"epochs", arguments.epochs},
                     {"plan", plan_json(history.memory)},
                     {"measured_peak_bytes", process_memory().peak_resident_bytes},
                     {"test", json_numbers(test)}};
  print_json(json);
}

void print_start(Sequential& model, const Dataset& train) {
  std::printf("%s\n", model.summary().c_str());
  std::printf("%s\n", model.plan(train.source->fields(), kBatchSize).to_string().c_str());
  std::printf("training on %lld images with %d threads\n",
              static_cast<long long>(train.source->size()), thread_count());
  std::fflush(stdout);
}

void print_end(const History& history, const Logs& test) {
  const int64_t planned = history.memory.peak_bytes;
  const int64_t measured = process_memory().peak_resident_bytes;
  std::printf("peak memory: planned %s, measured %s (%+.1f%%)\n", format_bytes(planned).c_str(),
              format_bytes(measured).c_str(),
              100.0 * static_cast<double>(measured - planned) / static_cast<double>(planned));
  std::printf("test accuracy %.1f%%\n", 100 * test.at("accuracy"));
}

}  // namespace

int demo(Arguments arguments) {
  DemoArguments options;
  if (!read(arguments, options)) return kDone;
  const StopSignals signals;
  set_random_seed(1);
  const Dataset train = fashion_mnist(options.data, "train", options.samples);
  const Dataset test = fashion_mnist(options.data, "t10k", options.samples);
  Sequential model = small_cnn();
  if (!options.json) print_start(model, train);
  Callbacks callbacks;
  if (const auto lines = epoch_lines(options.json)) callbacks.emplace_back(lines);
  callbacks.emplace_back(std::make_shared<StopAfterBatch>());
  const History history = model.fit(train, {.epochs = options.epochs,
                                            .batch_size = kBatchSize,
                                            .verbose = 0,
                                            .callbacks = std::move(callbacks)});
  const Logs result =
      model.evaluate(test, {.batch_size = kBatchSize, .callbacks = {StopAfterBatch()}});
  if (options.json)
    print_result(options, train, history, result);
  else
    print_end(history, result);
  return kDone;
}

}  // namespace plimsoll::cli
