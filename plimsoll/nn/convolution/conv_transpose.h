// Transposed convolutions: they enlarge by as much as the convolution with the same settings
// shrinks.
#pragma once

#include <optional>

#include "plimsoll/nn/layers/activation_option.h"
#include "plimsoll/nn/layers/layer.h"
#include "plimsoll/nn/size2d.h"
#include "plimsoll/nn/size3d.h"

namespace plimsoll {

struct Conv2DTransposeOptions {
  int64_t filters = 0;
  Size2D kernel_size = 0;
  Size2D strides = 1;             // with a dilation rate above 1 they must be 1
  std::string padding = "valid";  // or "same"
  // How many more rows and columns to make; less than the strides. Unset: the output's size is that
  // of the input times the strides ("same"), or all that the windows reach ("valid").
  std::optional<Size2D> output_padding = {};
  Size2D dilation_rate = 1;
  ActivationOption activation = {};
  bool use_bias = true;
  Initializer kernel_initializer = "glorot_uniform";
  Initializer bias_initializer = "zeros";
  Regularizer kernel_regularizer = {};
  Regularizer bias_regularizer = {};
  Regularizer activity_regularizer = {};
  Constraint kernel_constraint = {};
  Constraint bias_constraint = {};
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, Conv2DTransposeOptions& options);

// (batch, height, width, channels)
struct Conv2DTranspose : Layer {
  explicit Conv2DTranspose(const Conv2DTransposeOptions& options = {});
};

struct Conv1DTransposeOptions {
  int64_t filters = 0;
  int64_t kernel_size = 0;
  int64_t strides = 1;
  std::string padding = "valid";
  std::optional<int64_t> output_padding = {};
  int64_t dilation_rate = 1;
  ActivationOption activation = {};
  bool use_bias = true;
  Initializer kernel_initializer = "glorot_uniform";
  Initializer bias_initializer = "zeros";
  Regularizer kernel_regularizer = {};
  Regularizer bias_regularizer = {};
  Regularizer activity_regularizer = {};
  Constraint kernel_constraint = {};
  Constraint bias_constraint = {};
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, Conv1DTransposeOptions& options);

// (batch, steps, channels)
struct Conv1DTranspose : Layer {
  explicit Conv1DTranspose(const Conv1DTransposeOptions& options = {});
};

struct Conv3DTransposeOptions {
  int64_t filters = 0;
  Size3D kernel_size = 0;
  Size3D strides = 1;
  std::string padding = "valid";
  std::optional<Size3D> output_padding = {};
  Size3D dilation_rate = 1;
  ActivationOption activation = {};
  bool use_bias = true;
  Initializer kernel_initializer = "glorot_uniform";
  Initializer bias_initializer = "zeros";
  Regularizer kernel_regularizer = {};
  Regularizer bias_regularizer = {};
  Regularizer activity_regularizer = {};
  Constraint kernel_constraint = {};
  Constraint bias_constraint = {};
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, Conv3DTransposeOptions& options);

// (batch, depth, height, width, channels)
struct Conv3DTranspose : Layer {
  explicit Conv3DTranspose(const Conv3DTransposeOptions& options = {});
};

}  // namespace plimsoll
