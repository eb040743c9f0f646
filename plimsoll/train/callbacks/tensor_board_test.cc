#include "plimsoll/train/callbacks/tensor_board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/plimsoll.h"
#include "plimsoll/train/callbacks/network_graph.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using testing::message_of;

namespace fs = std::filesystem;

// How often the text is in all files of the folder.
int64_t count_in(const fs::path& folder, const std::string& text) {
  int64_t count = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string bytes = bytes_of(entry.path().string());
    for (size_t at = bytes.find(text); at != bytes.npos; at = bytes.find(text, at + 1)) ++count;
  }
  return count;
}

TEST(TensorBoard, WritesEpochsBatchesAndHistograms) {
  const TemporaryFolder folder;
  reset_names();
  Sequential model({InputLayer({.shape = {3}}), Dense({.units = 2})});
  model.compile({.optimizer = SGD(), .loss = "mse"});
  const Tensor x = constant(std::vector<float>(24, 1), {8, 3}),
               y = constant(std::vector<float>(16, 1), {8, 2});
  const History history = model.fit(
      x, y,
      {.epochs = 3,
       .batch_size = 4,
       .verbose = 0,
       .callbacks = {TensorBoard(folder.path("logs"), {.histogram_freq = 2, .update_freq = 2})}});
  const fs::path logs = folder.path("logs");
  EXPECT_EQ(count_in(logs / "train", "epoch_loss"), 3);
  EXPECT_EQ(count_in(logs / "train", "batch_loss"), 3);
  EXPECT_EQ(count_in(logs / "train", "kernel/histogram"), 2);
  EXPECT_EQ(count_in(logs / "train", "memory/planned_peak_MiB"), 3);
  EXPECT_GT(count_in(logs / "steps", "gradients/dense/kernel"), 0);
  EXPECT_EQ(count_in(logs, "_hparams_/session_start_info"), 1);
  EXPECT_EQ(count_in(logs, "_hparams_/session_end_info"), 1);
  EXPECT_GE(history.memory.callback_bytes, int64_t{1} << 20);
}

TEST(TensorBoard, RefusesAFolderWithoutAName) {
  EXPECT_EQ(message_of([] { TensorBoard(""); }), "TensorBoard: the folder has no name");
}

TEST(NetworkGraph, LeadsThroughNetworksInside) {
  reset_names();
  const Tensor a = Input({.shape = {3}, .name = "a"}), b = Input({.shape = {3}, .name = "b"});
  const Tensor inner_in = Input({.shape = {3}, .name = "inner_in"});
  const Model inner({inner_in}, {Dense({.units = 3, .name = "hidden"})(inner_in)}, "inner");
  const Model model({a, b}, {Dense({.units = 1, .name = "last"})(inner(a) + b)});
  std::vector<std::string> edges;
  for (const GraphNode& node : network_graph(model.network()))
    for (const std::string& input : node.inputs) edges.push_back(input + " > " + node.name);
  EXPECT_THAT(edges, ElementsAre("a > inner/inner_in", "inner/inner_in > inner/hidden",
                                 "inner/hidden > add", "b > add", "add > last"));
}

}  // namespace
}  // namespace plimsoll
