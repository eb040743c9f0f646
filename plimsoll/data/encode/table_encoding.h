// TableEncoding: how the columns of a table become numbers. It is learnt from training records,
// saved with the model, and used the same on every other table.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

class ColumnEncoding;

struct EncodedColumn {
  std::string name;
  std::shared_ptr<const ColumnEncoding> encoding;  // null: the column is left out
  std::string why = {};                            // it is left out
};

struct TableEncoding {
  std::vector<EncodedColumn> columns = {};  // in the order of the table

  // Null where the table had no such column, or it is left out.
  std::shared_ptr<const ColumnEncoding> find(std::string_view column) const;
  bool leaves_out(std::string_view column) const;
  // How many numbers these columns become; one that is not encoded is one.
  int64_t width(std::span<const std::string> names) const;
  // What their numbers are called: "age", "sex=female", "sex=male".
  std::vector<std::string> number_names(std::span<const std::string> names) const;
  // "age 2, sex 2, fare 1".
  std::string widths_text(std::span<const std::string> names) const;
  // The cell that these numbers of a column are, as the column writes it; empty for a gap. None if
  // they do not say it: a text that training did not have. InvalidArgument if there is no such
  // column, or it has another number of numbers.
  std::optional<std::string> decode(std::string_view column, std::span<const float> numbers) const;

  // JSON: an object that has the kind and the settings of each column.
  std::string to_json() const;
  // What to_json() has made. CorruptFile, beginning with `where`, for anything else.
  static TableEncoding from_json(std::string_view text, const std::string& where);
};
using TableEncodingPtr = std::shared_ptr<const TableEncoding>;

}  // namespace plimsoll
