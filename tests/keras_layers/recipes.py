"""How to make a small model of each class of keras.layers, by the name of the class."""

import numpy as np

ROWS, STEPS, IMAGES, VOLUMES = (6,), (5, 4), (6, 7, 3), (4, 5, 3, 2)

# By a setting that a class demands. Classes that need none are made with their defaults.
SETTINGS = {
    "Activation": {"activation": "tanh"},
    "AdaptiveAveragePooling1D": {"output_size": 3},
    "AdaptiveAveragePooling2D": {"output_size": (3, 2)},
    "AdaptiveAveragePooling3D": {"output_size": 2},
    "AdaptiveMaxPooling1D": {"output_size": 3},
    "AdaptiveMaxPooling2D": {"output_size": (3, 2)},
    "AdaptiveMaxPooling3D": {"output_size": 2},
    "ActivityRegularization": {"l1": 0.1},
    "AlphaDropout": {"rate": 0.2},
    "AutoContrast": {"value_range": (-3, 3)},
    "AveragePooling1D": {"pool_size": 2},
    "AveragePooling2D": {"pool_size": 2},
    "AveragePooling3D": {"pool_size": 2},
    "CenterCrop": {"height": 3, "width": 4},
    "Conv1D": {"filters": 3, "kernel_size": 2},
    "Conv1DTranspose": {"filters": 3, "kernel_size": 2},
    "Conv2D": {"filters": 3, "kernel_size": 2},
    "Conv2DTranspose": {"filters": 3, "kernel_size": 2},
    "Conv3D": {"filters": 3, "kernel_size": 2},
    "Conv3DTranspose": {"filters": 3, "kernel_size": 2},
    "ConvLSTM1D": {"filters": 2, "kernel_size": 2},
    "ConvLSTM2D": {"filters": 2, "kernel_size": 2},
    "ConvLSTM3D": {"filters": 2, "kernel_size": 2},
    "Dense": {"units": 3},
    "DepthwiseConv1D": {"kernel_size": 2},
    "DepthwiseConv2D": {"kernel_size": 2},
    "Dot": {"axes": 1},
    "Dropout": {"rate": 0.2},
    "EinsumDense": {"equation": "abc,cd->abd", "output_shape": (None, 3)},
    "Embedding": {"input_dim": 4, "output_dim": 3},
    "GRU": {"units": 3},
    "GaussianDropout": {"rate": 0.2},
    "GaussianNoise": {"stddev": 0.2},
    "GroupNormalization": {"groups": 2},
    "GroupQueryAttention": {"head_dim": 2, "num_query_heads": 4, "num_key_value_heads": 2},
    "LSTM": {"units": 3},
    "MaxNumBoundingBoxes": {"max_number": 3},
    "MultiHeadAttention": {"num_heads": 2, "key_dim": 2},
    "Permute": {"dims": (2, 1)},
    "RandomBrightness": {"factor": 0.2},
    "RandomColorDegeneration": {"factor": 0.2},
    "RandomColorJitter": {"brightness_factor": 0.2, "hue_factor": 0.1},
    "RandomContrast": {"factor": 0.2},
    "RandomCrop": {"height": 3, "width": 4},
    "RandomHue": {"factor": 0.2},
    "RandomPosterization": {"factor": 4},
    "RandomRotation": {"factor": 0.2},
    "RandomSaturation": {"factor": 0.2},
    "RandomSharpness": {"factor": 0.2},
    "RandomTranslation": {"height_factor": 0.2, "width_factor": 0.2},
    "RandomZoom": {"height_factor": 0.2},
    "ReversibleEmbedding": {"input_dim": 4, "output_dim": 3},
    "RepeatVector": {"n": 3},
    "Rescaling": {"scale": 0.5},
    "Reshape": {"target_shape": (2, 3)},
    "Resizing": {"height": 4, "width": 5},
    "SeparableConv1D": {"filters": 3, "kernel_size": 2},
    "SeparableConv2D": {"filters": 3, "kernel_size": 2},
    "SimpleRNN": {"units": 3},
    "SpatialDropout1D": {"rate": 0.2},
    "SpatialDropout2D": {"rate": 0.2},
    "SpatialDropout3D": {"rate": 0.2},
}

