// Images in a folder, a sub-folder for each class, changed at random as they are read, as Keras's
// ImageDataGenerator does it. The same epoch has the same images, however
// many threads read them.
//   augmented_images [FOLDER]
#include <plimsoll/plimsoll.h>

#include <cstdio>

namespace pl = plimsoll;

int main(int argc, char** argv) {
  const char* folder = argc > 1 ? argv[1] : "examples/shapes";
  const pl::SourcePtr images =
      pl::image_folder(folder, {.image_size = {32, 32}, .label_mode = pl::LabelMode::categorical});
  const auto classes = static_cast<int64_t>(images->class_names().size());
  std::printf("%lld images of %lld classes\n", static_cast<long long>(images->size()),
              static_cast<long long>(classes));

  pl::set_random_seed(4);
  pl::Sequential model({
      pl::InputLayer({.shape = {32, 32, 3}}),
      pl::Rescaling({.scale = 1.0 / 255}),
      pl::Conv2D({.filters = 16, .kernel_size = {3, 3}, .activation = "relu"}),
      pl::MaxPooling2D(),
      pl::Conv2D({.filters = 32, .kernel_size = {3, 3}, .activation = "relu"}),
      pl::GlobalMaxPooling2D(),
      pl::Dense({.units = classes, .activation = "softmax"}),
  });
  model.compile({.optimizer = pl::Adam({.learning_rate = 0.01}),
                 .loss = "categorical_crossentropy",
                 .metrics = {"accuracy"}});
  const pl::Pipeline varied = pl::Pipeline(images)
                                  .shuffle()
                                  .augment({.rotation_range = 20,
                                            .width_shift_range = 0.1,
                                            .height_shift_range = 0.1,
                                            .shear_range = 5,
                                            .zoom_range = {0.8, 1.2},
                                            .horizontal_flip = true})
                                  .batch(4);
  model.fit(varied, {.epochs = 60, .verbose = 0});
  const pl::Logs result = model.evaluate(pl::Dataset(images));
  std::printf("accuracy on the images as they are: %.2f\n", result.at("accuracy"));
  return result.at("accuracy") >= 0.75 ? 0 : 1;
}
