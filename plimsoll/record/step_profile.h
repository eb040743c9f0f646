// StepProfile: where the time of training steps goes, operation by operation. Numbers are those of
// one step. Times are medians over the steps that were measured, so that other programs on the
// machine change them little.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll {

struct OperationProfile {
  std::string operation = {};    // "conv2d"
  std::string layer = {};        // the path of the layer; empty if it belongs to no layer
  std::string attributes = {};   // of the operation, as JSON: {"op": "conv2d", "strides": [2, 2]}
  std::string gradient_of = {};  // in the backward pass: the operation whose gradient it is part of
  double calls = 0;              // more than one where a batch runs in parts
  double seconds = 0;
  double operations = 0;  // floating-point ones; 0 if it only passes over its bytes
  double bytes = 0;       // read and written, each operand once
};

struct StepProfile {
  int64_t steps = 0;  // that were measured
  int64_t batch_size = 0;
  double step_seconds = 0;  // all of a step: its data, its operations, its callbacks
  double wait_seconds = 0;  // of that, waiting for data
  // What this machine reaches, of all threads together; typical numbers if it was not measured.
  bool is_machine_measured = false;
  double machine_operations_per_second = 0, machine_bytes_per_second = 0;
  std::vector<OperationProfile> operations = {};  // in the order in which they run
};

}  // namespace plimsoll
