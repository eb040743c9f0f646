// A tensor with channels as pieces that threads take: runs of positions whose lanes lie side by
// side. The pieces depend on shape and layout alone.
#pragma once

#include <algorithm>

#include "plimsoll/tensor/layout.h"

namespace plimsoll::kernels {

struct ChannelPiece {
  int64_t offset = 0;         // of its first element
  int64_t first_channel = 0;  // that of lane 0
  int64_t rows = 0;           // positions
};

struct ChannelPieces {
  // Few enough that a sum over a piece keeps its accuracy in single precision.
  static constexpr int64_t kMostRows = 256;

  ChannelView view;
  int64_t runs_of_rows = 0;  // pieces along the positions of a run
  int64_t count = 0;

  ChannelPieces(const Shape& shape, Layout layout) : view(ChannelView::of(shape, layout)) {
    // Row-major positions follow one another: they are one run.
    if (layout.is_plain()) std::swap(view.outer, view.inner);
    runs_of_rows = (view.inner + kMostRows - 1) / kMostRows;
    count = view.outer * view.blocks * runs_of_rows;
  }

  int64_t positions() const { return view.outer * view.inner; }
  int64_t lanes() const { return view.lanes; }

  ChannelPiece operator[](int64_t i) const {
    const int64_t run = i / runs_of_rows, first = i % runs_of_rows * kMostRows;
    return {(run * view.inner + first) * view.lanes, run % view.blocks * view.lanes,
            std::min(kMostRows, view.inner - first)};
  }
};

}  // namespace plimsoll::kernels
