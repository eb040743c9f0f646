// TableSchema: how the rows of a table become the inputs and targets of a trained model. It is kept
// in the file data.json beside the model, so that other tables are read by the names of their
// columns and new rows are treated as those that were learnt from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

struct TableSchema {
  // An input or an output of the model.
  struct Field {
    std::string name;
    // In their order. None: the data had no columns with names (an array of a .npz file).
    std::vector<std::string> columns = {};
    // What replaces each number of the input where it is missing or not finite; none: nothing does.
    std::vector<float> repair = {};

    bool operator==(const Field&) const = default;
  };

  std::vector<Field> inputs = {}, targets = {};  // in the model's order
  std::vector<std::string> ignored = {};         // columns that were left out
  bool has_header = true;                        // without: the columns are called c0, c1, …
  std::optional<double> missing = {};            // replaces missing numbers of inputs
  // Of a series: rows per record, and how the records follow each other; none: a row is a record.
  std::optional<int64_t> window = {}, horizon = {}, stride = {};
  std::string encode = {};  // JSON: how text becomes numbers; empty: it does not

  bool operator==(const TableSchema&) const = default;
};

// JSON as table_schema() reads it. InvalidArgument for a name that is not UTF-8.
std::string to_json(const TableSchema& schema);

// CorruptFile, beginning with `name`, where the text is not such JSON, has a key that is not known,
// or is of a later version.
TableSchema table_schema(std::string_view text, const std::string& name);

// The file beside a model: "run/data.json" for "run/model.keras".
std::string schema_path(const std::string& model_path);

// What schema_path() holds; none if there is no such file, or it is another program's.
// CorruptFile if it is damaged.
std::optional<TableSchema> schema_beside(const std::string& model_path);

// The same of the names of its classes: "run/classes.json".
std::string classes_path(const std::string& model_path);

// The class names in a file of one JSON list; CorruptFile if it holds something else.
std::vector<std::string> read_classes(const std::string& path);

// Those that a model was trained with, in the order of their numbers: "run/classes.json" for
// "run/model.keras"; none if there is no such file.
std::vector<std::string> classes_beside(const std::string& model_path);

// Writes that file. IoError if it cannot be written.
void write_classes(const std::vector<std::string>& names, const std::string& model_path);

}  // namespace plimsoll
