// Trainings that end with numbers that are not finite, and where that begins in each of them.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "plimsoll/plimsoll.h"
#include "plimsoll/train/steps/bad_batch.h"

namespace plimsoll::testing {

inline constexpr int64_t kNanRecords = 20, kNanColumns = 4, kNanBatch = 8;

// Records of four columns and one target; all are near 1 until a case changes them.
struct NanData {
  std::vector<float> x, y, weights;  // no weights: every record counts alike
  NanData();
  void set_record(int64_t record, float value);  // all columns
};

struct NanFinding {
  std::string op = {}, gradient_of = {}, layer = {}, weight = {};
  std::vector<std::string> records = {};  // that cause it
  bool is_every_record = false;
  bool operator==(const NanFinding&) const = default;
};
void PrintTo(const NanFinding& finding, std::ostream* to);

struct NanCase {
  std::string name;
  // What is between a layer 'below', which passes its input on and is trained, and a Dense 'head'
  // of one unit.
  std::function<Tensor(const Tensor&)> middle;
  std::function<void(NanData&)> spoil;
  NanFinding expected;
  Loss loss = "mse";
  std::function<void(Model&)> prepare = {};
  double learning_rate = 0;
  int64_t micro_batch = 0;
  std::string head_activation = "linear";
  Regularizer head_regularizer = {};
  int64_t epochs = 1;
};

inline void PrintTo(const NanCase& nan_case, std::ostream* to) {
  *to << nan_case.name;
}

// Trains, and returns what fit says about the step that is not finite.
NanFinding train_until_bad(const NanCase& nan_case);

// A layer of the program's own that is this function.
Layer own_layer(const std::string& name, std::function<Tensor(const Tensor&)> function);

}  // namespace plimsoll::testing
