// CellEncoder: how the text of a cell becomes numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll {

// What a cell is to an encoder that knows its column.
enum class CellState {
  known,
  gap,     // nothing is there
  unseen,  // a text that the column did not have before; it has numbers all the same
  bad,     // not what the column holds
};

// "3", "2.5": as programs write it.
std::string plain_number(double number);

class CellEncoder {
 public:
  virtual ~CellEncoder() = default;
  // How many numbers a cell becomes.
  virtual int64_t width() const = 0;
  // Writes width() numbers; what they are is undefined if the cell is bad. Safe for threads.
  virtual CellState encode(std::string_view cell, std::span<float> into) const = 0;
  // A number as a cell of the column has it, for tables that have numbers and not only texts.
  virtual std::string written(double number) const;
  // What a cell should be, for a message: "a number such as 1.234,5".
  virtual std::string expected() const = 0;
};

}  // namespace plimsoll
