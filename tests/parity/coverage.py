"""Does some case use every layer, loss, optimizer, metric, schedule, initializer and option that is promised?"""

import json

import comparison

LAYERS = """Activation Add Average AveragePooling1D AveragePooling2D BatchNormalization Bidirectional CenterCrop Concatenate
    AdaptiveAveragePooling1D AveragePooling3D Conv1D Conv2D Conv2DTranspose Conv3D Conv3DTranspose ConvLSTM2D Cropping2D
    Cropping3D GlobalAveragePooling3D GroupQueryAttention LayerScale MaxPooling3D SpatialDropout3D SpectralNormalization
    StochasticDepth UpSampling3D ZeroPadding3D Dense DepthwiseConv2D Dot Dropout ELU Embedding Flatten Functional GRU
    GaussianNoise GlobalAveragePooling1D GlobalAveragePooling2D GlobalMaxPooling1D GlobalMaxPooling2D GroupNormalization
    InputLayer LSTM LayerNormalization LeakyReLU Masking MaxPooling1D MaxPooling2D Maximum Minimum MultiHeadAttention
    Multiply Normalization PReLU Permute RandomContrast RandomCrop RandomFlip RandomRotation RandomTranslation RandomZoom
    ReLU RepeatVector Rescaling Reshape Resizing SeparableConv2D Sequential SimpleRNN Softmax SpatialDropout1D
    SpatialDropout2D Subtract TimeDistributed UpSampling2D ZeroPadding2D CategoryEncoding Discretization
    HashedCrossing Hashing IntegerLookup StringLookup TextVectorization""".split()
LOSSES = """BinaryCrossentropy CategoricalCrossentropy CategoricalHinge CosineSimilarity Hinge Huber KLDivergence
    MeanAbsoluteError MeanAbsolutePercentageError MeanSquaredError MeanSquaredLogarithmicError Poisson
    SparseCategoricalCrossentropy log_cosh squared_hinge""".split()
OPTIMIZERS = "SGD RMSprop Adam AdamW Adagrad Adadelta Nadam Adamax Lion".split()
SCHEDULES = """CosineDecay CosineDecayRestarts ExponentialDecay InverseTimeDecay PiecewiseConstantDecay
    PolynomialDecay""".split()
METRICS = """accuracy AUC BinaryAccuracy CategoricalAccuracy F1Score MeanIoU MeanAbsoluteError MeanSquaredError Precision
    R2Score Recall RootMeanSquaredError SparseCategoricalAccuracy SparseTopKCategoricalAccuracy
    TopKCategoricalAccuracy""".split()
INITIALIZERS = """Zeros Ones Constant RandomNormal RandomUniform TruncatedNormal VarianceScaling GlorotNormal GlorotUniform
    HeNormal HeUniform LecunNormal LecunUniform Orthogonal Identity""".split()
REGULARIZERS = "L1 L2 L1L2 OrthogonalRegularizer".split()
ACTIVATIONS = """celu elu exponential gelu glu hard_shrink hard_sigmoid hard_silu hard_tanh leaky_relu linear log_sigmoid
    log_softmax mish relu relu6 selu sigmoid silu soft_shrink softmax softplus softsign sparse_plus sparse_sigmoid sparsemax
    squareplus tanh tanh_shrink""".split()
OPTIMIZER_OPTIONS = "clipnorm clipvalue global_clipnorm use_ema weight_decay gradient_accumulation_steps".split()

PROMISED = [*LAYERS, *LOSSES, *OPTIMIZERS, *SCHEDULES, *METRICS, *INITIALIZERS, *REGULARIZERS, *ACTIVATIONS]


def words(config):
    """Every string of a config, and every key whose value is set."""
    if isinstance(config, dict):
        for key, value in config.items():
            if value not in (None, False):
                yield key
            yield from words(value)
    elif isinstance(config, list):
        for value in config:
            yield from words(value)
    elif isinstance(config, str):
        yield config


def missing(folders):
    """What no case of these folders uses."""
    seen = set()
    for folder in folders:
        seen.update(words(json.loads(comparison.member(folder / "compiled.keras", "config.json"))))
    return [word for word in PROMISED + OPTIMIZER_OPTIONS if word not in seen]
