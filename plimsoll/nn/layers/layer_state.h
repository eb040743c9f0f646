// What a few layers are beside a LayerBody: found by dynamic_cast.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace plimsoll {

// A layer that keeps more than settings and weights: files of Keras's archive, and numbers among
// the weights that are not weights.
class KeepsState {
 public:
  struct State {
    std::map<std::string, std::string> files;
    std::map<std::string, std::vector<float>> numbers;
  };

  virtual ~KeepsState() = default;
  virtual State state() const = 0;
  // By name alone, what a file is asked for.
  virtual State wanted_state() const = 0;
  // Takes what a file has of that. InvalidArgument where it does not fit.
  virtual void set_state(const State& state) = 0;
};

}  // namespace plimsoll
