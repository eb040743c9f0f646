#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::first_cause;
using testing::sound_case;
using testing::sound_pair;

TEST(LossMismatch, ACrossentropyOfPricesIsTheWrongLossWithAnyActivation) {
  TrainingCase it = sound_pair();
  it.run.reset();
  it.data->targets = {{.width = 1, .mean = 3, .deviation = 2, .least = -1.5, .largest = 9.5}};
  for (const char* activation : {"", "sigmoid"}) {
    it.model.outputs[0].activation = activation;
    EXPECT_EQ(first_cause(it), "loss_mismatch") << activation;
  }
}

TEST(LossMismatch, TwoClassesThatAddUpToOneHaveTwoLossesThatAreTheSame) {
  TrainingCase it = sound_case();
  it.model.outputs[0].loss = "BinaryCrossentropy";
  it.data->targets = {{.width = 2, .is_whole = true, .is_one_hot = true, .largest = 1}};
  it.data->targets[0].class_counts = {450, 450};
  it.run.reset();
  EXPECT_EQ(first_cause(it), "");
  it.data->targets[0].width = 3;
  EXPECT_EQ(first_cause(it), "loss_mismatch");
}

TEST(LossMismatch, WhatHasLearntAllTheSameIsANote) {
  TrainingCase it = sound_pair();
  it.model.outputs[0].loss = "MeanSquaredError";
  for (EpochStory& epoch : it.run->epochs) epoch.metrics = {{"loss", 0.01}};
  EXPECT_EQ(first_cause(it), "");
  for (EpochStory& epoch : it.run->epochs) epoch.metrics = {{"loss", 0.25}};
  EXPECT_EQ(first_cause(it), "loss_mismatch");
}

// A single linear unit for classes, which has learnt nothing.
TrainingCase number_for_classes() {
  TrainingCase it = sound_case();
  it.model.outputs[0].activation = "";
  it.model.outputs[0].units = 1;
  it.model.outputs[0].loss = "MeanSquaredError";
  it.data->targets[0].column_variance = 0.66;
  for (EpochStory& epoch : it.run->epochs) epoch.metrics = {{"loss", 0.66}};
  return it;
}

TEST(LossMismatch, FindsANumberThatStandsForClasses) {
  const TrainingCase it = number_for_classes();
  EXPECT_EQ(first_cause(it), "loss_mismatch");
}

TEST(LossMismatch, ACountIsNoClassAndAShortRunNoProof) {
  TrainingCase it = number_for_classes();
  for (EpochStory& epoch : it.run->epochs) epoch.samples = it.run->batch_size;
  EXPECT_EQ(first_cause(it), "too_few_epochs");
  it.run->epochs.resize(1);
  for (int i = 0; i < 200; ++i) it.run->epochs.push_back(it.run->epochs[0]);
  EXPECT_EQ(first_cause(it), "loss_mismatch");
  it.data->targets[0].class_counts.assign(15, 60);
  it.data->targets[0].largest = 14;
  EXPECT_NE(first_cause(it), "loss_mismatch");
}

// Ten pictures' classes as one number come near them by squares, and are hardly ever right.
TEST(LossMismatch, APictureOfABalancedNumberIsOfAClassThoughSquaresFell) {
  TrainingCase it = number_for_classes();
  it.data->inputs[0].columns = 784;
  it.data->targets[0].largest = 9;
  it.data->targets[0].class_counts.assign(10, 90);
  for (EpochStory& epoch : it.run->epochs) epoch.metrics = {{"loss", 0.1}};
  EXPECT_EQ(first_cause(it), "loss_mismatch");
  it.data->targets[0].class_counts = {300, 200, 150, 100, 60, 40, 20, 15, 10, 5};
  EXPECT_EQ(first_cause(it), "");
}

TEST(LossMismatch, ManyClassesAreNoPrices) {
  TrainingCase it = sound_case();
  it.run.reset();
  it.model.outputs[0].units = 500;
  it.data->targets[0].largest = 499;
  it.data->targets[0].class_counts.assign(500, 8);
  EXPECT_EQ(first_cause(it), "");
}

}  // namespace
}  // namespace plimsoll