# The shape of the input, if neither the end of the name nor the list below says it.
SHAPES = {
    "BatchNormalization": IMAGES,
    "ConvLSTM1D": (3, 5, 2),
    "ConvLSTM2D": (3, 4, 5, 2),
    "ConvLSTM3D": (2, 3, 4, 3, 2),
    "GRU": STEPS,
    "GroupNormalization": STEPS,
    "LSTM": STEPS,
    "Masking": STEPS,
    "PReLU": STEPS,
    "Permute": STEPS,
    "MelSpectrogram": (3000,),
    "STFTSpectrogram": (300, 1),
    "SimpleRNN": STEPS,
    "EinsumDense": STEPS,
    "LayerNormalization": STEPS,
    "RMSNormalization": STEPS,
    "UnitNormalization": STEPS,
}
OF_IMAGES = (
    "AugMix AutoContrast CenterCrop ContrastLimitedAdaptiveHistogramEqualization CutMix Flatten MaxNumBoundingBoxes MixUp"
    " Pipeline RandAugment Rescaling Resizing Solarization"
).split()
OF_PAIRS = "Add Average Concatenate Dot Maximum Minimum Multiply Subtract".split()
ATTENTION = "AdditiveAttention Attention GroupQueryAttention MultiHeadAttention".split()


def shape_of(name):
    for suffix, shape in {"1D": STEPS, "2D": IMAGES, "3D": VOLUMES}.items():
        if name not in SHAPES and suffix in name:
            return shape
    return SHAPES.get(name, IMAGES if name in OF_IMAGES or name.startswith("Random") else ROWS)


def wrapped(keras, name):
    """Layers that hold others."""
    layers = keras.layers
    cell = lambda: layers.GRUCell(3)
    return {
        "Bidirectional": lambda: (layers.Bidirectional(layers.LSTM(3)), STEPS),
        # By itself it returns its input, of which Keras makes no model.
        "Equalization": lambda: (layers.Pipeline([layers.Rescaling(0.5), layers.Equalization()]), IMAGES),
        "GRUCell": lambda: (layers.RNN(cell()), STEPS),
        "LSTMCell": lambda: (layers.RNN(layers.LSTMCell(3)), STEPS),
        "Pipeline": lambda: (layers.Pipeline([layers.Rescaling(0.5), layers.RandomFlip()]), IMAGES),
        "RNN": lambda: (layers.RNN(cell()), STEPS),
        "SimpleRNNCell": lambda: (layers.RNN(layers.SimpleRNNCell(3)), STEPS),
        "SpectralNormalization": lambda: (layers.SpectralNormalization(layers.Dense(3)), ROWS),
        "StackedRNNCells": lambda: (layers.RNN([cell(), layers.LSTMCell(2)]), STEPS),
        "TimeDistributed": lambda: (layers.TimeDistributed(layers.Dense(3)), STEPS),
    }.get(name)


def model_of(keras, name):
    """A model with a layer of the class, and the inputs of three records."""
    rng = np.random.default_rng(len(name))
    normal = lambda shape: rng.standard_normal((3, *shape)).astype("float32")
    cls = getattr(keras.layers, name)
    if name == "InputLayer":
        source = keras.Input(ROWS)
        return keras.Model(source, keras.layers.Dense(2)(source)), [normal(ROWS)]
    if name in ("Embedding", "ReversibleEmbedding"):
        source = keras.Input((5,), dtype="int32")
        return keras.Model(source, cls(**SETTINGS[name])(source)), [rng.integers(0, 4, (3, 5)).astype("int32")]
    if name in OF_PAIRS:
        sources = [keras.Input(ROWS, name="a"), keras.Input(ROWS, name="b")]
        return keras.Model(sources, cls(**SETTINGS.get(name, {}))(sources)), [normal(ROWS), normal(ROWS)]
    if name in ATTENTION:
        sources = [keras.Input(STEPS, name="a"), keras.Input((3, 4), name="b")]
        apart = name in ("GroupQueryAttention", "MultiHeadAttention")
        layer = cls(**SETTINGS.get(name, {}))
        return keras.Model(sources, layer(*sources) if apart else layer(sources)), [normal(STEPS), normal((3, 4))]
    made = wrapped(keras, name)
    layer, shape = made() if made else (cls(**SETTINGS.get(name, {})), shape_of(name))
    source = keras.Input(shape)
    return keras.Model(source, layer(source)), [normal(shape)]
