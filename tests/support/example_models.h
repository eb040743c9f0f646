// The models of examples/, at sizes that a test or a benchmark chooses.
#pragma once

#include <string>

#include "plimsoll/plimsoll.h"

namespace plimsoll {

struct ExampleModel {
  Model model;
  Specs fields;  // of one record: inputs, then the target
};

// "cnn" (images of 224x224x3), "mlp" (784-512-512-10), "lstm" (256 units, 50 steps), "lstm_1" and
// "lstm_32" (32 units, 20 steps), "lstm_long" (256 units, 1,000 steps), "resnet50", "mobilenet_v2",
// "unet" (128x128 images, 64 to 1,024 channels), "encoder" (a transformer of 12 layers, width 512,
// 256 words), "functional" (two inputs, a shared layer), "demo" (28x28 images with dropout);
// compiled with Adam. InvalidArgument for any other name.
ExampleModel example_model(const std::string& name);

// Records of zeros and ones that any of them can learn from, `distinct` of them in memory and again
// and again up to `count`.
SourcePtr example_records(const Specs& fields, int64_t distinct, int64_t count);

}  // namespace plimsoll
