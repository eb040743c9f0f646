#include "plimsoll/train/runs/examine_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "plimsoll/plimsoll.h"
#include "tests/support/list_stream.h"
#include "tests/support/resumed_run.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::Each;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class ExamineFolder : public ::testing::Test {
 protected:
  ExamineFolder() {
    resumed::Result none;
    resumed::run(resumed::plain(), run_, std::nullopt, none);
  }

  TemporaryFolder folder_;
  std::string run_ = folder_.path("run");
};

TEST_F(ExamineFolder, LooksAtTheLogAndTheSavedModel) {
  const ExaminedFolder examined = examine_folder(run_);
  EXPECT_EQ(examined.how, "its log and its model are looked at, and not its data");
  ASSERT_TRUE(examined.found.run);
  EXPECT_THAT(examined.found.run->epochs, SizeIs(3));
  EXPECT_EQ(examined.found.model.optimizer, "Adam");
  EXPECT_NEAR(examined.found.model.learning_rate, 0.02, 1e-9);
  ASSERT_THAT(examined.found.model.layers, Not(IsEmpty()));
  // It is a trained model, so how weights began is not known.
  EXPECT_THAT(examined.found.model.layers, Each(Field(&LayerFacts::kernel_spread, -1)));
  EXPECT_FALSE(examined.found.data);
}

TEST_F(ExamineFolder, LooksAtDataThatIsGiven) {
  const ExaminedFolder examined = examine_folder(run_, resumed::numbers());
  EXPECT_EQ(examined.how, "its log, its model and its data are looked at");
  ASSERT_TRUE(examined.found.data);
  EXPECT_EQ(examined.found.data->records, resumed::kRecords);
}

TEST_F(ExamineFolder, LeavesOutAStream) {
  const HostTensor x = testing::host_tensor<float>(std::vector<float>(8, 1.f), {2, 4}),
                   y = testing::host_tensor<float>({0.f, 1.f}, {2, 1});
  const ExaminedFolder examined = examine_folder(run_, testing::listed_stream({{x, y}}));
  EXPECT_EQ(examined.how,
            "its log and its model are looked at, and not its data, which is a stream");
  EXPECT_FALSE(examined.found.data);
}

TEST_F(ExamineFolder, LeavesOutDataThatDoesNotFit) {
  const Tensor x = constant(std::vector<float>(24), {6, 4});
  const Dataset of_three_inputs({x, x, x}, constant(std::vector<float>(6), {6, 1}));
  const ExaminedFolder examined = examine_folder(run_, of_three_inputs);
  EXPECT_THAT(
      examined.how,
      HasSubstr("its log and its model are looked at, and not its data, which cannot be: "));
  EXPECT_THAT(examined.found.model.layers, Not(IsEmpty()));
  EXPECT_FALSE(examined.found.data);
}

TEST_F(ExamineFolder, TakesAModelThatTheFolderLacks) {
  std::filesystem::remove(run_ + "/model.keras");
  const ExaminedFolder alone = examine_folder(run_);
  EXPECT_EQ(alone.how, "it has no model yet, so only its log is looked at");
  EXPECT_THAT(alone.found.model.layers, IsEmpty());
  const Tensor x = Input({.shape = {4}});
  Model model({x}, {Dense({.units = 1})(x)});
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const ExaminedFolder with = examine_folder(run_, {}, model);
  EXPECT_EQ(with.how, "its log and its model are looked at, and not its data");
  EXPECT_EQ(with.found.model.optimizer, "SGD");
}

TEST_F(ExamineFolder, SaysWhyAModelCannotBeLookedAt) {
  std::ofstream(run_ + "/model.keras") << "no model";
  const ExaminedFolder examined = examine_folder(run_);
  EXPECT_THAT(examined.how, HasSubstr("only its log is looked at, because its model cannot be: "));
  ASSERT_TRUE(examined.found.run);
}

}  // namespace
}  // namespace plimsoll
