#include "bench/memory_models.h"

#include <algorithm>
#include <array>

#include "plimsoll/train/data/record_specs.h"

namespace plimsoll {
namespace {

constexpr auto kClasses = "sparse_categorical_crossentropy";

Layer classes() {
  return Dense({.units = 10, .activation = "softmax"});
}

Model dense() {
  Tensor in = Input({.shape = {1024}}), x = in;
  for (int i = 0; i < 4; ++i)
    x = Dropout({.rate = 0.2})(Dense({.units = 1024, .activation = "gelu"})(x));
  return Model({in}, {classes()(x)});
}

Model convolutions() {
  Tensor in = Input({.shape = {64, 64, 3}}), x = in;
  for (const int64_t filters : {32, 64, 128}) {
    for (int i = 0; i < 2; ++i)
      x = Activation({.activation = "relu"})(BatchNormalization()(
          Conv2D({.filters = filters, .kernel_size = 3, .padding = "same"})(x)));
    x = MaxPooling2D()(x);
  }
  return Model({in}, {classes()(Flatten()(x))});
}

Model gru() {
  const Tensor in = Input({.shape = {100, 16}});
  const Tensor x = GRU({.units = 128, .return_sequences = true})(in);
  return Model({in}, {classes()(GRU({.units = 128})(x))});
}

Model bidirectional() {
  const Tensor in = Input({.shape = {60}, .dtype = DType::int32});
  const Tensor x = Embedding({.input_dim = 5000, .output_dim = 64})(in);
  const Tensor y = Bidirectional({.layer = LSTM({.units = 64, .return_sequences = true})})(x);
  return Model({in}, {classes()(Bidirectional({.layer = LSTM({.units = 64})})(y))});
}

Model attention() {
  const Tensor in = Input({.shape = {128, 64}});
  Tensor x = in;
  for (int i = 0; i < 2; ++i) {
    const Tensor seen = MultiHeadAttention({.num_heads = 4, .key_dim = 16})(Tensors{x, x})[0];
    x = LayerNormalization()(x + seen);
    x = LayerNormalization()(x +
                             Dense({.units = 64})(Dense({.units = 256, .activation = "gelu"})(x)));
  }
  return Model({in}, {classes()(GlobalAveragePooling1D()(x))});
}

Model embedding() {
  const Tensor in = Input({.shape = {200}, .dtype = DType::int32});
  const Tensor x = Embedding({.input_dim = 50000, .output_dim = 64})(in);
  const Tensor y = Dense({.units = 128, .activation = "relu"})(GlobalAveragePooling1D()(x));
  return Model({in}, {classes()(y)});
}

Model autoencoder() {
  const Tensor in = Input({.shape = {64, 64, 3}});
  const auto convolution = [](int64_t filters, int64_t stride) {
    return Conv2D({.filters = filters,
                   .kernel_size = 3,
                   .strides = stride,
                   .padding = "same",
                   .activation = "relu"});
  };
  Tensor x = convolution(64, 2)(convolution(32, 2)(in));
  for (const int64_t filters : {64, 32}) x = convolution(filters, 1)(UpSampling2D()(x));
  return Model(
      {in},
      {Conv2D({.filters = 3, .kernel_size = 3, .padding = "same", .activation = "sigmoid"})(x)});
}

struct Small {
  std::string_view name;
  Model (*make)();
  const char* loss;
};
constexpr std::array<Small, 7> kSmall = {{
    {"dense", dense, kClasses},
    {"convolutions", convolutions, kClasses},
    {"gru", gru, kClasses},
    {"bidirectional", bidirectional, kClasses},
    {"attention", attention, kClasses},
    {"embedding", embedding, kClasses},
    {"autoencoder", autoencoder, "binary_crossentropy"},
}};

ExampleModel with_fields(Model model) {
  const Specs fields = record_specs(model, {});
  for (const Spec& field : fields)
    if (field.dtype != DType::float32 && field.dtype != DType::int32)
      throw InvalidArgument(model.name() + " has a field of " + field.to_string() +
                            ", expected float32 or int32");
  return {std::move(model), fields};
}

}  // namespace

ExampleModel memory_model(const std::string& name) {
  if (name.ends_with(".keras")) return with_fields(load_model(name).model);
  const auto* small = std::ranges::find(kSmall, name, &Small::name);
  if (small == kSmall.end()) return example_model(name);
  Model model = small->make();
  model.compile({.optimizer = Adam(), .loss = small->loss});
  return with_fields(std::move(model));
}

}  // namespace plimsoll
