// Series and grids of a size that a page can show.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll {

// The place and the value of each point that is kept.
using Points = std::vector<std::pair<int64_t, double>>;

// At most about `most` points, in their order: the first, the last, and of each bin between them
// the least, the largest, and one that is not finite if there is one. So no peak is lost.
Points thin(const Points& points, size_t most);

// Numbers by row (a layer) and column (a step).
class Grid {
 public:
  enum class Keep { least, largest };  // of what is joined

  explicit Grid(size_t columns, Keep keep = Keep::largest) : columns_(columns), keep_(keep) {}

  void set(const std::string& row, size_t column, double value);
  size_t rows() const { return names_.size(); }

  // A list of lists with null where there is no number. Neighbours are joined so that there are at
  // most so many rows and columns.
  nlohmann::ordered_json cells(size_t most_rows, size_t most_columns) const;
  // Of the joined rows: "conv_1 … conv_4".
  nlohmann::ordered_json names(size_t most_rows) const;

 private:
  size_t columns_;
  Keep keep_;
  std::vector<std::string> names_;
  std::map<std::string, size_t> places_;
  std::vector<std::vector<double>> values_;  // NaN: none
};

// How many neighbours are joined so that `count` becomes at most `most`.
size_t joined_of(size_t count, size_t most);

}  // namespace plimsoll
