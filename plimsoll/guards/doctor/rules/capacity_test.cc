#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::confidence_of;
using testing::first_cause;
using testing::has_learnt_nothing;
using testing::sound_case;
using testing::sound_pair;

TEST(ModelCapacity, AnOutputBeforeItsOwnActivationLayerIsNoHiddenLayer) {
  TrainingCase it = sound_pair();
  it.model.layers[2].activation = "";
  it.model.layers[2].feeds = {3};
  it.model.layers.push_back({.name = "activation",
                             .kind = "Activation",
                             .activation = "sigmoid",
                             .is_activation = true,
                             .units = 1});
  it.model.outputs[0].layer = "activation";
  has_learnt_nothing(it);
  EXPECT_EQ(confidence_of(it, "model_capacity"), 0);
  it.model.layers[1].units = 1;
  EXPECT_GT(confidence_of(it, "model_capacity"), 0.6);
}

TEST(ModelCapacity, UnitsThatAreNotKnownAreNoneTooFew) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  for (LayerFacts& layer : it.model.layers) {
    layer.units = -1;
    layer.feeds.clear();
  }
  EXPECT_EQ(confidence_of(it, "model_capacity"), 0);
}

TEST(ModelCapacity, FindsThatAModelWithoutHiddenLayersLacksOne) {
  TrainingCase it = sound_case();
  it.model.layers.erase(it.model.layers.begin() + 1);
  it.model.layers[0].feeds = {1};
  has_learnt_nothing(it);
  it.data->targets[0].neighbour_skill = 0.9;
  EXPECT_EQ(first_cause(it), "model_capacity");
  it.data->targets[0].neighbour_skill = 0.1;
  EXPECT_EQ(confidence_of(it, "model_capacity"), 0);
  it.data->targets[0].neighbour_skill.reset();  // four records, as of XOR
  EXPECT_EQ(first_cause(it), "model_capacity");
}

TrainingCase with_validation(double least, double last) {
  TrainingCase it = sound_case();
  for (size_t i = 0; i < it.run->epochs.size(); ++i)
    it.run->epochs[i].metrics["val_loss"] = i < 5 ? least : last;
  return it;
}

TEST(Overfitting, ALossThatDoublesIsNothingWhereItIsNearlyZero) {
  EXPECT_EQ(confidence_of(with_validation(0.01, 0.02), "overfitting"), 0);
  EXPECT_GT(confidence_of(with_validation(0.5, 1.4), "overfitting"), 0.7);
}

TEST(Overfitting, IsNotSaidOfARunThatStoppedEarly) {
  TrainingCase it = with_validation(0.5, 1.4);
  it.run->planned_epochs = 100;
  EXPECT_EQ(confidence_of(it, "overfitting"), 0);
  it.run->status = "stopped";
  EXPECT_GT(confidence_of(it, "overfitting"), 0.7);
}

}  // namespace
}  // namespace plimsoll
