#include "tests/support/example_models.h"

#include <cstring>

namespace plimsoll {
namespace {

constexpr Spec kLabel{DType::int32, {}};

Sequential cnn() {
  return Sequential({
      Conv2D({.filters = 32, .kernel_size = {3, 3}, .activation = "relu"}),
      MaxPooling2D(),
      Flatten(),
      Dense({.units = 10, .activation = "softmax"}),
  });
}

Sequential mlp() {
  return Sequential({
      Dense({.units = 512, .activation = "relu"}),
      Dense({.units = 512, .activation = "relu"}),
      Dense({.units = 10, .activation = "softmax"}),
  });
}

Sequential lstm(int64_t units) {
  return Sequential({LSTM({.units = units}), Dense({.units = 2, .activation = "softmax"})});
}

Tensor normalized(const Tensor& x, int64_t filters, int64_t size, int64_t stride, bool relu) {
  const Tensor y =
      Conv2D({.filters = filters, .kernel_size = size, .strides = stride, .padding = "same"})(x);
  const Tensor z = BatchNormalization({.epsilon = 1.001e-5})(y);
  return relu ? Activation({.activation = "relu"})(z) : z;
}

// As keras.applications has it, for ten classes.
Model resnet50() {
  const Tensor in = Input({.shape = {224, 224, 3}});
  Tensor x = normalized(in, 64, 7, 2, true);
  x = MaxPooling2D({.pool_size = 3, .strides = 2, .padding = "same"})(x);
  constexpr int kBlocks[] = {3, 4, 6, 3};
  for (int stage = 0; stage < 4; ++stage) {
    const int64_t filters = int64_t{64} << stage;
    for (int block = 0; block < kBlocks[stage]; ++block) {
      const int64_t stride = block == 0 && stage > 0 ? 2 : 1;
      const Tensor shortcut = block == 0 ? normalized(x, 4 * filters, 1, stride, false) : x;
      Tensor y = normalized(x, filters, 1, stride, true);
      y = normalized(normalized(y, filters, 3, 1, true), 4 * filters, 1, 1, false);
      x = Activation({.activation = "relu"})(Add()(Tensors{shortcut, y})[0]);
    }
  }
  x = Dense({.units = 10, .activation = "softmax"})(GlobalAveragePooling2D()(x));
  return Model({in}, {x});
}

Tensor relu6(const Tensor& x) {
  return ReLU({.max_value = 6.0})(BatchNormalization({.momentum = 0.999, .epsilon = 1e-3})(x));
}

// As keras.applications has it, for ten classes.
Model mobilenet_v2() {
  const Tensor in = Input({.shape = {224, 224, 3}});
  const auto pointwise = [](const Tensor& x, int64_t filters) {
    return Conv2D({.filters = filters, .kernel_size = 1, .use_bias = false})(x);
  };
  Tensor x = relu6(Conv2D(
      {.filters = 32, .kernel_size = 3, .strides = 2, .padding = "same", .use_bias = false})(in));
  struct SourceStage {
    int64_t expansion, filters, blocks, stride;
  };
  constexpr SourceStage kStages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                                     {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
  for (const SourceStage& stage : kStages)
    for (int64_t block = 0; block < stage.blocks; ++block) {
      const int64_t channels = x.shape()[3];
      Tensor y = stage.expansion == 1 ? x : relu6(pointwise(x, channels * stage.expansion));
      y = relu6(DepthwiseConv2D({.kernel_size = 3,
                                 .strides = block == 0 ? stage.stride : 1,
                                 .padding = "same",
                                 .use_bias = false})(y));
      y = BatchNormalization({.momentum = 0.999, .epsilon = 1e-3})(pointwise(y, stage.filters));
      x = block > 0 ? Add()(Tensors{x, y})[0] : y;
    }
  x = GlobalAveragePooling2D()(relu6(pointwise(x, 1280)));
  return Model({in}, {Dense({.units = 10, .activation = "softmax"})(x)});
}

// Four levels down and up again, each with what the level above had.
Model unet() {
  const Tensor in = Input({.shape = {128, 128, 3}});
  const auto twice = [](Tensor x, int64_t filters) {
    for (int i = 0; i < 2; ++i)
      x = Conv2D({.filters = filters, .kernel_size = 3, .padding = "same", .activation = "relu"})(
          x);
    return x;
  };
  Tensors levels;
  Tensor x = in;
  for (const int64_t filters : {64, 128, 256, 512}) {
    levels.push_back(twice(x, filters));
    x = MaxPooling2D()(levels.back());
  }
  x = twice(x, 1024);
  for (int64_t filters = 512; filters >= 64; filters /= 2) {
    x = Conv2DTranspose({.filters = filters, .kernel_size = 2, .strides = 2})(x);
    x = twice(concatenate({levels.back(), x}), filters);
    levels.pop_back();
  }
  return Model({in}, {Conv2D({.filters = 3, .kernel_size = 1, .activation = "softmax"})(x)});
}

// A transformer that reads words and predicts a class of each text.
Model encoder(int layers, int64_t width, int64_t heads, int64_t hidden) {
  const Tensor in = Input({.shape = {256}, .dtype = DType::int32});
  Tensor x = Embedding({.input_dim = 8000, .output_dim = width})(in);
  for (int i = 0; i < layers; ++i) {
    const Tensor a =
        MultiHeadAttention({.num_heads = heads, .key_dim = width / heads})(Tensors{x, x})[0];
    x = LayerNormalization()(x + a);
    const Tensor y = Dense({.units = hidden, .activation = "relu"})(x);
    x = LayerNormalization()(x + Dense({.units = width})(y));
  }
  x = GlobalAveragePooling1D()(x);
  return Model({in}, {Dense({.units = 10, .activation = "softmax"})(x)});
}

Sequential demo() {
  return Sequential({
      Conv2D({.filters = 32, .kernel_size = {3, 3}, .activation = "relu"}),
      MaxPooling2D(),
      Conv2D({.filters = 64, .kernel_size = {3, 3}}),
      BatchNormalization(),
      Activation({.activation = "relu"}),
      GlobalAveragePooling2D(),
      Dropout({.rate = 0.3}),
      Dense({.units = 10, .activation = "softmax"}),
  });
}

class Repeated final : public SourceStage {
 public:
  Repeated(SourcePtr records, int64_t count) : SourceStage(std::move(records)), count_(count) {}
  int64_t size() const override { return count_; }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    inner().read(id.number % inner().size(), into);
  }

 private:
  int64_t count_;
};

Model functional() {
  const Tensor a = Input({.shape = {64}}), b = Input({.shape = {64}});
  const Layer tower = Dense({.units = 256, .activation = "relu"});
  const Tensor joined = concatenate({tower(a), tower(b)});
  return Model({a, b}, {Dense({.units = 10, .activation = "softmax"})(joined)});
}

}  // namespace

ExampleModel example_model(const std::string& name) {
  const auto compiled = [](Model model, Specs fields) {
    model.compile(
        {.optimizer = Adam(), .loss = "sparse_categorical_crossentropy", .metrics = {"accuracy"}});
    return ExampleModel{std::move(model), std::move(fields)};
  };
  const auto floats = [](Shape shape) { return Spec{DType::float32, shape}; };
  if (name == "cnn") return compiled(cnn(), {floats({224, 224, 3}), kLabel});
  if (name == "mlp") return compiled(mlp(), {floats({784}), kLabel});
  if (name == "lstm") return compiled(lstm(256), {floats({50, 10}), kLabel});
  if (name == "lstm_1" || name == "lstm_32") return compiled(lstm(32), {floats({20, 5}), kLabel});
  if (name == "lstm_long") return compiled(lstm(256), {floats({1000, 10}), kLabel});
  if (name == "resnet50") return compiled(resnet50(), {floats({224, 224, 3}), kLabel});
  if (name == "mobilenet_v2") return compiled(mobilenet_v2(), {floats({224, 224, 3}), kLabel});
  if (name == "unet") return compiled(unet(), {floats({128, 128, 3}), {DType::int32, {128, 128}}});
  if (name == "encoder")
    return compiled(encoder(12, 512, 8, 2048), {{DType::int32, {256}}, kLabel});
  if (name == "demo") return compiled(demo(), {floats({28, 28, 1}), kLabel});
  if (name == "functional") return compiled(functional(), {floats({64}), floats({64}), kLabel});
  throw InvalidArgument(
      "no example model is called '" + name +
      "' (known: cnn, mlp, lstm, lstm_1, lstm_32, lstm_long, resnet50, mobilenet_v2, unet, "
      "encoder, demo, functional)");
}

SourcePtr example_records(const Specs& fields, int64_t distinct, int64_t count) {
  std::vector<HostTensor> columns;
  for (const Spec& field : fields) {
    const Spec spec{field.dtype, field.shape.with(0, distinct)};
    columns.push_back({spec, std::make_shared<Storage>(spec.bytes())});
    // Elements 0 and 1 in a pattern that depends on the position; as float32 or int32.
    for (int64_t i = 0; i < spec.shape.elements(); ++i) {
      const bool one = (i * 2654435761u >> 7) & 1;
      const float value = one ? 1.0f : 0.0f;
      const int32_t label = one ? 1 : 0;
      std::byte* at = columns.back().storage->data() + i * 4;
      if (spec.dtype == DType::float32)
        std::memcpy(at, &value, 4);
      else
        std::memcpy(at, &label, 4);
    }
  }
  return std::make_shared<Repeated>(from_tensor_slices(std::move(columns)), count);
}

}  // namespace plimsoll
