// Tensors that a loop keeps: the lines of a program that hold more of them at every look.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/graph/pending.h"

namespace plimsoll {

struct GrownLine {
  LiveTensors now;
  int64_t more = 0;  // tensors than when it began to grow
};

class TensorGrowth {
 public:
  // Looks again, at what live_tensors() says. The first look finds nothing.
  void look(std::span<const LiveTensors> now);
  bool has_looked() const { return has_looked_; }
  // The lines that held more at each of the last `looks` looks, most bytes first.
  std::vector<GrownLine> grown(int looks) const;

 private:
  struct Seen {
    LiveTensors now;
    int64_t before = 0;  // how many they were when they began to grow
    int growths = 0;     // looks in a row that found more
  };
  using Line = std::pair<std::string, unsigned>;
  std::map<Line, Seen> lines_;
  bool has_looked_ = false;
};

// "main.cc:12"
std::string place_of(const LiveTensors& line);
// `lead` and then "main.cc:12 (380.0 MiB in 1000 tensors), …": at most three lines, those with most
// bytes first, and none of less than `least_bytes`. Empty if there is none.
std::string heaviest_lines(std::span<const LiveTensors> lines, const std::string& lead,
                           int64_t least_bytes = 1);

}  // namespace plimsoll
