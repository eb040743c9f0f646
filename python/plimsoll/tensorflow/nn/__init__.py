"""tf.nn: activations, losses on logits, convolutions, pooling, normalisation."""
from plimsoll import _missing

_missing.lazy(globals(), {
    "_activations": ["crelu", "elu", "gelu", "leaky_relu", "log_sigmoid", "log_softmax", "relu",
                     "relu6", "selu", "sigmoid", "silu", "softmax", "softplus", "softsign", "swish",
                     "tanh"],
    "_losses": ["compute_average_loss", "l2_loss", "log_poisson_loss", "scale_regularization_loss",
                "sigmoid_cross_entropy_with_logits", "softmax_cross_entropy_with_logits",
                "sparse_softmax_cross_entropy_with_logits", "weighted_cross_entropy_with_logits",
                "ctc_loss", "sampled_softmax_loss", "nce_loss"],
    "_convolution": ["atrous_conv2d", "avg_pool", "avg_pool1d", "avg_pool2d", "avg_pool3d", "bias_add",
                     "conv1d", "conv2d", "conv2d_transpose", "convolution", "conv3d", "depth_to_space",
                     "depthwise_conv2d", "max_pool", "max_pool1d", "max_pool2d", "max_pool3d", "pool",
                     "separable_conv2d", "space_to_depth"],
    "_normalization": ["batch_norm_with_global_normalization", "batch_normalization", "dropout",
                       "embedding_lookup", "l2_normalize", "local_response_normalization", "lrn",
                       "moments", "normalize_moments", "in_top_k", "top_k", "zero_fraction"],
})
