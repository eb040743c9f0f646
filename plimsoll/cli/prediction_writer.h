// Where predictions go, batch by batch.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plimsoll/cli/left_out.h"
#include "plimsoll/data/source.h"
#include "plimsoll/graph/tensor.h"

namespace plimsoll::cli {

class PredictionWriter {
 public:
  virtual ~PredictionWriter() = default;
  // The outputs of the records from `first` on.
  virtual void add(int64_t first, const Tensors& outputs) = 0;
  // The file appears now.
  virtual void finish() = 0;
};

struct PredictionFile {
  std::string path;                  // empty: the lines of a .csv are printed
  std::vector<std::string> outputs;  // their names
  SourcePtr records;
  bool is_images = false;
  std::vector<std::string> class_names = {};
  bool are_logits = false;                       // of classes; probabilities are made of them
  std::shared_ptr<const LeftOut> left_out = {};  // their cells are empty in a .csv file
};

// True if the outputs of the row-th record of a batch are all finite numbers.
bool has_finite_row(const Tensors& outputs, int64_t row);

// By the file's extension: .npy (one output), .npz, or .csv, which may be printed. A .csv file has
// a line per record with its name and its numbers; for images, and where each number of the output
// is a class with a name, the most probable class and its probability instead, or empty cells if
// its numbers are not finite. `specs` are those of the outputs of one record. InvalidArgument where
// the outputs do not fit the format.
std::unique_ptr<PredictionWriter> prediction_writer(const PredictionFile& file, const Specs& specs);

}  // namespace plimsoll::cli
