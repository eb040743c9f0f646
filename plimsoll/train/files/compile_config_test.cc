#include "plimsoll/train/files/compile_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/nn.h"

namespace plimsoll {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Keras's own text of a config, but for the optimizer, which optimizer_list_test looks at.
Json keras_config(const std::string& objective) {
  return Json::parse(
      R"({"optimizer": {"module": "keras.optimizers", "class_name": "SGD", "config": {"name": "sgd", )"
      R"("learning_rate": 0.009999999776482582, "weight_decay": null, "clipnorm": null, )"
      R"("global_clipnorm": null, "clipvalue": null, "use_ema": false, "ema_momentum": 0.99, )"
      R"("ema_overwrite_frequency": null, "loss_scale_factor": null, )"
      R"("gradient_accumulation_steps": null, "momentum": 0.0, "nesterov": false}, )"
      R"("registered_name": null}, )" +
      objective + R"(, "run_eagerly": false, "steps_per_execution": 1, "jit_compile": false})");
}

TEST(CompileConfig, ComesBackAsItWas) {
  // By model.to_json() of Keras 3.15.1, for models of one and of two outputs.
  for (
      const char* objective :
      {R"("loss": "mse", "loss_weights": null, "metrics": ["accuracy", "mae"], "weighted_metrics": null)",
       R"("loss": ["mse", {"module": "keras.losses", "class_name": "BinaryCrossentropy", "config": )"
       R"({"name": "binary_crossentropy", "reduction": "sum_over_batch_size", "from_logits": true, )"
       R"("label_smoothing": 0.0, "axis": -1}, "registered_name": null}], "loss_weights": [1.0, 0.5], )"
       R"("metrics": [["mae", "mse"], ["accuracy", {"module": "keras.metrics", "class_name": "AUC", )"
       R"("config": {"name": "auc", "dtype": "float32", "num_thresholds": 200, "curve": "ROC", )"
       R"("summation_method": "interpolation", "multi_label": false, "num_labels": null, )"
       R"("label_weights": null, "from_logits": false}, "registered_name": null}]], )"
       R"("weighted_metrics": null)",
       R"("loss": {"a": "mse", "b": null}, "loss_weights": {"a": 1.0, "b": 2.0}, )"
       R"("metrics": {"a": ["mae", "mse"], "b": "mse"}, "weighted_metrics": ["mae", null])",
       R"("loss": null, "loss_weights": null, "metrics": null, "weighted_metrics": null)"}) {
    const Json json = keras_config(objective);
    EXPECT_EQ(compile_config(read_compile_config(json)).dump(), json.dump());
    const Json old = training_config(read_compile_config(json));
    EXPECT_EQ(training_config(read_compile_config(old)).dump(), old.dump());
  }
}

TEST(CompileConfig, IsReadFromKeras2) {
  // By tf_keras 2.21.
  const CompileOptions options = read_compile_config(Json::parse(
      R"({"loss": {"class_name": "SparseCategoricalCrossentropy", "config": {"reduction": "auto", )"
      R"("name": "sparse_categorical_crossentropy", "from_logits": true, "ignore_class": null, )"
      R"("fn": "sparse_categorical_crossentropy"}}, "metrics": [[{"class_name": "MeanMetricWrapper", )"
      R"("config": {"name": "accuracy", "dtype": "float32", "fn": "sparse_categorical_accuracy"}}, )"
      R"({"class_name": "SparseTopKCategoricalAccuracy", "config": {"name": "top", )"
      R"("dtype": "float32", "k": 2}}]], "weighted_metrics": null, "loss_weights": null, )"
      R"("optimizer_config": {"class_name": "Custom>RMSprop", "config": {"name": "RMSprop", )"
      R"("weight_decay": null, "clipnorm": null, "global_clipnorm": null, "clipvalue": null, )"
      R"("use_ema": false, "ema_momentum": 0.99, "ema_overwrite_frequency": 100, "jit_compile": true, )"
      R"("is_legacy_optimizer": false, "learning_rate": 0.0010000000474974513, "rho": 0.9, )"
      R"("momentum": 0.0, "epsilon": 1e-07, "centered": false}}})"));
  EXPECT_EQ(options.optimizer->class_name(), "RMSprop");
  EXPECT_EQ(options.loss.values[0].name(), "sparse_categorical_crossentropy");
  ASSERT_EQ(options.metrics.values.size(), 1u);
  ASSERT_EQ(options.metrics.values[0].size(), 2u);
  EXPECT_EQ(options.metrics.values[0][0].name(), "accuracy");
  EXPECT_EQ(options.metrics.values[0][1].name(), "top");
}

TEST(CompileConfig, NamesWhatItDoesNotUnderstand) {
  const auto read = [](const char* text) {
    return [=] { read_compile_config(Json::parse(text)); };
  };
  EXPECT_THAT(read("[]"), ThrowsMessage<InvalidArgument>(HasSubstr("expected an object")));
  EXPECT_THAT(read(R"({"loss": "own"})"), ThrowsMessage<InvalidArgument>(HasSubstr("'own'")));
  EXPECT_THAT(read(R"({"loss": 3})"), ThrowsMessage<InvalidArgument>(HasSubstr("loss")));
  EXPECT_THAT(read(R"({"loss_weights": ["x"]})"),
              ThrowsMessage<InvalidArgument>(HasSubstr("expected a loss weight, found string")));
  EXPECT_THAT(read(R"({"optimizer": "own"})"), ThrowsMessage<InvalidArgument>(HasSubstr("'own'")));
  EXPECT_THAT(read(R"({"metrics": [[7]]})"), ThrowsMessage<InvalidArgument>(HasSubstr("metric")));
}

TEST(CompileConfig, HoldsNoFunctionOfTheProgram) {
  CompileOptions options;
  options.loss = Loss("own", [](const Tensor& y, const Tensor&) { return y; });
  EXPECT_THAT([&] { compile_config(options); }, ThrowsMessage<InvalidArgument>(HasSubstr("'own'")));
}

TEST(CompileConfig, NamesFunctionsOfTheProgramAsItIsTold) {
  CompileOptions options;
  options.loss = Loss("own", [](const Tensor& y, const Tensor&) { return y; });
  options.loss_weights = {2.0};
  options.own_objective =
      R"({"loss": {"class_name": "function", "config": "own"}, "metrics": ["own"]})";
  const Json json = compile_config(options);
  EXPECT_EQ(json["loss"]["config"], "own");
  EXPECT_EQ(json["metrics"][0], "own");
  EXPECT_TRUE(json["weighted_metrics"].is_null());
  EXPECT_EQ(json["loss_weights"][0], 2.0);
  EXPECT_EQ(training_config(options)["loss"], json["loss"]);
  EXPECT_EQ(read_optimizer(json)->class_name(), "RMSprop");
}

}  // namespace
}  // namespace plimsoll
