#include "plimsoll/nn/keras/refused_layers.h"

namespace plimsoll {

std::span<const RefusedLayer> refused_layers() {
  static constexpr RefusedLayer kRefused[] = {
      {"ContrastLimitedAdaptiveHistogramEqualization",
       "needs the histograms of parts of each image, which no operation here computes; do it "
       "before, when the data is made"},
      {"FlaxLayer",
       "holds code of Flax, which is never run; write the layer with the layers of Keras"},
      {"JaxLayer",
       "holds code of JAX, which is never run; write the layer with the layers of Keras"},
      {"Lambda",
       "holds Python code, which is never run; put what it does into known layers or operations"},
      {"Layer",
       "is the base of layers and computes nothing; a class of your own that is saved so holds "
       "code, which is never run"},
      {"MaxNumBoundingBoxes",
       "cuts lists of bounding boxes, which are no tensors; do it before, when the data is made"},
      {"MelSpectrogram",
       "measures decibels from the largest value of a whole batch, so that a record depends on the "
       "others; use an STFTSpectrogram, or do it before, when the data is made"},
      {"ReversibleEmbedding",
       "is called in two directions, which is not known here; use an Embedding, and a Dense layer "
       "for the way back"},
      {"TFSMLayer",
       "calls a SavedModel of TensorFlow, which is a program; save the model as .keras"},
      {"TorchModuleWrapper",
       "holds a module of PyTorch, which is never run; write the layer with the layers of Keras"},
      {"Wrapper",
       "is the base of wrappers and computes nothing; a class of your own that is saved so holds "
       "code, which is never run"},
  };
  return kRefused;
}

}  // namespace plimsoll
