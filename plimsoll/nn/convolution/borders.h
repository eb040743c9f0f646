// Layers that put zeros around rows, images and volumes, or cut their borders off.
#pragma once

#include "plimsoll/nn/layers/layer.h"
#include "plimsoll/nn/margins.h"

namespace plimsoll {

struct ZeroPadding2DOptions {
  Margins2D padding = 1;
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, ZeroPadding2DOptions& options);
struct ZeroPadding2D : Layer {
  explicit ZeroPadding2D(const ZeroPadding2DOptions& options = {});
};

struct ZeroPadding1DOptions {
  Margins padding = 1;
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, ZeroPadding1DOptions& options);
struct ZeroPadding1D : Layer {
  explicit ZeroPadding1D(const ZeroPadding1DOptions& options = {});
};

struct Cropping2DOptions {
  Margins2D cropping = 0;
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, Cropping2DOptions& options);
struct Cropping2D : Layer {
  explicit Cropping2D(const Cropping2DOptions& options = {});
};

struct Cropping1DOptions {
  Margins cropping = 1;
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, Cropping1DOptions& options);
struct Cropping1D : Layer {
  explicit Cropping1D(const Cropping1DOptions& options = {});
};

struct ZeroPadding3DOptions {
  Margins3D padding = 1;
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, ZeroPadding3DOptions& options);
struct ZeroPadding3D : Layer {
  explicit ZeroPadding3D(const ZeroPadding3DOptions& options = {});
};

struct Cropping3DOptions {
  Margins3D cropping = 1;
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, Cropping3DOptions& options);
struct Cropping3D : Layer {
  explicit Cropping3D(const Cropping3DOptions& options = {});
};

}  // namespace plimsoll
