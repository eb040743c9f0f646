// Metrics of segmentation: for each class, the area that targets and predictions share divided by
// the area that either covers; the result is the mean over the classes that occur.
#pragma once

#include <optional>

#include "plimsoll/nn/metrics/metric.h"

namespace plimsoll {

struct IoUOptions {
  int64_t num_classes = 0;                     // above 0
  std::vector<int64_t> target_class_ids = {};  // the classes that count
  std::string name = {};
  std::string dtype = "int64";  // of counts; an integer type drops the fractions of weights
  std::optional<int64_t> ignore_class = {};  // targets of this class do not count
  bool sparse_y_true = true;                 // class numbers; else the largest along the axis
  bool sparse_y_pred = true;
  int axis = -1;
};
void describe(Fields& fields, IoUOptions& options);
struct IoU : Metric {
  explicit IoU(const IoUOptions& options);
};

struct MeanIoUOptions {
  int64_t num_classes = 0;
  std::string name = {};
  std::string dtype = "int64";
  std::optional<int64_t> ignore_class = {};
  bool sparse_y_true = true;
  bool sparse_y_pred = true;
  int axis = -1;
};
void describe(Fields& fields, MeanIoUOptions& options);
// The mean over all classes.
struct MeanIoU : Metric {
  explicit MeanIoU(const MeanIoUOptions& options);
};

struct BinaryIoUOptions {
  std::vector<int64_t> target_class_ids = {0, 1};
  double threshold = 0.5;  // predictions from here on are of class 1
  std::string name = {};
  std::string dtype = "int64";
};
void describe(Fields& fields, BinaryIoUOptions& options);
struct BinaryIoU : Metric {
  explicit BinaryIoU(const BinaryIoUOptions& options = {});
};

struct OneHotIoUOptions {
  int64_t num_classes = 0;
  std::vector<int64_t> target_class_ids = {};
  std::string name = {};
  std::string dtype = "int64";
  std::optional<int64_t> ignore_class = {};
  bool sparse_y_pred = false;
  int axis = -1;
};
void describe(Fields& fields, OneHotIoUOptions& options);
// Targets are one-hot rows.
struct OneHotIoU : Metric {
  explicit OneHotIoU(const OneHotIoUOptions& options);
};

struct OneHotMeanIoUOptions {
  int64_t num_classes = 0;
  std::string name = {};
  std::string dtype = "int64";
  std::optional<int64_t> ignore_class = {};
  bool sparse_y_pred = false;
  int axis = -1;
};
void describe(Fields& fields, OneHotMeanIoUOptions& options);
struct OneHotMeanIoU : Metric {
  explicit OneHotMeanIoU(const OneHotMeanIoUOptions& options);
};

}  // namespace plimsoll
