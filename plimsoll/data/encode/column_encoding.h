// ColumnEncoding: how the cells of one column of a table become numbers, and numbers cells again.
// There is a class for each kind of column (number_column.h, …); column_kind_list.h lists them.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/formats/tables/cell_encoder.h"

namespace plimsoll {

// What becomes of cells in which nothing is.
enum class Gaps {
  fill,      // the column's usual numbers
  indicate,  // these, and one more number for every cell: 1 for a gap, else 0
  refuse,    // they are bad
};
std::string_view to_string(Gaps gaps);
std::optional<Gaps> gaps_from(std::string_view text);

class ColumnEncoding;
using ColumnEncodingPtr = std::shared_ptr<const ColumnEncoding>;

// What became of a column when its cells were learnt from.
struct LearntColumn {
  ColumnEncodingPtr encoding;  // null: the column is left out
  std::string note = {};       // what a person should know; of a column that is left out: why
};

// How much a learner may hold, whatever the cells are.
struct LearnerRoom {
  size_t numbers = 65536;  // from which the median is taken
  size_t texts = 4096;     // different ones, of up to kMostTextBytes each
};
inline constexpr size_t kMostTextBytes = 256;

// Learns from the cells of the training records what an encoding needs to know.
class ColumnLearner {
 public:
  virtual ~ColumnLearner() = default;
  virtual void add(std::string_view cell) = 0;
  virtual LearntColumn finish() = 0;
};

class ColumnEncoding : public CellEncoder {
 public:
  explicit ColumnEncoding(Gaps gaps) : gaps_(gaps) {}

  // A word that stays the same: "number".
  virtual std::string_view kind() const = 0;
  int64_t width() const final { return own_width() + (gaps_ == Gaps::indicate ? 1 : 0); }
  CellState encode(std::string_view cell, std::span<float> into) const final;
  // What the numbers of a cell say, written as the column writes it; empty for a gap. None if they
  // do not say it: a text that was unseen, a date of which only the weekday is kept.
  std::optional<std::string> decode(std::span<const float> numbers) const;
  // What one of the numbers is called after the column's name: "" for the only one, "=male",
  // " month sin".
  std::string number_name(int64_t number) const;
  // All that is needed to make it again (column_kind_list.h).
  nlohmann::ordered_json to_json() const;
  // A few words for a person: "number, mean 29.7, deviation 14.5".
  virtual std::string description() const = 0;
  Gaps gaps() const { return gaps_; }
  // What is learnt from the training records before it can encode; null: nothing.
  virtual std::unique_ptr<ColumnLearner> learner(const LearnerRoom& room) const = 0;

 protected:
  virtual int64_t own_width() const = 0;
  // Of a cell that is not a gap: known, unseen or bad.
  virtual CellState encode_own(std::string_view cell, std::span<float> into) const = 0;
  virtual void fill_gap(std::span<float> into) const = 0;
  virtual std::optional<std::string> decode_own(std::span<const float> numbers) const = 0;
  virtual std::string own_name(int64_t number) const = 0;
  // Adds its settings.
  virtual void write(nlohmann::ordered_json& json) const = 0;

 private:
  Gaps gaps_;
};

}  // namespace plimsoll
