// STFTSpectrogram: the short-time Fourier transform of (batch, steps, channels), by convolutions
// whose kernels begin as waves in a window and may be trained.
#pragma once

#include <optional>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct STFTSpectrogramOptions {
  std::string mode = "log";  // or "magnitude", "psd", "real", "imag", "stft" (both parts)
  int64_t frame_length = 256;
  std::optional<int64_t> frame_step = {};          // unset: half of the frame's length
  std::optional<int64_t> fft_length = {};          // unset: the next power of 2
  std::optional<std::string> window = "hann";      // or "hamming", or none
  bool periodic = false;                           // the window
  std::optional<std::string> scaling = "density";  // or "spectrum", or none
  std::string padding = "valid";                   // or "same"
  bool expand_dims = false;  // (batch, frames, frequencies, channels), not all in one axis
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, STFTSpectrogramOptions& options);

struct STFTSpectrogram : Layer {
  explicit STFTSpectrogram(const STFTSpectrogramOptions& options = {});
};

}  // namespace plimsoll
